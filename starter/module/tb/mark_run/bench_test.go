// SPDX-License-Identifier: Apache-2.0

package markrun_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: markrun.Unit, Measure: markrun.Entry.Measure,
	Short: benchtest.Short{Cycles: 300, Misses: "run/full"},
	Rules: []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "run_bits=6 threshold=63"},
		{Set: "run_bits=6 threshold=64", Key: "threshold", Found: "64", Allowed: "below 2^6 with run_bits 6"},
	},
	Illegal: []benchtest.Illegal{{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}}},
	Bugs:    bugs,
	Models:  models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// Configurations in which planted bugs are looked for: few connections are cleared soon.
const (
	inLUTRAM = "connections=3 conn_bits=3 run_bits=3 threshold=2"
	inBRAM   = inLUTRAM + " state_memory=bram"
)

const top = "nic_mark_run.sv"

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
