// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few rows, so that emptying
// the tables after a reset takes few cycles.
const (
	small = "destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 counter_bits=16"
	own   = small + " ack_lookup=own"
	tell  = small + " path_latency=true"
	even  = small + " state_protection=parity"
)

const top = "nic_laps_paths.sv"

// bugs are mistakes in the RTL. Most need a path that is written and listed, and some
// packets in a row: that is more than a handful of cycles with events.
var bugs = []benchtest.Bug{
	// ages and probes
	{Name: "age compared as >=", File: top, Set: small, Limit: 40, Edits: []string{"left >= HALF;", "(left >= HALF || left == '0);"}},
	{Name: "the highest expired path is probed", File: top, Set: small, Edits: []string{
		"due10 & (~due10 + 1'b1)", "(due10[3] ? 4'd8 : due10 & (~due10 + 1'b1))"}},
	{Name: "a probe four cycles earlier is not recorded", File: top, Set: small, Edits: []string{
		"assign held10[b] = |mine;", "assign held10[b] = |mine[RECORDS-2:0] | (mine[3] & 1'b0);"}},
	{Name: "doubling of realVal wraps", File: top, Set: small, Edits: []string{
		": p12_real_q[LAT_W-1] ? '1", ": (p12_real_q[LAT_W-1] && p12_d_q == '0) ? '1"}},
	{Name: "deadline from realVal before doubling", File: top, Set: small, Edits: []string{
		"wr_now + TIME_W'({wr_real, 1'b0});", "wr_now + (p12_probe ? TIME_W'(wr_real) : TIME_W'({wr_real, 1'b0}));"}},

	// order
	{Name: "a probe and a change at once", File: top, Set: small, Edits: []string{
		"(p_packet_q[10] && !u_write_q[5]) ?", "(p_packet_q[10] && !u_write_q[4]) ?"}},
	{Name: "an ACK four cycles after a probe is overwritten", File: top, Set: small, Edits: []string{
		"!undo12 && !undo12_9 && !undo12_8;", "!undo12 && !undo12_9 && !(undo12_8 && u_commit_q[8]);"}},
	{Name: "a commit leaves probes alone", File: top, Set: small, Edits: []string{
		"(u_write_q[9] || u_commit_q[9]);", "u_write_q[9];"}},
	{Name: "an ACK of another path undoes a probe", File: top, Set: own, Edits: []string{
		"u_commit_q[9] || u9_bank_q == BANK_W'(b);", "u_commit_q[9] || u9_bank_q[1] == 1'(b / 2);"}},

	// probes that wait
	{Name: "a waiting probe is never sent", File: top, Set: small, Edits: []string{".wr_data (wait11_q),", ".wr_data (wait11_q && 1'b0),"}},
	{Name: "the write bus is reserved a cycle early", File: top, Set: small, Edits: []string{
		"sts_hold <= held_q[1];", "sts_hold <= held_q[0];"}},
	{Name: "the write bus stays reserved", File: top, Set: small, Edits: []string{
		"(p_packet_q[11] && p11_legal)),", "(p_packet_q[11] && p11_legal && wait11_q)),"}},
	{Name: "the write bus is reserved again within 8 cycles", File: top, Set: own, Edits: []string{"mark1 && held_q == '0;", "mark1 && (held_q == '0 || sts_ready);"}},
	{Name: "a packet to an illegal destination clears the mark", File: top, Set: small, Edits: []string{
		"(p_packet_q[11] && p11_legal)),", "(p_packet_q[11] && (p11_legal || sts_ready))),"}},

	// measurements
	{Name: "a long delay wraps", File: top, Set: small, Edits: []string{"u0_delay_q[30:LAT_W] != '0", "(u0_delay_q[30:LAT_W] >> 1) != '0"},
		Limit: 32}, // offers that wait for the end of the sweep count
	{Name: "a probe's answer goes to rate control", File: top, Set: small, Edits: []string{
		"u1_ack_q && u1_owned && !u1_probe_q};", "u1_ack_q && u1_owned};"}},
	{Name: "rate control's copy misses probes", File: top, Set: own, Edits: []string{
		") real_copy (\n      .clk     (clk),\n      .wr_en   (write),", ") real_copy (\n      .clk     (clk),\n      .wr_en   (write && !p12_probe),"}},
	{Name: "a stray ACK is carried out", File: top, Set: small, Edits: []string{
		"(u1_ack_q && u1_owned) || u1_path_q};", "u1_ack_q || u1_path_q};"}},

	// T
	{Name: "T is that of the last path", File: top, Set: small, Edits: []string{"u1_own_base > staged_base_q) begin", "u1_own_base != staged_base_q) begin"}},

	// the chosen path's latency
	{Name: "a latency written in the cycle of its read comes late", File: "nic_lib_fwd_block.sv", Set: tell, Edits: []string{
		"hit_q     ? new_data_q", "(hit_q && 1'b0) ? new_data_q"}},
	{Name: "m_path_latency misses a probe", File: top, Set: tell, Edits: []string{
		") latency (\n    .clk     (clk),\n    .rst     (rst),\n    .wr_en   (wr_en),", ") latency (\n    .clk     (clk),\n    .rst     (rst),\n    .wr_en   (wr_en && !p12_probe),"}},

	// parity
	{Name: "the parity of a set leaves out that a path is used", File: top, Set: even, Edits: []string{"{~^u5_pid[ROW_W-1:0], 1'b1,", "{^u5_pid[ROW_W-1:0], 1'b1,"}},
	{Name: "the parity of an owner leaves out a removal", File: top, Set: even, Edits: []string{"^{u0_base_q, own_data}, u0_base_q", "^{u0_base_q, 1'b1, u0_dst_q}, u0_base_q"}},
	{Name: "the parity of anchors is not cleared after reset", File: top, Set: even + " rows=64 pid_bits=9", Edits: []string{".wr_en   (clearing || u0_path),", ".wr_en   (u0_path),"}},

	// tables, picks, counters
	{Name: "an unwritten path can be listed", File: top, Set: small, Limit: 40, Edits: []string{"u1_list_q && u1_owned};", "u1_list_q};"}},
	{Name: "sets are not emptied after reset", File: top, Set: small, Limit: 40, Edits: []string{".wr_en   (!ready_q || u_commit_q[6]),", ".wr_en   (u_commit_q[6]),"}},
	{Name: "a pick finds the rows of the next packet", File: top, Set: small, Edits: []string{".wr_addr (id9_q),", ".wr_addr (id9_q + 5'd1),"}},
	{Name: "reset leaves a packet in the pipeline", File: top, Set: small, Edits: []string{"      p_packet_q <= '0;\n", ""}},
}

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the path tables\n\n" +
	"Each row is a mistake planted in the emitted SystemVerilog of a small configuration of\n" +
	"[the path tables](laps_paths.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a\n" +
	"replay file that fails in the same way. The last column counts the cycles with an event or a request in the\n" +
	"shrunk stimulus; to have one path listed takes four."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer destinations", Set: small, Params: func(p *params.Params) { p.Destinations = 2 }},
	{Name: "narrower time", Set: small, Params: func(p *params.Params) { p.TimeBits-- }},
	{Name: "narrower latency", Set: small, Params: func(p *params.Params) { p.LatBits-- }},
	{Name: "own lookup", Set: small, Params: func(p *params.Params) { p.AckLookup = params.Own }},
	{Name: "longer delay", Set: small, Inputs: benchtest.AddInput("s_ack_delay_ns", 1)},
	{Name: "larger factor", Set: small, Inputs: benchtest.AddInput("cfg_beta", 64)},
	{Name: "higher baseline", Set: small, Inputs: benchtest.AddInput("s_cfg_base", 1)},
	{Name: "sees no answers", Set: small, Inputs: benchtest.SetInput("s_ack_probe", 0)},
	{Name: "sees no packets", Set: small, Inputs: benchtest.SetInput("s_packet_valid", 0)},
}
