// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few connections, so that
// emptying them after a reset takes few cycles.
const (
	inLUTRAM = "connections=3 conn_bits=2 buffer_depth=4 explore_stride=4 state_memory=lutram ev_memory=lutram"
	inBRAM   = "connections=3 conn_bits=2 buffer_depth=4 explore_stride=4 state_memory=bram ev_memory=bram"
	narrow   = "connections=4 conn_bits=3 buffer_depth=2 explore_stride=2 evs_bits=1"
	reused   = inLUTRAM + " ack_coalescing=reuse ack_coalescing_ratio=3"
	carried  = inLUTRAM + " ack_coalescing=carry ack_coalescing_ratio=2 carry_queue_depth=2"
	scrubbed = inLUTRAM + " state_protection=scrub"
	tripled  = inBRAM + " state_protection=triple"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// the ring
	{Name: "slot off by one", File: "nic_reps_answer.sv", Set: inLUTRAM, Edits: []string{
		"assign p3_slot = p3_head_q + p3_offset_q;", "assign p3_slot = p3_head_q + p3_offset_q + 1'b1;"}},
	{Name: "overwrite in the cycle of a SEND not seen", File: "nic_reps_lanes.sv", Set: inBRAM, Edits: []string{
		"if (send_good && send_full) begin", "if (send_good && send_full && 1'b0) begin"}},
	{Name: "ring read in the wrong bank", File: "nic_reps_answer.sv", Set: inBRAM, Edits: []string{
		".rd_addr ({p3_idx_q, p3_slot})", ".rd_addr ({p3_idx_q ^ IDX_W'(1), p3_slot})"}},
	{Name: "ring written at the head without moves", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"assign ack_slot   = ack_ack.acks + ack_moves;", "assign ack_slot   = ack_ack.acks + (ack_moves & '0);"}},
	{Name: "ring counts as full one EV early", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"ack_ack.full || ack_ack.acks == '1;", "ack_ack.full || ack_ack.acks == {SLOT_W{1'b1}} - 1'b1;"}},
	{Name: "overwriting counts as one more valid EV", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"ack_next.pushes  = ack_full ? ack_ack.pushes : ack_ack.pushes + 1'b1;",
		"ack_next.pushes  = (ack_full && 1'b0) ? ack_ack.pushes : ack_ack.pushes + 1'b1;"}},
	{Name: "reuse of a partly filled ring wraps one EV late", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"(send_reuse_inc == send_ack.acks) ? '0", "(send_reuse == send_ack.acks) ? '0"}},
	{Name: "reuse goes on where the last freeze ended", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"assign send_reuse     = send_asked ? '0 : send_send.reuse;", "assign send_reuse     = (send_asked && 1'b0) ? '0 : send_send.reuse;"}},

	// forwarding, in each kind of memory
	{Name: "no forwarding in block RAM", File: "nic_lib_fwd_block.sv", Set: inBRAM, Edits: []string{
		"hit_q      <= wr_addr == last_addr;", "hit_q      <= wr_addr == last_addr && 1'b0;"}},
	{Name: "forwarding in block RAM ignores the address", File: "nic_lib_fwd_block.sv", Set: inBRAM, Edits: []string{
		"hit_q      <= wr_addr == last_addr;", "hit_q      <= wr_addr == last_addr || 1'b1;"}},
	{Name: "no forwarding in LUT RAM", File: "nic_lib_fwd_lut.sv", Set: inLUTRAM, Edits: []string{
		"  assign rd_data = mem[rd_addr_q];",
		"  logic [WIDTH-1:0] rd_data_q;\n\n" +
			"  always_ff @(posedge clk) begin\n    rd_data_q <= mem[rd_addr];\n  end\n\n" +
			"  assign rd_data = (rd_addr_q == '1) ? mem[rd_addr_q] : rd_data_q;"}},
	{Name: "no forwarding to the other lane in LUT RAM", File: "nic_lib_state_lut.sv", Set: inLUTRAM, Edits: []string{
		"logic [ADDR_W-1:0] other_addr_q;", "logic [WIDTH-1:0]  other_data_q;",
		"    other_addr_q <= last_other_addr;", "    other_data_q <= mem[last_other_addr];",
		"other_addr_q <= '0;", "other_data_q <= '0;",
		"assign other_data = mem[other_addr_q];", "assign other_data = other_data_q;"}},

	{Name: "no forwarding over two cycles in block RAM", File: "nic_lib_fwd_block.sv", Set: inBRAM, Edits: []string{
		": older_hit ? older_data", ": (older_hit && 1'b0) ? older_data"}},

	// freezing
	{Name: "exit time compared as >=", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{
		"p0_now_q - ~p0_timeout_q;", "p0_now_q + p0_timeout_q;"}},
	{Name: "exit time compared without wrap", File: "nic_reps_events.sv", Set: inBRAM, Edits: []string{
		"p2_late_q         <= !p1_late[TIMER_BITS-1];", "p2_late_q         <= p1_now_q >= p1_exit && !(p1_late[TIMER_BITS-1] && 1'b0);"}},
	{Name: "a failure freezes while exploring", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"fail_thaw != fail_freeze || fail_explore != fail_explored;",
		"fail_thaw != fail_freeze || (fail_explore != fail_explored && 1'b0);"}},
	{Name: "a failure acts before the ACK of its cycle", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"((p2_ack_is_fail && ack_thaws) ? p2_num_none", "((p2_ack_is_fail && ack_thaws && 1'b0) ? p2_num_none"}},
	{Name: "a SEND acts before the failure of its cycle", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"(p2_fail_is_send && p2_fail && !send_exploring);", "(p2_fail_is_send && p2_fail && !send_exploring && 1'b0);"}},
	{Name: "freezing cannot be switched off", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{
		"p2_fail_q         <= p1_fail_q && p1_freezing_q;", "p2_fail_q         <= p1_fail_q && (p1_freezing_q || 1'b1);"}},

	{Name: "the next ACK does not see an exit time", File: "nic_reps_lanes.sv", Set: inBRAM, Edits: []string{
		"assign fail_renews = p1_after_fail &&", "assign fail_renews = p1_after_fail && 1'b0 &&"}},
	{Name: "the next ACK sees the exit time of a failure without effect", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"(fail_thaw == fail_freeze || p2_ended);", "(fail_thaw == fail_freeze || p2_ended || 1'b1);"}, Limit: 24},
	{Name: "the next ACK sees the exit time before a flush", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{
		"(p1_asked_q || p1_clear_q || (p1_good_q", "((p1_asked_q && 1'b0) || p1_clear_q || (p1_good_q"}},
	{Name: "the next ACK does not see a freeze", File: "nic_reps_lanes.sv", Set: inBRAM, Edits: []string{
		"(fail_write_exit && p1_after_fail) ? fail_freeze_next", "(fail_write_exit && p1_after_fail && 1'b0) ? fail_freeze_next"}},

	// exploring
	{Name: "NUM_PKTS_CWND wraps at 256", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{
		"p0_num_q <= '1;", "p0_num_q <= cfg_num_pkts_cwnd[EXPLORE_W-1:0];"}},
	{Name: "stride mask one bit short", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"STRIDE_MASK = EXPLORE_W'(EXPLORE_STRIDE - 1);", "STRIDE_MASK = EXPLORE_W'(EXPLORE_STRIDE / 2 - 1);"}},
	{Name: "end of freezing in the cycle of a SEND not seen", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"send_draws    = send_thaws ? p2_num_hits", "send_draws    = (send_thaws && 1'b0) ? p2_num_hits"}},
	{Name: "exploration starts anew after the SEND that began it", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"assign send_restart   = send_asked || send_thaws;", "assign send_restart   = send_asked || (send_thaws && 1'b0);"}},
	{Name: "NUM_PKTS_CWND of 0 explores", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"ack_explore ^ (ack_thaws && !p2_num_none);", "ack_explore ^ ack_thaws;"}},

	// NIC ports
	{Name: "a connection has one state for all NIC ports", File: "nic_reps_events.sv", Set: inLUTRAM + " nic_ports=3", Edits: []string{
		"IDX_W'({conn, port} >> (PORT_W - LOW_W));", "IDX_W'({conn, port & {PORT_W{1'b0}}} >> (PORT_W - LOW_W));"}},
	{Name: "NIC ports that do not exist have a state", File: "nic_reps_events.sv", Set: inLUTRAM + " nic_ports=3", Edits: []string{
		"legal = 32'(port) < NIC_PORTS &&", "legal = 32'(port) < NIC_PORTS + 1 &&"}},
	{Name: "in mode ECMP the EV depends on the NIC port", File: "nic_reps_answer.sv", Set: inLUTRAM + " nic_ports=3", Edits: []string{
		"p3_conn = CONN_W'(p3_idx_q >> LOW_W);", "p3_conn = CONN_W'(p3_idx_q >> (0 * LOW_W));"}},

	// events and settings
	{Name: "marked EVs are cached", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{
		"p1_good_q         <= p0_ack_q && p0_ack_legal_q && p0_ev_legal && !p0_ack_ecn_q;",
		"p1_good_q         <= p0_ack_q && p0_ack_legal_q && p0_ev_legal;"}},
	{Name: "EV base not taken off", File: "nic_reps_events.sv", Set: narrow, Edits: []string{
		"p0_ack_ev_q - p0_base_q;", "p0_ack_ev_q - (p0_base_q & '0);"}},
	{Name: "EV base or'ed instead of added", File: "nic_reps_answer.sv", Set: inLUTRAM, Edits: []string{
		"due_base + EV_W'(due_ev);", "due_base | EV_W'(due_ev);"}},
	{Name: "ECMP folds with or", File: "nic_reps_answer.sv", Set: narrow, Edits: []string{
		"p3_fold[i % EVS_BITS] ^ p3_conn[i];", "p3_fold[i % EVS_BITS] | p3_conn[i];"}, Limit: 24},
	{Name: "illegal connection can fail", File: "nic_reps_events.sv", Set: narrow, Edits: []string{
		"p1_fail_q         <= p0_fail_q && p0_fail_legal_q;", "p1_fail_q         <= p0_fail_q;"}},
	{Name: "illegal connections of a cycle counted once", File: "nic_reps_counters.sv", Set: inLUTRAM, Edits: []string{
		"COUNTER_BITS'(illegal_conn);", "COUNTER_BITS'(illegal_conn != 2'd0);"}},
	{Name: "flush leaves the ring full", File: "nic_reps_lanes.sv", Set: inLUTRAM, Edits: []string{
		"ack_next.full    = 1'b0;", "ack_next.full    = ack_ack.full;"}, Limit: 24},
	{Name: "flush leaves the connection frozen", File: "nic_reps_lanes.sv", Set: inBRAM, Edits: []string{
		"ack_thaw_next    = p2_freeze;", "ack_thaw_next    = ack_thaw;"}},
	{Name: "answers one cycle late", File: "nic_reps_answer.sv", Set: inLUTRAM, Edits: []string{
		"  assign due_ev = due_ring ?", "  logic late_q;\n  always_ff @(posedge clk) begin\n    late_q <= due_valid && !rst;\n  end\n\n  assign due_ev = due_ring ?",
		"m_ev_valid  <= due_valid;", "m_ev_valid  <= late_q;"}},
	{Name: "counter stops instead of wrapping", File: "nic_reps_counters.sv", Set: inLUTRAM + " counter_bits=8", Edits: []string{
		"sts_send_cnt + COUNTER_BITS'(legal);", "sts_send_cnt + COUNTER_BITS'(legal && sts_send_cnt != '1);"}, Limit: 272},

	// random words
	{Name: "wrong tap", File: "nic_reps_random.sv", Set: inLUTRAM, Edits: []string{"random_q[92 -: WORD_W]", "random_q[93 -: WORD_W]"}},
	{Name: "seed word may be zero", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{"s_seed_word | EV_W'(1);", "s_seed_word;"}},
	{Name: "generator stands still for OPS and ECMP", File: "nic_reps.sv", Set: inLUTRAM, Edits: []string{
		".step       (p2_legal_q)", ".step       (p2_reps_q)"}, Limit: 24},

	// reset
	{Name: "SEND survives the reset", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{"      p1_send_q         <= 1'b0;\n", ""}},
	{Name: "events of the cycle after a reset are not counted", File: "nic_reps_events.sv", Set: inLUTRAM, Edits: []string{"p0_dropped_q    <= ready ?", "p0_dropped_q    <= swept ?"}},
	{Name: "a reset leaves the mark that the unit was seeded", File: "nic_reps_counters.sv", Set: inLUTRAM, Edits: []string{"      sts_seeded  <= 1'b0;\n", ""}},
	{Name: "copies of the state not made equal after reset", File: "nic_reps_events.sv", Set: inBRAM, Edits: []string{
		"p0_settle_q     <= !swept && !rst && !again;", "p0_settle_q     <= !swept && !rst && !again && 1'b0;"}},

	// state protection
	{Name: "scrub: takes the place of a failure", File: "nic_reps.sv", Set: scrubbed, Edits: []string{
		"!s_fail_valid && !s_send_valid;", "!(s_fail_valid && 1'b0) && !s_send_valid;"}},
	{Name: "scrub: counts as an EV cached", File: "nic_reps_lanes.sv", Set: scrubbed, Edits: []string{
		"ack_ack.acks + SLOT_W'(!p2_scrub);", "ack_ack.acks + 1'b1;"}},
	{Name: "scrub: counts as a packet that explores", File: "nic_reps_lanes.sv", Set: scrubbed, Edits: []string{
		"{EXPLORE_W{!p2_scrub}} +", "{EXPLORE_W{1'b1}} +"}},
	{Name: "scrub: ends an exploration", File: "nic_reps_lanes.sv", Set: scrubbed, Edits: []string{
		"send_send.left[EXPLORE_W-1:1] == '0 && !p2_scrub;", "send_send.left[EXPLORE_W-1:1] == '0;"}},
	{Name: "scrub: the exit time of a frozen connection is lost", File: "nic_reps_lanes.sv", Set: scrubbed, Edits: []string{
		"(p2_scrub && fail_restart);", "p2_scrub;"}},
	{Name: "scrub: copies are compared outside of it", File: "nic_reps_lanes.sv", Set: tripled, Edits: []string{
		"corrected = p2_scrub && (", "corrected = (p2_scrub || p2_settle) && ("}},
	{Name: "triple: the third copy is not written", File: "nic_lib_fwd_triple_block.sv", Set: tripled, Edits: []string{
		"({3{wr_data}})", "({copies[3*WIDTH-1 -: WIDTH], {2{wr_data}}})"}},
	{Name: "triple: no forwarding", File: "nic_lib_fwd_triple_lut.sv", Set: inLUTRAM + " state_protection=triple", Edits: []string{
		"hit_q      <= wr_addr == rd_addr;", "hit_q      <= 1'b0;"}},

	// ACK coalescing
	{Name: "reuse: an EV lives one packet too short", File: "nic_reps_lanes.sv", Set: reused, Edits: []string{"USE_W'(USES - 1);", "USE_W'(USES - 2);"}},
	{Name: "reuse: overwriting leaves the life of the oldest", File: "nic_reps_lanes.sv", Set: reused, Edits: []string{
		"send_ack.renew != send_send.renewed || (send_good && send_full);",
		"send_ack.renew != send_send.renewed || (send_good && send_full && 1'b0);"}, Limit: 24},
	{Name: "carry: an ACK is lost while another leaves the queue", File: "nic_lib_fifo_lut.sv", Set: carried, Edits: []string{
		"if (s_valid && s_ready) begin", "if (s_valid && s_ready && !(m_valid && m_ready)) begin"}},
	{Name: "carry: a full queue takes one more", File: "nic_lib_fifo_lut.sv", Set: carried, Edits: []string{
		"wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};", "wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]} || m_ready;"}},
	{Name: "carry: more EVs than fit are believed", File: "nic_reps_carry.sv", Set: carried, Edits: []string{
		"arrived.count = CNT_W'(N);", "arrived.count = s_ack_count;"}},
}

