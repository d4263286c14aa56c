// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"embed"
	"slices"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The modules that mistakes are put into.
const (
	topFile    = "nic_plb.sv"
	pauseFile  = "nic_plb_pause.sv"
	roundsFile = "nic_plb_rounds.sv"
	labelsFile = "nic_plb_labels.sv"
	laneFile   = "nic_plb_lane.sv"
)

// laneFiles are the sources of the lane in block RAM.
func laneFiles() ([]gen.File, error) {
	files, err := params.Default().Files()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f gen.File) bool {
		return f.Name != laneFile && f.Name != "nic_lib_ram_block.sv"
	}), nil
}

// Few and narrow connections that have everything.
const proveSmall = "connections=2 conn_bits=2 pkts_bits=1 rtt_bits=8 balance_bits=20 round_bits=2 timer_bits=26 pause_bits=22 " +
	"label_bits=2 port_bits=1 port_base=0 counter_bits=8 target_ns=100 idle_rounds=1 forced_rounds=2 pause_ns=1048576"

// proofs are the properties of PLB.
var proofs = &proof.Proofs{
	Texts: properties,
	Note: "The sets go together: `pause` proves what `labels` supposes of verdicts, that none falls into a pause. A reset " +
		"in the middle of traffic is a power-up with anything in registers and memories. Not proved, and left to co-simulation, are the product of a pause, " +
		"an ACK's share, the balance and the verdict.",
	Sets: []proof.Set{
		{
			Name: "lane", Depth: 12, K: 4, Quick: true,
			Claim: "nic_plb_lane, the forwarding of the default build: each event reads the word of its connection with every write of earlier " +
				"cycles, for one and for two cycles of the RAM.",
			Top:     "nic_plb_lane",
			Sources: laneFiles,
			Configs: []string{"WIDTH=2 DEPTH=4 ADDR_W=2 LATENCY=1", "WIDTH=2 DEPTH=4 ADDR_W=2 LATENCY=2", "WIDTH=1 DEPTH=3 ADDR_W=2 LATENCY=2"},
			Texts:   []string{"words_block.svh@nic_lib_ram_block", "lane.svh@nic_plb_lane"},
			Properties: []proof.Property{
				{
					Name: "reads_last_write", Claim: "An event reads what was written last for its connection.",
					Bug: proof.Bug{Mistake: "the write two cycles before is missed", File: laneFile, Config: 1, Edits: []string{
						"same2 && wrote_q && LATENCY > 1", "same2 && wrote_q && LATENCY > 2"}},
				},
				{
					Name: "last_write_wins", Claim: "Of writes one and two cycles before, the later one counts.",
					Bug: proof.Bug{Mistake: "the earlier one does", File: laneFile, Config: 1, Edits: []string{
						"rd_data = hit1_q ? data1_q", "rd_data = (hit1_q && !hit2_q) ? data1_q"}},
				},
			},
		},
		{
			Name: "labels", Depth: 26, K: 10,
			Claim: "A SEND of a connection, any one, has the label that Algorithm 2 gives, one event after another, for any verdicts and any " +
				"settings, which may change with each event.",
			Configs: []string{proveSmall},
			Free:    "*nic_plb_pause* *nic_plb_rounds* *nic_plb_random*",
			Texts: []string{"words.svh@nic_lib_ram_lut", "words.svh@nic_lib_fwd_lut", "words.svh@nic_lib_state_lut",
				"opened.svh@nic_plb", "labels.svh@nic_plb"},
			Properties: []proof.Property{
				{
					Name: "only_for_a_reason", Claim: "A label is new only after an RTO or an opening, after N congested rounds, after M of them with nothing in flight, or in mode 2.",
					Bug: proof.Bug{Mistake: "M rounds are enough with packets in flight", File: topFile, Edits: []string{
						"p6_idle_rounds != '0 && p6_idle &&", "p6_idle_rounds != '0 &&"}},
				},
				{
					Name: "asked_is_answered", Claim: "The first SEND after an RTO or an opening has a new label, and says so.",
					Bug: proof.Bug{Mistake: "an RTO in the cycle after a new label is lost", File: labelsFile, Edits: []string{
						"(p6_rto_is_send_q && p7_given_q) ?", "(p6_rto_is_send_q && p7_given_q && 1'b0) ?"}},
				},
				{
					Name: "forced_at_next_send", Claim: "After N congested rounds in a row the next SEND has a new label.",
					Bug: proof.Bug{Mistake: "it takes one round more", File: labelsFile, Edits: []string{
						"p7_rounds >= p7_forced_rounds_q", "p7_rounds > p7_forced_rounds_q"}},
				},
				{
					Name: "idle_at_next_send", Claim: "After M congested rounds in a row the next SEND with nothing in flight has a new label.",
					Bug: proof.Bug{Mistake: "it takes one round more", File: labelsFile, Edits: []string{
						"p7_rounds >= p7_idle_rounds_q", "p7_rounds > p7_idle_rounds_q"}},
				},
				{
					Name: "paused_only_by_rto", Claim: "From an RTO to the end of its pause a label is new only because of the RTO, or in mode 2.",
					Bug: proof.Bug{Mistake: "a new label leaves the rounds", File: labelsFile, Edits: []string{
						"p7_label_era_next = !p7_era", "p7_label_era_next = p7_era"}},
				},
				{
					Name: "clean_round_resets", Claim: "After a clean round, and until the next congested one, no label is new for congestion.",
					Bug: proof.Bug{Mistake: "a clean round leaves the rounds", File: labelsFile, Edits: []string{
						"p6_clean = p6_verdict_q && !p6_congested_q;", "p6_clean = p6_verdict_q && !p6_congested_q && 1'b0;"}},
				},
				{
					Name: "label_kept", Claim: "A SEND has the label that its connection drew last, however long ago: nothing else changes it.",
					Bug: proof.Bug{Mistake: "every SEND writes its label", File: labelsFile, Edits: []string{
						".wr_en   (p8_new_q),", ".wr_en   (p8_new_q || p7_new || p7_send_q),"}},
				},
			},
		},
		{
			Name: "pause", Depth: 20, K: 10,
			Claim: "Detection pauses for a connection, any one, from an RTO to the first ACK at or after the time that the RTO sets, " +
				"which may be any.",
			Configs: []string{proveSmall},
			Free:    "*nic_plb_labels* *nic_plb_random* *nic_plb_pause*/t:$mul *nic_plb_rounds*/t:$mul",
			Texts: []string{"words.svh@nic_lib_ram_lut", "words.svh@nic_lib_fwd_lut", "words.svh@nic_lib_state_lut",
				"opened.svh@nic_plb", "pause.svh@nic_plb"},
			Properties: []proof.Property{
				{
					Name: "pause_ends_in_time", Claim: "An ACK is in the pause exactly if its time is before the one that the last RTO set, by at most twice the longest T.",
					Bug: proof.Bug{Mistake: "it ends one unit late", File: pauseFile, Edits: []string{
						"p4_now_q[PAUSE_W:0] < p4_until[PAUSE_W:0]", "p4_now_q[PAUSE_W:0] <= p4_until[PAUSE_W:0]"}},
				},
				{
					Name: "no_verdict_in_a_pause", Claim: "No round has a verdict in a pause.",
					Bug: proof.Bug{Mistake: "an RTO beside an ACK is lost", File: pauseFile, Edits: []string{
						"(p2_rto_is_ack_q && p2_ack_q) ?", "(p2_rto_is_ack_q && p2_ack_q && 1'b0) ?"}},
				},
				{
					Name: "verdict_of_an_ack", Claim: "A verdict is that of an ACK.",
					Bug: proof.Bug{Mistake: "a verdict without an ACK", File: roundsFile, Edits: []string{
						"p5_verdict      = ack_q[2] && ", "p5_verdict      = "}},
				},
				{
					Name: "congested_is_a_verdict", Claim: "A round that is not over is not congested.",
					Bug: proof.Bug{Mistake: "each ACK says what its round would be", File: roundsFile, Edits: []string{
						"if (rst || !p5_verdict) begin", "if (rst || !ack_q[2]) begin"}},
				},
			},
		},
	},
}
