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

// Files of the parts.
const (
	top    = "nic_laps_paths.sv"
	change = "nic_laps_paths_change.sv"
	sets   = "nic_laps_paths_sets.sv"
	bank   = "nic_laps_paths_bank.sv"
	banks  = "nic_laps_paths_banks.sv"
	probe  = "nic_laps_paths_probe.sv"
	hold   = "nic_laps_paths_hold.sv"
	picked = "nic_laps_paths_pick.sv"
)

// bugs are mistakes in the RTL. Most need a path that is written and listed, and some
// packets in a row: that is more than a handful of cycles with events.
var bugs = []benchtest.Bug{
	// ages and probes
	{Name: "age compared as >=", File: bank, Set: small, Limit: 40, Edits: []string{"= deadline - s_now;", "= deadline - s_now - TIME_W'(deadline == s_now);"}},
	{Name: "the search starts in the first bank", File: probe, Set: small, Edits: []string{
		"= open11_q & behind11;", "= due11 & (behind11 | ~behind11);"}},
	{Name: "the search starts in the bank probed last", File: probe, Set: small, Edits: []string{
		"({BANKS{1'b1}} << last10) << 1;", "{BANKS{1'b1}} << last10;"}},
	{Name: "the probe of the packet before is not the last one yet", File: probe, Set: small, Edits: []string{
		"= same11_q ? behind12_q : behind11_q;", "= (same11_q && 1'b0) ? behind12_q : behind11_q;"}},
	{Name: "nor is that of two packets before", File: probe, Set: small, Edits: []string{
		"(same10[1] && p12_packet_q) ?", "(same10[1] && p12_packet_q && 1'b0) ?"}},
	{Name: "nor that of three packets before", File: probe, Set: small, Limit: 40, Edits: []string{
		"m_p13_dst == p10_dst_q) ?", "m_p13_dst == p10_dst_q && 1'b0) ?"}},
	{Name: "nor that of four packets before", File: probe, Set: small, Limit: 40, Edits: []string{
		"m_p13_dst == p9_dst_q) ?", "m_p13_dst == p9_dst_q && 1'b0) ?"}},
	{Name: "all destinations share the path probed last", File: probe, Set: small, Edits: []string{
		".rd_addr (s_p8_dst),", ".rd_addr (s_p8_dst & '0),"}},
	{Name: "a probe four cycles earlier is not recorded", File: probe, Set: small, Edits: []string{
		"= mine != '0 && !(kill10[b] && own10);", "= mine[1:0] != '0 && !(mine[2] && rst) && !(kill10[b] && own10);"}},
	{Name: "doubling of realVal wraps", File: banks, Set: small, Edits: []string{
		": s_p13_real[LAT_W-1] ? '1", ": (s_p13_real[LAT_W-1] && s_p13_d == '0) ? '1"}},
	{Name: "deadline from realVal before doubling", File: banks, Set: small, Edits: []string{
		"written + TIME_W'({real_val, 1'b0});", "written + (s_p13_probe ? TIME_W'(real_val) : TIME_W'({real_val, 1'b0}));"}},

	// order
	{Name: "a probe and a change at once", File: probe, Set: small, Edits: []string{
		"= p11_packet_q && !s_u6_write;", "= p11_packet_q && !s_u8_write;"}},
	{Name: "an ACK four cycles after a probe is overwritten", File: probe, Set: small, Edits: []string{
		"!undo10 && !undo9;", "!undo10 && !(undo9 && u9_commit_q);"}},
	{Name: "a commit leaves probes alone", File: probe, Set: small, Edits: []string{
		"dsts_q[k*DST_W +: DST_W] && (u10_write_q || u10_commit_q);", "dsts_q[k*DST_W +: DST_W] && u10_write_q;"}},
	{Name: "an ACK of another path undoes a probe", File: probe, Set: own, Edits: []string{
		"u10_commit_q || u10_bank_q == BANK_W'(b);", "u10_commit_q || u10_bank_q[1] == 1'(b / 2);"}},

	// probes that wait
	{Name: "a waiting probe is never sent", File: hold, Set: small, Edits: []string{".wr_data (s_p12_wait),", ".wr_data (s_p12_wait && 1'b0),"}},
	{Name: "the write bus is reserved a cycle early", File: hold, Set: small, Edits: []string{
		"m_hold <= held_q[1];", "m_hold <= held_q[0];"}},
	{Name: "the write bus stays reserved", File: hold, Set: small, Edits: []string{
		"s_clear || s_p12_packet),", "s_clear || (s_p12_packet && s_p12_wait)),"}},
	{Name: "the write bus is reserved again within 8 cycles", File: hold, Set: own, Limit: 40, Edits: []string{"mark1 && held_q == '0;", "mark1 && (held_q == '0 || !rst);"}},
	{Name: "a packet to an illegal destination clears the mark", File: top, Set: small, Edits: []string{
		"(p_packet_q[12] && p12_legal),", "(p_packet_q[12] && (p12_legal || !rst_q)),"}},

	// measurements
	{Name: "a long delay wraps", File: change, Set: small, Edits: []string{"u0_delay_q[30:LAT_W] != '0", "(u0_delay_q[30:LAT_W] >> 1) != '0"},
		Limit: 32}, // offers that wait for the end of the sweep count
	{Name: "a probe's answer goes to rate control", File: change, Set: small, Edits: []string{
		"u3_asks_q     <= u2_measured && !u2_probe_q;", "u3_asks_q     <= u2_measured;"}},
	{Name: "rate control's copy misses dead paths", File: bank, Set: own, Edits: []string{
		") real_copy (\n    .clk     (clk),\n    .wr_en   (s_write),", ") real_copy (\n    .clk     (clk),\n    .wr_en   (s_write && s_write_real != '1),"}},
	{Name: "a stray ACK is carried out", File: change, Set: small, Limit: 40, Edits: []string{
		"<= u2_measured || u2_path_q;", "<= u2_ack_q || u2_path_q;"}},

	// T
	{Name: "T is that of the last path", File: change, Set: small, Edits: []string{"u2_base > staged_base_q) begin", "u2_base != staged_base_q) begin"}},

	// the chosen path's latency
	{Name: "a latency written in the cycle of its read comes late", File: "nic_lib_fwd_block.sv", Set: tell, Edits: []string{
		"hit_q     ? new_data_q", "(hit_q && 1'b0)     ? new_data_q"}},
	{Name: "m_path_latency misses a probe", File: banks, Set: tell, Edits: []string{
		"assign m_write      = write;", "assign m_write      = s_u8_write;"}},

	// parity
	{Name: "the parity of a set leaves out that a path is used", File: sets, Set: even, Edits: []string{
		"staged_q[b*SLOT_W +: SLOT_W] <= slot;", "staged_q[b*SLOT_W +: SLOT_W] <= slot ^ {1'b1, {(SLOT_W-1){1'b0}}};"}},
	{Name: "the parity of an owner leaves out a removal", File: change, Set: even, Edits: []string{
		".wr_data (u0_word),", ".wr_data (u0_word ^ {u0_remove, {OWNER_W{1'b0}}}),"}},
	{Name: "the parity of anchors is not cleared after reset", File: picked, Set: even + " rows=64 pid_bits=9", Edits: []string{".wr_en   (s_clear || s_u0_path),", ".wr_en   (s_u0_path),"}},
	{Name: "a route request takes m_path_none from a pick", File: picked, Set: even, Edits: []string{"k1_none_q && !k1_route_q;", "k1_none_q;"}},

	// tables, picks, counters
	{Name: "an unwritten path can be listed", File: change, Set: small, Limit: 40, Edits: []string{"u2_listed   = u2_list_q && u2_owned;", "u2_listed   = u2_list_q;"}},
	{Name: "sets are not emptied after reset", File: sets, Set: small, Limit: 40, Edits: []string{"= s_clear || s_u7_commit;", "= s_u7_commit;"}},
	{Name: "a pick finds the rows of the next packet", File: picked, Set: small, Edits: []string{".wr_addr (id10_q),", ".wr_addr (id10_q + 5'd1),"}},
	{Name: "reset leaves a packet in the pipeline", File: top, Set: small, Edits: []string{"      p_packet_q <= '0;\n", ""}},
	{Name: "a path that is written in the cycle of a reset is kept", File: change, Set: small, Limit: 40, Edits: []string{
		"u0_cfg && !rst && u0_op_q == OP_PATH", "u0_cfg && u0_op_q == OP_PATH"}},
	{Name: "a commit in the cycle of a reset goes on", File: change, Set: small, Limit: 40, Edits: []string{
		"(\n    .clk, .rst, .s_flag(u0_commit)", "(\n    .clk, .rst(1'b0), .s_flag(u0_commit)"}},
	{Name: "a packet and a pick that come too early count as one", File: top, Set: small, Edits: []string{
		"2'(s_packet_valid) + 2'(s_pick_valid);", "2'(s_packet_valid || s_pick_valid);"}},
}

// planted is the introduction of the table of planted bugs.
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