// planted is the introduction of the table of planted bugs.
const planted = "# Planted bugs\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration. Co-simulation with seed 1\n" +
	"detects it, shrinks the stimulus, and writes a replay file that reproduces the failure. The last column is the\n" +
	"number of cycles with an event or a request in the shrunk stimulus."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "other explore stride", Set: inLUTRAM, Params: func(p *params.Params) { p.ExploreStride = 2 }},
	{Name: "other seed of the generator", Set: inLUTRAM, Params: func(p *params.Params) { p.RandomSeed = 2 }},
	{Name: "other depth", Set: inLUTRAM, Params: func(p *params.Params) { p.BufferDepth = 8 }},
	{Name: "fewer connections", Set: inLUTRAM, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "narrower EVs", Set: inLUTRAM, Params: func(p *params.Params) { p.EVSBits = 15 }},
	{Name: "narrower timer", Set: inLUTRAM, Params: func(p *params.Params) { p.TimerBits = 34 }},
	{Name: "other latency of the memories", Set: inBRAM, Params: func(p *params.Params) { p.RAMLatency = 1 }},
	{Name: "one NIC port fails for all", Set: inLUTRAM + " nic_ports=2", Inputs: benchtest.SetInput("s_fail_port", 0)},
	{Name: "reuse: other ratio", Set: reused, Params: func(p *params.Params) { p.Ratio = 2 }},
	{Name: "carry: other queue depth", Set: carried, Params: func(p *params.Params) { p.CarryDepth = 4 }},
	{Name: "sees no mark", Set: inLUTRAM, Inputs: benchtest.SetInput("s_ack_ecn", 0)},
	{Name: "sees no failure", Set: inLUTRAM, Inputs: benchtest.SetInput("s_fail_valid", 0)},
	{Name: "sees no flush", Set: inLUTRAM, Inputs: benchtest.SetInput("s_flush_valid", 0)},
	{Name: "misses some resets", Set: inLUTRAM, Inputs: func(l *cosim.Layout, in []uint64) {
		if l.MustSlot("now_ns").Get(in)&1 == 1 && l.MustSlot("s_send_valid").Get(in) == 1 {
			l.MustSlot("rst").Set(in, 0)
		}
	}},
	{Name: "freezes one ns longer", Set: inLUTRAM, Inputs: func(l *cosim.Layout, in []uint64) {
		s := l.MustSlot("cfg_freezing_timeout_ns")
		s.Set(in, s.Get(in)+1)
	}},
	{Name: "turns a bit of the EV over", Set: inLUTRAM, Answer: func(l *cosim.Layout, want, care []uint64) {
		if s := l.MustSlot("m_ev"); s.Get(care) != 0 {
			s.Set(want, s.Get(want)^1<<15)
		}
	}},
	{Name: "expects no answer when the source is fixed", Set: inLUTRAM, Answer: func(l *cosim.Layout, want, _ []uint64) {
		if l.MustSlot("m_ev_source").Get(want) == 4 {
			l.MustSlot("m_ev_valid").Set(want, 0)
		}
	}},
}
