// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"embed"

	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prove
var properties embed.FS

// The files with the mistakes.
const (
	axilFile   = "nic_csr_axil.sv"
	eventsFile = "nic_csr_events.sv"
	windowFile = "nic_csr_window.sv"
	blockFile  = "nic_csr_block_reps.sv"
	topFile    = "nic_csr.sv"
)

// smallMap is the configuration of proofs: REPS and its failure detector.
const smallMap = "window=none addr_bits=14 counter_bits=8"

// proofs are the properties of the registers.
var proofs = &proof.Proofs{Texts: properties, Sets: []proof.Set{
	{
		Name: "bus", Depth: 16, K: 3, Quick: true, Top: "nic_csr_axil",
		Claim:   "AXI4-Lite: each write has one answer and reaches the blocks once, each read has its data; whatever the master and the blocks do.",
		Configs: []string{"path=none window=none addr_bits=12 counter_bits=8"},
		Texts:   []string{"nic_csr_axil.svh"},
		Properties: []proof.Property{
			{
				Name: "write_answered", Claim: "A write whose address and data were both taken, in any order, is answered 2 cycles later.",
				Bug: proof.Bug{Mistake: "a write without all strobes has no answer", File: axilFile, Edits: []string{"    if (go) begin\n      b_valid_q <= 1'b1;", "    if (go) begin\n      b_valid_q <= w_full_q;"}},
			},
			{
				Name: "answer_has_a_write", Claim: "An answer is that of a write: SLVERR exactly without all strobes.",
				Bug: proof.Bug{Mistake: "it does not wait for the data", File: axilFile, Edits: []string{"!aw_ready_q && !w_ready_q && !b_valid_q", "!aw_ready_q && !b_valid_q"}},
			},
			{
				Name: "answer_stands", Claim: "It stands until it is taken.",
				Bug: proof.Bug{Mistake: "it does not", File: axilFile, Edits: []string{"if (b_valid_q && s_axil_bready) begin", "if (b_valid_q) begin"}},
			},
			{
				Name: "written_once", Claim: "The blocks see a write once, if all strobes are set, before its answer.",
				Bug: proof.Bug{Mistake: "they see it again while the answer waits", File: axilFile, Edits: []string{"m_wr_go        = go && w_full_q;", "m_wr_go        = !aw_ready_q && !w_ready_q && w_full_q;"}},
			},
			{
				Name: "written_as_given", Claim: "Address and data stand from then on until the answer was taken.",
				Bug: proof.Bug{Mistake: "the address goes on", File: axilFile, Edits: []string{"    if (aw_ready_q) begin\n      m_wr_addr", "    if (aw_ready_q || b_valid_q) begin\n      m_wr_addr"}},
			},
			{
				Name: "answered_when_written", Claim: "What is answered with OKAY was written.",
				Bug: proof.Bug{Mistake: "an access while an event shows is not", File: axilFile, Edits: []string{"m_wr_go        = go && w_full_q;", "m_wr_go        = go && w_full_q && !evt_hole;"}},
			},
			{
				Name: "no_second_write", Claim: "Nothing of the next write is taken before the answer was.",
				Bug: proof.Bug{Mistake: "an address is taken with the answer", File: axilFile, Edits: []string{"assign s_axil_awready = aw_ready_q;", "assign s_axil_awready = aw_ready_q || b_valid_q;"}},
			},
			{
				Name: "read_answered", Claim: "A read has its data 5 cycles after its address.",
				Bug: proof.Bug{Mistake: "a hole has none", File: axilFile, Edits: []string{"    if (p3_rd_q) begin", "    if (p3_rd_q && s_rd_hit) begin"}},
			},
			{
				Name: "data_has_a_read", Claim: "Data is what the blocks gave for a read.",
				Bug: proof.Bug{Mistake: "it is taken a cycle early", File: axilFile, Edits: []string{"    if (p3_rd_q) begin\n      r_valid_q <= 1'b1;\n", "    if (p3_rd_q) begin\n      r_valid_q <= 1'b1;\n    end\n    if (p2_rd_q) begin\n"}},
			},
			{
				Name: "data_stands", Claim: "It stands until it is taken.",
				Bug: proof.Bug{Mistake: "it goes on with the blocks", File: axilFile, Edits: []string{"      r_data_q  <= s_rd_data;\n    end\n", "    end\n    if (!ar_ready_q) begin\n      r_data_q  <= s_rd_data;\n    end\n"}},
			},
			{
				Name: "read_as_given", Claim: "The blocks see each read once, with its address.",
				Bug: proof.Bug{Mistake: "they see it twice", File: axilFile, Edits: []string{"assign m_rd_go        = p0_rd_q;", "assign m_rd_go        = p0_rd_q || p1_rd_q;"}},
			},
			{
				Name: "events_of_accesses", Claim: "An event is that of a read without data, of a write without a register, or of one without all strobes;",
				Bug: proof.Bug{Mistake: "a write that is refused raises two", File: axilFile, Edits: []string{"evt_lost        <= p1_wr_q && !s_wr_hit;", "evt_lost        <= (p1_wr_q || p1_part_q) && !s_wr_hit;"}},
			},
			{
				Name: "no_access_without_event", Claim: "and each of these raises its own.",
				Bug: proof.Bug{Mistake: "a hole behind a lost write raises none", File: axilFile, Edits: []string{"evt_hole        <= p3_rd_q && !s_rd_hit;", "evt_hole        <= p3_rd_q && !s_rd_hit && !evt_lost;"}},
			},
			{
				Name: "illegal_is_counted", Claim: "A read and a write of one cycle that are illegal count as two;",
				Bug: proof.Bug{Mistake: "they count as one", File: axilFile, Edits: []string{"8'(evt_write), evt_hole};", "8'(evt_write && !evt_hole), evt_hole};"}},
			},
			{
				Name: "only_illegal_is_counted", Claim: "and nothing else counts.",
				Bug: proof.Bug{Mistake: "reads count", File: axilFile, Edits: []string{"8'(evt_write), evt_hole};", "8'(evt_write || r_valid_q), evt_hole};"}},
			},
		},
	},
	{
		Name: "block", Depth: 16, K: 3, Quick: true, Top: "nic_csr_block_reps",
		Claim:   "A block, that of REPS: settings, events, and a window whose stream has a ready.",
		Configs: []string{smallMap},
		Texts:   []string{"nic_csr_block_reps.svh"},
		Properties: []proof.Property{
			{
				Name: "only_at_the_commit", Claim: "Settings change at a write of 1 to commit, or by a reset, and never else.",
				Bug: proof.Bug{Mistake: "one counts when it is written", File: blockFile, Edits: []string{"      cfg_ev_base <= next_cfg_ev_base_q;\n    end\n", "    end\n    cfg_ev_base <= next_cfg_ev_base_q;\n"}},
			},
			{
				Name: "all_at_the_commit", Claim: "They are then, in one cycle, what was written last to each of their words.",
				Bug: proof.Bug{Mistake: "of one, the low word counts", File: blockFile, Edits: []string{"cfg_freezing_timeout_ns <= next_cfg_freezing_timeout_ns_q;", "cfg_freezing_timeout_ns[31:0] <= next_cfg_freezing_timeout_ns_q[31:0];"}},
			},
			{
				Name: "reset_values", Claim: "After a reset they are those of the configuration.",
				Bug: proof.Bug{Mistake: "a reset leaves one", File: blockFile, Edits: []string{"      cfg_num_pkts_cwnd <= 16'h96;\n", ""}},
			},
			{
				Name: "event_beats_its_clear", Claim: "An event in the cycle of its clear stays.",
				Bug: proof.Bug{Mistake: "it goes", File: eventsFile, Edits: []string{"(m_events & ~(s_data & {EVENTS{s_clear}})) | s_event", "(m_events | s_event) & ~(s_data & {EVENTS{s_clear}})"}},
			},
			{
				Name: "events_as_they_came", Claim: "An event is there from its pulse to the write of its clear.",
				Bug: proof.Bug{Mistake: "a clear takes all", File: eventsFile, Edits: []string{"~(s_data & {EVENTS{s_clear}})", "~{EVENTS{s_clear}}"}},
			},
			{
				Name: "interrupt_if_enabled", Claim: "The interrupt is there exactly while an event is that is enabled, a cycle late.",
				Bug: proof.Bug{Mistake: "events that are not enabled interrupt", File: eventsFile, Edits: []string{"(m_events & m_enable) != '0", "m_events != '0"}},
			},
			{
				Name: "offer_stands", Claim: "A word that is offered stands, valid and unchanged, until it is taken.",
				Bug: proof.Bug{Mistake: "its data can be written", File: blockFile, Edits: []string{"if (wr_s_flush_conn_q && !s_flush_valid) begin", "if (wr_s_flush_conn_q) begin"}},
			},
			{
				Name: "offered_when_started", Claim: "It is offered after the command,",
				Bug: proof.Bug{Mistake: "a stream that is ready has none", File: windowFile, Edits: []string{"m_valid ? !s_ready : s_start", "m_valid ? !s_ready : s_start && !s_ready"}},
			},
			{
				Name: "offered_only_when_started", Claim: "and never else.",
				Bug: proof.Bug{Mistake: "it is when its data is written", File: windowFile, Edits: []string{"m_valid ? !s_ready : s_start", "m_valid ? !s_ready : s_start || s_write"}},
			},
			{
				Name: "loss_is_told", Claim: "What is written while a word is offered is lost, and missed says so, also in the cycle of its clear;",
				Bug: proof.Bug{Mistake: "the clear wins", File: windowFile, Edits: []string{"(m_missed && !s_clear) || (m_valid && (s_start || s_write))", "(m_missed || (m_valid && (s_start || s_write))) && !s_clear"}},
			},
			{
				Name: "missed_as_it_was", Claim: "it says so until its clear, and never else.",
				Bug: proof.Bug{Mistake: "a command clears it", File: windowFile, Edits: []string{"(m_missed && !s_clear)", "(m_missed && !s_clear && !s_start)"}},
			},
		},
	},
	{
		Name: "blocks", Depth: 16, Quick: true,
		Claim:   "All blocks together.",
		Configs: []string{smallMap},
		Texts:   []string{"nic_csr.svh"},
		Properties: []proof.Property{
			{
				Name: "one_writes", Claim: "A write goes to one block.",
				Bug: proof.Bug{Mistake: "a block takes writes of two places", File: topFile, Edits: []string{"reps_wr_go = wr_go && wr_addr[11:10] == 2'd1;", "reps_wr_go = wr_go;"}},
			},
			{
				Name: "one_reads", Claim: "What a read gives never changes, or is a level, and not both;",
				Bug: proof.Bug{Mistake: "a number is read too", File: "nic_csr_constants.sv", Edits: []string{"p2_word_q[33:32] != 2'b01", "!p2_word_q[32]"}},
			},
			{
				Name: "no_data_in_a_hole", Claim: "and it is 0 where nothing can be read.",
				Bug: proof.Bug{Mistake: "what is only written is read", File: "nic_csr_constants.sv", Edits: []string{"p2_word_q[33:32] == 2'b11", "p2_word_q[33]"}},
			},
		},
	},
}}
