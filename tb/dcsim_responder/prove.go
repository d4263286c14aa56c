// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files of the parts.
const (
	topFile   = "nic_dcsim_responder.sv"
	outFile   = "nic_dcsim_responder_out.sv"
	tagsFile  = "nic_dcsim_responder_tags.sv"
	visitFile = "nic_dcsim_responder_visit.sv"
)

// few are the sources of the parts, with all memories in LUTRAM.
func few() ([]gen.File, error) {
	p := params.Default()
	p.Flows = 2
	return p.Files()
}

// proofs are the properties of the receiving host.
var proofs = &proof.Proofs{Texts: properties, Shared: lib.Proofs.Texts, Sets: []proof.Set{
	{
		Name: "packets", Depth: 24, K: 2, Quick: true,
		Claim:   "A SIM or DATA that is right is handed on with its flow and its port or tag, two cycles later; all others are counted, each once.",
		Configs: []string{"flows=2 flow_bits=2 port_bits=8 tag_bits=4 sim_acks=2 counter_bits=8"},
		Texts:   []string{"nic_dcsim_responder.svh"},
		Properties: []proof.Property{
			{
				Name: "sim_is_answered", Claim: "Each SIM of a flow that exists, of 1 byte to ℓ, goes to the SIM-ACKs with its port.",
				Bug: proof.Bug{Mistake: "the port of the next packet", File: topFile, Edits: []string{"p1_port_q       <= p0_port_q;", "p1_port_q       <= s_rx_port;"}},
			},
			{
				Name: "data_is_recorded", Claim: "Each DATA of a flow that exists, of 1 byte to L, goes to the tags with its tag.",
				Bug: proof.Bug{Mistake: "the largest length is refused", File: topFile, Edits: []string{
					"{1'b0, p0_bytes_q} + {1'b0, ~cfg_data_bytes}", "{1'b0, p0_bytes_q} + {1'b0, ~cfg_data_bytes} + 1'b1"}},
			},
			{
				Name: "nothing_else", Claim: "Nothing else is handed on.",
				Bug: proof.Bug{Mistake: "packets are taken before the unit is ready", File: topFile, Edits: []string{"p0_valid_q <= s_rx_valid && sts_ready;", "p0_valid_q <= s_rx_valid;"}},
			},
			{
				Name: "bad_counts_once", Claim: "A bad packet changes nothing, and counts as the first thing that is wrong about it.",
				Bug: proof.Bug{Mistake: "a length is looked at for an unknown flow", File: topFile, Edits: []string{"p0_valid_q && p0_class && p0_flow && !p0_length;", "p0_valid_q && p0_class && !p0_length;"}},
			},
			{
				Name: "good_counts_as_good", Claim: "A good one never counts as bad.",
				Bug: proof.Bug{Mistake: "SIMs are of a wrong class", File: topFile, Edits: []string{"p1_bad_class_q  <= p0_valid_q && !p0_class;", "p1_bad_class_q  <= p0_valid_q && (!p0_class || p0_sim);"}},
			},
		},
	},
	{
		Name: "out", Depth: 20, K: 2, Quick: true,
		Claim:   "The queue of SIM-ACKs, and that of tags: each word leaves once, unchanged and in order.",
		Configs: []string{"WIDTH=2 DEPTH=2", "WIDTH=1 DEPTH=4"},
		Top:     "nic_dcsim_responder_out", Sources: few,
		Texts: []string{"lib/nic_lib_fifo_lut.svh", "nic_dcsim_responder_out.svh"},
		Properties: []proof.Property{
			{
				Name: "leaves_in_order", Claim: "A word, any one, is taken unchanged, behind exactly those that came before it.",
				Bug: proof.Bug{Mistake: "the offered word is replaced by the next", File: outFile, Edits: []string{"free = !m_valid || m_ready;", "free = !m_valid || m_ready || any;"}},
			},
			{
				Name: "none_lost", Claim: "It is there until it is taken.",
				Bug: proof.Bug{Mistake: "the next one is dropped as one is taken", File: outFile, Edits: []string{"m_valid <= any;", "m_valid <= any && !m_valid;"}},
			},
			{
				Name: "none_made", Claim: "Nothing is taken that did not come.",
				Bug: proof.Bug{Mistake: "a word is offered without one", File: outFile, Edits: []string{"m_valid <= any;", "m_valid <= any || m_valid;"}},
			},
			{
				Name: "missed_if_full", Claim: "There is no room only if as many wait as the queue has places.",
				Bug: proof.Bug{Mistake: "the queue is full one word early", File: "nic_lib_fifo_lut.sv", Edits: []string{
					"assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "assign s_ready = (wr_q + 1'b1) != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]} && wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};"}},
			},
			{
				Name: "offer_stands", Claim: "An offer stands until it is taken.",
				Bug: proof.Bug{Mistake: "an offer is withdrawn", File: outFile, Edits: []string{"free = !m_valid || m_ready;", "free = !m_valid || m_ready || !any;"}},
			},
		},
	},
	{
		Name: "tags", Depth: 24, K: 3,
		Claim: "Of a flow, any one: each DATA that is recorded has its tag read exactly once, in order, for the DATA-ACK that it is part of. DATA-ACKs are what visits " +
			"may make: of tags that are in none yet.",
		Configs: []string{"FLOW_W=1 PTR_W=3 TAG_W=1 EVERY_W=2 LEFT_W=2"},
		Top:     "nic_dcsim_responder_tags", Sources: few,
		Texts: []string{"lib/nic_lib_fifo_lut.svh", "lib/nic_lib_ram_lut.svh", "words.svh@nic_lib_fwd_lut", "nic_dcsim_responder_tags.svh"},
		Properties: []proof.Property{
			{
				Name: "next_waits", Claim: "While the output is taken, a DATA-ACK waits no longer behind another one than that has tags, and a cycle.",
				Bug: proof.Bug{Mistake: "a tag is read every other cycle", File: tagsFile, Edits: []string{"now_q && !out_cnt_q[OUT_CNT-1];", "now_q && !out_cnt_q[OUT_CNT-1] && !went_q[0];"}},
			},
			{
				Name: "read_once_in_order", Claim: "A tag that is read is the next one of its flow, and part of a DATA-ACK.",
				Bug: proof.Bug{Mistake: "one tag too many", File: tagsFile, Edits: []string{"now_q       <= now_left_q != '0;", "now_q       <= 1'b1;"}},
			},
			{
				Name: "none_overwritten", Claim: "A DATA is recorded only if a place is free.",
				Bug: proof.Bug{Mistake: "one is always free", File: tagsFile, Edits: []string{"take   = pd_data && room;", "take   = pd_data;"}},
			},
			{
				Name: "missed_if_full", Claim: "It is missed only if none is.",
				Bug: proof.Bug{Mistake: "a place is left empty", File: tagsFile, Edits: []string{"missed = pd_data && !room;", "missed = pd_data && (!room || pe_take_q);"}},
			},
			{
				Name: "tag_as_recorded", Claim: "The tag that is read for a DATA, any one, is its own.",
				Bug: proof.Bug{Mistake: "the tag of the next packet is recorded", File: tagsFile, Edits: []string{".wr_data (pe_tag_q),", ".wr_data (pd_tag),"}},
			},
			{
				Name: "queue_has_room", Claim: "The queue to the output has room for each tag that is read.",
				Bug: proof.Bug{Mistake: "one tag more is read", File: tagsFile, Edits: []string{"now_q && !out_cnt_q[OUT_CNT-1];", "now_q && !(out_cnt_q[OUT_CNT-1] && out_cnt_q[0]);"}},
			},
		},
	},
	{
		Name: "visit", Depth: 70, K: 3,
		Claim: "Visits of a flow, any one: a DATA-ACK is for the first of those that wait, at most 16, and for no other; a DATA that has waited for 8 ticks is " +
			"part of the next visit's DATA-ACK, and no age wraps.",
		Configs: []string{"FLOWS=2 FLOW_W=1 PTR_W=6 TICK_W=1 GRAIN_W=1"},
		Top:     "nic_dcsim_responder_visit", Sources: few,
		Texts: []string{"words.svh@nic_lib_fwd_lut", "nic_dcsim_responder_visit.svh"},
		Properties: []proof.Property{
			{
				Name: "begins_at_the_first", Claim: "A DATA-ACK begins with the first DATA that is in none.",
				Bug: proof.Bug{Mistake: "it begins at the second", File: visitFile, Edits: []string{"start_place = d_head_q;", "start_place = d_head_q + 1'b1;"}},
			},
			{
				Name: "only_what_waits", Claim: "It has no more DATAs than wait.",
				Bug: proof.Bug{Mistake: "it may be of nothing", File: visitFile, Edits: []string{"(d_over_q && d_wait_q != '0)", "d_over_q"}},
			},
			{
				Name: "at_most_16", Claim: "It has at most 16.",
				Bug: proof.Bug{Mistake: "their number is not cut", File: visitFile, Edits: []string{"start_left  = all ? LEFT_W'(d_wait_q - 1'b1) : '1;", "start_left  = LEFT_W'(d_wait_q - 1'b1);"}},
			},
			{
				Name: "enough_or_over", Claim: "It has as many as are wanted, or the flow's time is over.",
				Bug: proof.Bug{Mistake: "one less is enough", File: visitFile, Edits: []string{"d_wait_q > PTR_W'(every);", "d_wait_q >= PTR_W'(every);"}},
			},
			{
				Name: "each_flow_each_lap", Claim: "Between two looks at a flow the count advances at most 14 times, less than half of its range.",
				Bug: proof.Bug{Mistake: "all ticks of a lap count", File: visitFile, Edits: []string{"advance = ticks && ticked_q != '1 && ready_q;", "advance = ticks && (ticked_q != '1 || ready_q) && ready_q;"}},
			},
			{
				Name: "acknowledged_in_time", Claim: "A DATA, any one, that has waited for 8 advances of the count when its flow is looked at is part of the DATA-ACK of that visit, unless 16 are before it.",
				Bug: proof.Bug{Mistake: "a flow's time never is over", File: visitFile, Edits: []string{"d_over_q  <= a_age >= STAMP_W'(8);", "d_over_q  <= a_age >= STAMP_W'(8) && 1'b0;"}},
			},
			{
				Name: "rest_next", Claim: "What is left of more than 16 has a DATA-ACK at the next visit.",
				Bug: proof.Bug{Mistake: "its time begins anew", File: visitFile, Edits: []string{"d_count_q[STAMP_W-1] ^ !all", "d_count_q[STAMP_W-1]"}},
			},
		},
	},
}}
