// SPDX-License-Identifier: Apache-2.0

package markrun_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/benchtest"
	markrun "github.com/nicgen/nicgen/tb/mark_run"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: markrun.Unit, Measure: markrun.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "run/full"},
	Overrides: overrides, OverrideCycles: 300_000,
	Illegal: []benchtest.Illegal{{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}}},
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and both sides of the number of
// connections at which the memory changes.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 run_bits=1 state_memory=lutram counter_bits=8 threshold=0", Cycles: 300_000},
	{Name: "largest", Set: "connections=65536 conn_bits=24 run_bits=16 state_memory=bram counter_bits=64 threshold=65535", Cycles: 500_000},
	{Name: "one connection in block RAM", Set: "connections=1 state_memory=bram", Cycles: 300_000},
	{Name: "512 connections", Set: "connections=512 conn_bits=9", Cycles: 300_000},
	{Name: "513 connections", Set: "connections=513 conn_bits=10 run_bits=9 counter_bits=21", Cycles: 300_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "run_bits", Emitted: "threshold=1", Set: "run_bits=1"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "state_memory=bram threshold=3", Set: "connections=33 conn_bits=6 run_bits=2 counter_bits=11"},
}

// Configurations in which planted bugs are looked for: few connections are cleared soon.
const (
	inLUTRAM = "connections=3 conn_bits=3 run_bits=3 threshold=2"
	inBRAM   = inLUTRAM + " state_memory=bram"
)

const top = "nic_mark_run.sv"

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the ECN run counter\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the ECN run counter](mark_run.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a\n" +
	"replay file that fails again in the same way. The last column counts the cycles with an ACK that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "the run wraps", File: top, Set: inLUTRAM, Edits: []string{"(p1_run == '1)", "(p1_run == '1 && 1'b0)"}, Limit: 16},
	{Name: "an unmarked ACK leaves the run", File: top, Set: inLUTRAM, Edits: []string{"!p1_ecn_q) ? '0", "!p1_ecn_q) ? p1_run"}},
	{Name: "hot above the threshold only", File: top, Set: inLUTRAM, Edits: []string{"p2_run_q >= p2_threshold_q", "p2_run_q > p2_threshold_q"}},
	{Name: "threshold of one cycle later", File: top, Set: inLUTRAM, Edits: []string{
		"p2_run_q >= p2_threshold_q", "p2_run_q >= (p2_threshold_q & '0 | p1_threshold_q)"}},
	{Name: "an ACK in the next cycle sees the old run", File: "nic_lib_fwd_block.sv", Set: inBRAM, Edits: []string{
		"hit_q <= wr_addr == last_addr;", "hit_q <= wr_addr == last_addr && 1'b0;"}},
	{Name: "ACKs of illegal connections are written", File: top, Set: inLUTRAM, Edits: []string{"(p1_ack_q && p1_legal_q)", "p1_ack_q"}},
	{Name: "ACKs of illegal connections are answered", File: top, Set: inLUTRAM, Edits: []string{
		"p2_ack_q <= p1_ack_q && p1_legal_q;", "p2_ack_q <= p1_ack_q;"}},
	{Name: "runs are not cleared after reset", File: top, Set: inLUTRAM, Edits: []string{"p1_write = !ready_q || ", "p1_write = "}},
	{Name: "ready one connection early", File: top, Set: inBRAM, Edits: []string{"IDX_W'(CONNECTIONS - 1)", "IDX_W'(CONNECTIONS - 2)"}},
	{Name: "a reset leaves an ACK in the pipeline", File: top, Set: inLUTRAM, Edits: []string{
		"    if (rst) begin\n      p1_ack_q <= 1'b0;\n    end\n", ""}},
	{Name: "unmarked ACKs count as marked", File: top, Set: inLUTRAM, Edits: []string{"m_ack_valid && m_ack_run != '0", "m_ack_valid"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer connections", Set: inLUTRAM, Params: func(p *params.Params) { p.Connections = 2 }},
	{Name: "shorter runs", Set: inLUTRAM, Params: func(p *params.Params) { p.RunBits-- }},
	{Name: "sees no marks", Set: inLUTRAM, Inputs: benchtest.SetInput("s_ack_ecn", 0)},
	{Name: "threshold one higher", Set: inLUTRAM, Inputs: benchtest.AddInput("cfg_threshold", 1)},
}
