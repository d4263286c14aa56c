// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The files with the mistakes.
const (
	top   = "nic_queue.sv"
	cells = "nic_queue_cells.sv"
	enter = "nic_queue_enter.sv"
	pick  = "nic_queue_pick.sv"
	walk  = "nic_queue_walk.sv"
	done  = "nic_queue_done.sv"
	beats = "nic_queue_beats.sv"
	flow  = "nic_queue_flow.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the packet queues\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of [the packet queues](nic_queue.md).\n" +
	"Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a replay file that fails again in the same way.\n" +
	"The last column counts the cycles with a beat or a pop that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a bad packet keeps its cells", File: cells, Set: small, Edits: []string{"take_d = rollback ? kept_q", "take_d = (rollback && !rollback) ? kept_q"}},
	{Name: "a packet that is dropped behind another one takes back that one's cell", File: cells, Set: small, Edits: []string{"kept_q <= take_d;", "kept_q <= take_q;"}},
	{Name: "a packet one byte too long is stored", File: enter, Set: small, Edits: []string{"p1_len_q} > LAST;", "p1_len_q} > LAST + 14'd1;"}},
	{Name: "a packet of 256 beats begins anew", File: enter, Set: small, Edits: []string{"(p1_beat == '1) ? p1_beat :", "(p1_beat == '1) ? 8'd0 :"}},
	{Name: "the quota is one cell more", File: enter, Set: small, Edits: []string{"{1'b0, p1_most} - {1'b0, p1_cells};", "{1'b0, p1_most} - {1'b0, p1_cells} + 1'b1;"}},
	{Name: "the quota forgets the packet before", File: enter, Set: small, Edits: []string{"p3_over  = p3_two ?", "p3_over  = (p3_two && !p3_two) ?"}},
	{Name: "the quota counts a packet before that was dropped", File: enter, Set: small, Edits: []string{"p3_two = p3_same_q && p4_q.commit;", "p3_two = p3_same_q && p4_q.stop;"}},
	{Name: "an unknown connection is one that exists", File: enter, Set: small, Edits: []string{"32'(p1_conn_q) < 5;", "32'(p1_conn_q) < 6;"}},
	{Name: "a link is written for the packet's own first cell", File: enter, Set: small, Edits: []string{"p5_q.first ? p5_tail : p6_cell_q;", "(p5_q.first && !p5_q.commit) ? p5_tail : p6_cell_q;"}},
	{Name: "a packet that enters an empty queue is linked only", File: enter, Set: small, Edits: []string{"(p5_turn ^ p5_empty)", "p5_turn"}},
	{Name: "the head of a long packet is its last cell", File: enter, Set: small, Edits: []string{"if (p4_q.take && p4_q.first) begin", "if (p4_q.take) begin"}},
	{Name: "a queue looks empty one cycle late", File: enter, Set: small, Edits: []string{"p5_empty  = p5_q.was == p5_out;", "p5_empty  = p5_q.was == p5_out && !late_q;",
		"  assign p4_cell ", "  logic late_q;\n\n  always_ff @(posedge clk) begin\n    late_q <= out_wr && out_row == CONN_W'(p4_q.conn);\n  end\n\n  assign p4_cell "}},
	{Name: "the length of a beat is that of the one before", File: enter, Set: small, Edits: []string{"p2_len_q    <= p1_len_q;", "p2_len_q    <= (p1_valid_q && !p1_first_q) ? p2_len_q : p1_len_q;"}},
	{Name: "meta of the packet's last beat", File: enter, Set: small, Edits: []string{"meta_wr    = p4_q.take && p4_q.first;", "meta_wr    = p4_write_q && p4_last_q;"}},
	{Name: "m_enter of a packet for no queue", File: enter, Set: small, Edits: []string{"s_store && ready : p1_store_q", "s_store || !ready : p1_store_q"}},
	{Name: "two visits of a connection at once", File: pick, Set: small, Edits: []string{"i < 8; i++) begin\n      if (way_q[i] && way_row_q", "i < 7; i++) begin\n      if (way_q[i] && way_row_q"}},
	{Name: "an old head is taken", File: pick, Set: small, Edits: []string{"(x2_in_turn != x2_out_turn) ?", "(x2_in_turn != x2_out_turn && x2_in_head[0]) ?"}},
	{Name: "a budget that is used up lets another packet go", File: pick, Set: small, Edits: []string{"|| x5_debt[24]);", "|| x5_debt[24] || x5_debt == '0);"}},
	{Name: "so does that of a next packet", File: walk, Set: small, Edits: []string{"|| b_debt[24]);", "|| b_debt[24] || b_debt == '0);"}},
	{Name: "a visit goes on with packets that it does not see", File: walk, Set: small, Edits: []string{"more_q  <= !b_left[CELL_W] &&", "more_q  <= (!b_left[CELL_W] || b_left == '1) &&"}},
	{Name: "a next packet takes the length that a pop reads", File: walk, Set: small, Edits: []string{"(may_q || discard_q) && !size_taken", "may_q || (discard_q && !size_taken)"}},
	{Name: "a next packet begins although it may not", File: walk, Set: small, Edits: []string{"((may_q || discard_q) && !size_taken)", "!size_taken"}},
	{Name: "a visit begins although it may not", File: walk, Set: small, Edits: []string{"(may_q || visit_discard || visit_none);", "(may_q || visit_discard || visit_none || finish);"}},
	{Name: "a cell of one beat is not given back", File: walk, Set: small, Edits: []string{"state_q == B || (at_a && !a_open && a_rest == 8'd0 && !more_q);", "state_q == B || (at_a && !a_open && a_rest == 8'd0 && more_q);"}},
	{Name: "links of the cell before", File: walk, Set: small, Edits: []string{"(state_q == D && !d_long) ? before_q : cell_q;", "(state_q == D && d_long) ? before_q : cell_q;"}},
	{Name: "cells of a visit's last packet stay", File: walk, Set: small, Edits: []string{"account_out     = (state_q == D) ? d_out : out_q;", "account_out     = out_q;"}},
	{Name: "a gap in a packet of three beats", File: walk, Set: small, Edits: []string{"d_long = rest_q > 8'd1;", "d_long = rest_q > 8'd2;"}},
	{Name: "a discarded packet leaves", File: walk, Set: small, Edits: []string{"rest_q != 8'd0))) && !discard_q;", "rest_q != 8'd0))) && !(discard_q && none_q);"}},
	{Name: "a packet of 59 bytes is not padded", File: done, Set: small, Edits: []string{"(k1_frame_q < 15'd60)", "(k1_frame_q < 15'd59)"}},
	{Name: "two tags are four bytes", File: done, Set: small, Edits: []string{"{3'd0, s_tags, 2'd0}", "{4'd0, s_tags, 1'b0}"}},
	{Name: "empty without the packets that entered during the visit", File: done, Set: small, Edits: []string{"m_empty   <= k2_in == k2_out_q;", "m_empty   <= k2_in == k2_out_q || k1_valid_q;"}},
	{Name: "a visit adds to the one before", File: done, Set: small, Edits: []string{"m_bytes   <= (begin_q ? '0 : m_bytes)", "m_bytes   <= ((begin_q && !m_discard) ? '0 : m_bytes)"}},
	{Name: "a byte too many is there", File: beats, Set: small, Edits: []string{"r1_word[517:512] >= 6'(i);", "r1_word[517:512] + 6'd1 >= 6'(i);"}},
	{Name: "bytes of the packet behind", File: beats, Set: small, Edits: []string{"r1_begin_q ? r1_known_q :", "(r1_begin_q && !r0_begin_q) ? r1_known_q :"}},
	{Name: "bytes of the packet before", File: beats, Set: small, Edits: []string{"r1_begin_q ? r1_known_q :", "(r1_begin_q || valid_q[0]) ? r1_known_q :"}},
	{Name: "a visit's first packet is its last", File: beats, Set: small, Edits: []string{"r0_known_q <= {read_bytes, read_tags, !read_more};", "r0_known_q <= {read_bytes, read_tags, 1'b1};"}},
	{Name: "a next packet of a visit is never its last", File: beats, Set: small, Edits: []string{"r1_known_q : {read_bytes, read_tags, !read_more};", "r1_known_q : {read_bytes, read_tags, 1'b0};"}},
	{Name: "a connection is told twice", File: flow, Set: small, Edits: []string{"stop        = !told_q && used_q", "stop        = used_q"}},
	{Name: "told to go on one cell early", File: flow, Set: small, Edits: []string{"used_q <= cfg_xon;", "used_q <= cfg_xon + 1'b1;"}},
	{Name: "a bell without room takes the place of another one", File: flow, Set: small, Edits: []string{"bell_push = in_bell ? in_row : out_row;", "bell_push = out_bell ? out_row : in_row;"}},
	{Name: "all are told to go on one free cell late", File: top, Set: small, Edits: []string{"sts_free_cells >= cfg_free_on", "sts_free_cells > cfg_free_on"}},
	{Name: "the last connection is not cleared", File: top, Set: small, Edits: []string{"clear_idx_q == CONN_W'(5 - 1)", "clear_idx_q == CONN_W'(5 - 2)"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "one connection less", Set: small, Params: func(p *params.Params) { p.Connections-- }},
	{Name: "twice the cells", Set: small, Params: func(p *params.Params) { p.KiB *= 2 }},
	{Name: "a longer packet", Set: small, Params: func(p *params.Params) { p.MaxFrame++ }},
	{Name: "a cycle later", Set: small, Params: func(p *params.Params) { p.RAMLatency++ }},
	{Name: "a quota of one more", Set: small, Inputs: benchtest.AddInput("cfg_quota", 1)},
	{Name: "a budget of one more", Set: small, Inputs: benchtest.AddInput("s_pop_budget", 1)},
	{Name: "a threshold of one more", Set: small, Inputs: benchtest.AddInput("cfg_xoff", 1)},
	{Name: "one more free cell", Set: small, Inputs: benchtest.AddInput("cfg_free_on", 1)},
	{Name: "no bad packets", Set: small, Inputs: benchtest.SetInput("s_axis_tuser", 0)},
	{Name: "no tags", Set: small, Inputs: benchtest.SetInput("s_axis_tags", 0)},
	{Name: "no shim", Set: small, Inputs: benchtest.SetInput("cfg_shim", 0)},
	{Name: "no discards", Set: small, Inputs: benchtest.SetInput("s_pop_discard", 0)},
	{Name: "always ready", Set: small, Inputs: benchtest.SetInput("m_axis_ready", 1)},
}
