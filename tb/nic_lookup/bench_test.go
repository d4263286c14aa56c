// SPDX-License-Identifier: Apache-2.0

package niclookup_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_lookup"
	"github.com/nicgen/nicgen/tb/benchtest"
	niclookup "github.com/nicgen/nicgen/tb/nic_lookup"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: niclookup.Unit, Measure: niclookup.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "a/conflict"},
	Overrides: overrides, OverrideCycles: 300_000,
	Illegal: []benchtest.Illegal{
		{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
		{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "11"}},
	},
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, both sides of the number of rows at which
// the memory changes, and each depth at which it is cut or joined in another way.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "key_bits=16 ways=2 rows=256 connections=1 conn_bits=1 hash_seed=0 counter_bits=8", Cycles: 300_000},
	{Name: "largest", Set: "key_bits=320 rows=16384 connections=65536 conn_bits=24 hash_seed=2147483647 counter_bits=64", Cycles: 500_000},
	{Name: "largest in block RAM", Set: "key_bits=56 rows=16384 table_memory=bram connections=65536", Cycles: 500_000},
	{Name: "smallest in ultra RAM", Set: "key_bits=56 rows=256 table_memory=uram ways=3", Cycles: 300_000},
	{Name: "2048 rows", Set: "rows=2048 key_bits=104 connections=5 conn_bits=3", Cycles: 300_000},
	{Name: "4096 rows", Set: "rows=4096 connections=16384", Cycles: 300_000},
	{Name: "4096 rows in block RAM", Set: "rows=4096 table_memory=bram key_bits=63 connections=16384", Cycles: 300_000},
	{Name: "8192 rows", Set: "rows=8192 key_bits=64 ways=3 hash_seed=12345 counter_bits=21", Cycles: 400_000},
	{Name: "8192 rows in block RAM", Set: "rows=8192 table_memory=bram key_bits=65 ways=2", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "conn_bits", Set: "conn_bits=12"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "rows=256 ways=3", Set: "connections=33 conn_bits=6 counter_bits=11"},
}

// small is the configuration in which planted bugs are looked for: few rows are cleared soon.
const small = "rows=256 key_bits=56 connections=100 conn_bits=8"

const (
	top    = "nic_lookup.sv"
	part   = "nic_lookup_search.sv"
	memory = "nic_lookup_memory.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the search of connections\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the search of connections](nic_lookup.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a\n" +
	"replay file that fails again in the same way. The last column counts the cycles with a search or an operation that are left."

// bugs are mistakes in the RTL. A stimulus with an operation offered throughout the sweep shrinks to a longer one.
var bugs = []benchtest.Bug{
	{Name: "the last bits of a key are not compared", File: part, Set: small, Edits: []string{"same[g] = entry_key[LO +: W] == key[LO +: W];", "same[g] = entry_key[LO +: W] == key[LO +: W] || g == PARTS - 1;"},
		Limit: 300},
	{Name: "deleted entries are found", File: part, Set: small, Edits: []string{"(entry_set && live_q", "((entry_set || 1'b1) && live_q"}},
	{Name: "the table is searched before it is clear", File: part, Set: small, Edits: []string{"{live_q[READ-1:0], ready}", "{live_q[READ-1:0], ready || s_valid}"}},
	{Name: "the highest way that has the key answers", File: part, Set: small, Edits: []string{
		"if (found_q[WAYS-1-i]) begin\n        way = 2'(WAYS - 1 - i)", "if (found_q[i]) begin\n        way = 2'(i)"}},
	{Name: "the copy of a move is a conflict", File: part, Set: small, Edits: []string{
		"conns_q[w*IDX_W +: IDX_W] != lowest", "conns_q[w*IDX_W +: IDX_W] >= lowest"}},
	{Name: "way 3 is rotated as way 2", File: part, Set: small, Edits: []string{"{p1_second[ROW_W-5-1:0], p1_second[ROW_W-1:ROW_W-5]}", "{p1_second[ROW_W-2-1:0], p1_second[ROW_W-1:ROW_W-2]}"}},
	{Name: "the second function is not mixed", File: part, Set: small, Edits: []string{"p0_second = p0_h2_q ^ products(p0_h1_q)", "p0_second = p0_h2_q ^ (products(p0_h1_q) & '0)"}},
	{Name: "an operation begins beside a search", File: top, Set: small, Edits: []string{"waits_q && !p1_b_valid;", "waits_q;"}},
	{Name: "a write goes to all ways", File: top, Set: small, Edits: []string{" && op_way_q == 2'(w)", ""}},
	{Name: "illegal operations are carried out", File: top, Set: small, Edits: []string{"(p1_op && op_legal && ", "(p1_op && "}},
	{Name: "a read back deletes", File: top, Set: small, Edits: []string{"op_legal && !op_read_q && op_way_q", "op_legal && op_way_q"}},
	{Name: "the last row is not cleared", File: top, Set: small, Edits: []string{"p2_clear_q <= !ready_q;", "p2_clear_q <= !ready_q && clear_row_q != '1;"}},
	{Name: "ready a row early", File: top, Set: small, Edits: []string{"if (clear_row_q == ROW_W'(ROWS - 1)) begin", "if (clear_row_q == ROW_W'(ROWS - 2)) begin"}},
	{Name: "a search sees a write of its own cycle", File: memory, Set: small, Edits: []string{
		"a_read_q <= mem[a_row];", "a_read_q <= (b_write && a_row == b_row) ? b_word[LO +: W] : mem[a_row];"}},
	{Name: "a read back of the next way", File: top, Set: small, Edits: []string{"if (32'(op_way_q) == i) begin", "if (32'(op_way_q) + 1 == i) begin"}},
	{Name: "the next operation is taken before the answer", File: top, Set: small, Edits: []string{"op_q[MEMORY+2:0] == '0", "op_q[MEMORY-1:0] == '0"}},
	{Name: "a reset leaves an operation", File: top, Set: small, Edits: []string{"      waits_q <= 1'b0;\n      op_q    <= '0;", "      waits_q <= waits_q;\n      op_q    <= '0;"}},
	{Name: "waiting is not counted", File: top, Set: small, Edits: []string{"COUNTER_BITS'(waits_q && p1_b_valid)", "COUNTER_BITS'(waits_q && p1_b_valid && rst)"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "other constants", Set: small, Params: func(p *params.Params) { p.HashSeed++ }},
	{Name: "fewer connections", Set: small, Params: func(p *params.Params) { p.Connections-- }},
	{Name: "a way less", Set: small, Params: func(p *params.Params) { p.Ways-- }},
	{Name: "sees no deletions", Set: small, Inputs: benchtest.SetInput("s_write_set", 1)},
	{Name: "the next row", Set: small, Inputs: benchtest.AddInput("s_write_row", 1)},
}
