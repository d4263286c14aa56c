// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few entries are cleared soon.
const (
	small   = "connections=3 conn_bits=2 evs_bits=4 timer_bits=10"
	quick   = "connections=3 conn_bits=2 evs_bits=4 timer_bits=8"
	inBRAM  = small + " state_memory=bram"
	sharing = "connections=8 conn_bits=4 flowlets=2 timer_bits=10"
	ports   = "connections=3 conn_bits=2 nic_ports=3 timer_bits=10"

	top    = "nic_spray.sv"
	table  = "nic_spray_table.sv"
	aging  = "nic_spray_aging.sv"
	events = "nic_spray_events.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the baselines\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of [spray](spray.md). Co-simulation\n" +
	"with seed 1 detects it, shrinks the stimulus, and writes a replay file that reproduces the failure. The last column is\n" +
	"the number of cycles with an event or a request in the shrunk stimulus."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a gap that is the timeout ends a flowlet", File: table, Set: small, Edits: []string{"assign left    = due - p4_now;", "assign left    = due - p4_now - 1'b1;"}},
	{Name: "a flowlet lasts 1 ns more", File: table, Set: small, Edits: []string{"assign left    = due - p4_now;", "assign left    = due - p4_now + 1'b1;"}},
	{Name: "no aging: the times alone decide", File: table, Set: small, Edits: []string{"p4_new  = !alive ||", "p4_new  = (!alive && 1'b0) ||"}},
	{Name: "the quarter before is not seen", File: aging, Set: small, Edits: []string{"(seen & (cur_q | last_q))", "(seen & cur_q)"}},
	{Name: "three quarters are seen", File: aging, Set: small, Edits: []string{"(seen & (cur_q | last_q))", "seen"}, Limit: 40},
	{Name: "a bank is not cleared", File: aging, Set: small, Edits: []string{": clearing_q);", ": clearing_q && 1'b0);"}},
	{Name: "the last entry of a bank is not cleared", File: aging, Set: small, Edits: []string{"ADDR_W'(ENTRIES - 1)) begin\n        clearing_q", "ADDR_W'(ENTRIES - 2)) begin\n        clearing_q"}},
	{Name: "one entry of one bank is not cleared", File: aging, Set: small, Edits: []string{"wr_addr : clear_addr_q;", "wr_addr : (i == 0) ? (clear_addr_q | ADDR_W'(1)) : clear_addr_q;"}, Limit: 40},
	{Name: "a quarter too early counts", File: aging, Set: small, Edits: []string{"assign rotate = turn && !clearing_q;", "assign rotate = turn;"}},
	{Name: "a flush leaves the bank of the quarter before", File: aging, Set: small, Edits: []string{"forget || (touch", "(forget && cur_q[i]) || (touch"}},
	{Name: "a packet counts for the quarter before", File: aging, Set: small, Edits: []string{"(touch && cur_q[i])", "(touch && last_q[i])"}},
	{Name: "a quarter of 3 after 0 counts", File: table, Set: small, Edits: []string{"p3_quarter == p4_quarter + 2'd1", "p3_quarter != p4_quarter"}},
	{Name: "the timeout of this packet, not of the one before", File: table, Set: small, Edits: []string{"assign left    = due - p4_now;", "assign left    = due - due + p4_due_new - p4_now + 1'b1;"}},
	{Name: "a timeout that is too large counts by its low bits", File: top, Set: small, Edits: []string{"if (p0_timeout_q[TIMER_BITS-1 -: 2] != 2'd0) begin", "if (p0_timeout_q[TIMER_BITS-1 -: 2] != 2'd0 && 1'b0) begin"}},
	{Name: "the largest timeout is 1 ns less", File: top, Set: small, Edits: []string{"p1_timeout_q <= '1;", "p1_timeout_q <= ~(TIMER_BITS-2)'(1);"}},
	{Name: "an EV that is no longer in use stays", File: table, Set: small, Edits: []string{"left[TIMER_BITS-1] || p4_over;", "left[TIMER_BITS-1];"}},
	{Name: "the turn goes one EV too far", File: table, Set: small, Edits: []string{"{1'b0, p4_ev} >= p4_evs", "{1'b0, p4_ev} > p4_evs"}},
	{Name: "EV 0 comes twice", File: table, Set: small, Edits: []string{"p4_over ? EVS_BITS'(1) : p4_ev + 1'b1", "p4_over ? EVS_BITS'(0) : p4_ev + 1'b1"}},
	{Name: "a packet in the next cycle sees the old EV", File: "nic_lib_fwd_block.sv", Set: inBRAM, Edits: []string{"hit_q      <= wr_addr == last_addr;", "hit_q      <= wr_addr == last_addr && 1'b0;"}},
	{Name: "OPS uses the table", File: top, Set: small, Edits: []string{"p4_mode_q != MODE_OPS && p4_mode_q != MODE_ECMP", "p4_mode_q != MODE_ECMP"}},
	{Name: "the hash has no seed", File: top, Set: small, Edits: []string{"HASH_W'(s_send_conn) ^ HASH_W'(cfg_hash_seed);", "HASH_W'(s_send_conn);", "HASH_W'(p0_hash_seed_q);", "HASH_W'(p0_hash_seed_q & '0);"}},
	{Name: "the seed does not come into the hash again", File: top, Set: small, Edits: []string{"HASH_W'(p0_hash_seed_q);", "HASH_W'(p0_hash_seed_q & '0);"}},
	{Name: "a flush under ECMP takes the hash", File: top, Set: small, Edits: []string{"(p1_legal_q && p1_mode_q == MODE_ECMP)", "(p1_mode_q == MODE_ECMP)"}},
	{Name: "an illegal SEND draws a word", File: top, Set: small, Edits: []string{"p1_flush_q || p1_legal_q;", "p1_flush_q || p1_send_q;"}},
	{Name: "a flush draws no word", File: top, Set: small, Edits: []string{"p1_sweep || p1_flush_q || p1_legal_q;", "p1_sweep || p1_legal_q;"}},
	{Name: "an injected word of a SEND before the unit is ready is taken", File: top, Set: small, Edits: []string{"p0_inject_q && p0_ready_q;", "p0_inject_q;"}},
	{Name: "a NIC port has the mode of the next one", File: top, Set: ports, Edits: []string{"if (32'(s_send_port) == i) begin", "if (32'(s_send_port) + 32'd1 == i) begin"}},
	{Name: "ports share an entry", File: top, Set: ports, Edits: []string{"{p1_conn_q, p1_port_q};", "{p1_conn_q, p1_port_q & PORT_W'(0)};"}},
	{Name: "NIC ports are not checked", File: top, Set: ports, Edits: []string{"assign p0_legal  = 32'(p0_conn_q) < CONNECTIONS && 32'(p0_port_q) < NIC_PORTS;", "assign p0_legal  = 32'(p0_conn_q) < CONNECTIONS;"}},
	{Name: "the fold leaves the high bits out", File: top, Set: sharing, Edits: []string{"p1_entry = p1_entry ^ parts[i*ENTRY_W +: ENTRY_W];", "p1_entry = p1_entry ^ (i < 2 ? parts[i*ENTRY_W +: ENTRY_W] : '0);"}},
	{Name: "the seed word's bit 0 is not set", File: top, Set: small, Edits: []string{"s_seed_word | WORD_W'(1);", "s_seed_word;"}},
	{Name: "a marked ACK counts as unmarked too", File: events, Set: small, Edits: []string{"p0_ack_legal && !p0_ecn_q;", "p0_ack_legal;"}},
	{Name: "three illegal events count as two", File: events, Set: small, Edits: []string{"!p0_fail_legal) + 2'(p0_bad);", "!p0_fail_legal || p0_bad);"}},
	{Name: "ready one entry early", File: top, Set: small, Edits: []string{"ENTRY_W'(ENTRIES - 1)) begin\n      ready_q", "ENTRY_W'(ENTRIES - 2)) begin\n      ready_q"}},
	{Name: "the sweep leaves the bank of the quarter to come", File: aging, Set: quick, Edits: []string{"assign wr_en = wipe || (used", "assign wr_en = (used"}},
	{Name: "a reset leaves a SEND in the pipeline", File: top, Set: small, Edits: []string{"      p2_send_q  <= 1'b0;\n", ""}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer connections", Set: small, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "another seed", Set: small, Params: func(p *params.Params) { p.RandomSeed++ }},
	{Name: "timeout 1 ns more", Set: small, Inputs: benchtest.AddInput("cfg_flowlet_timeout_ns", 1)},
	{Name: "one EV more", Set: small, Inputs: benchtest.AddInput("cfg_evs", 1)},
	{Name: "another hash", Set: small, Inputs: benchtest.SetInput("cfg_hash_seed", 0)},
	{Name: "sees no marks", Set: small, Inputs: benchtest.SetInput("s_ack_ecn", 0)},
	{Name: "sees no flush", Set: small, Inputs: benchtest.SetInput("s_flush_valid", 0)},
}
