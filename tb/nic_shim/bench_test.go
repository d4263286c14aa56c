// SPDX-License-Identifier: Apache-2.0

package nicshim_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicshim "github.com/nicgen/nicgen/tb/nic_shim"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicshim.Unit, Measure: nicshim.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 300_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "in/edge"},
	Overrides: overrides, OverrideCycles: 300_000,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "LAPS", Set: "formats=laps counter_bits=8 ether_type=1536", Cycles: 300_000},
	{Name: "INT", Set: "formats=int counter_bits=64 ether_type=65535", Cycles: 300_000},
	{Name: "both, an odd counter", Set: "counter_bits=21", Cycles: 300_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{{Name: "counter_bits", Set: "counter_bits=8"}}

const (
	top    = "nic_shim.sv"
	insert = "nic_shim_insert.sv"
	remove = "nic_shim_remove.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the shims\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [the shims](nic_shim.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with a beat that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "the rest of a last beat is lost", File: insert, Edits: []string{"rest_q      <= s_last && more;", "rest_q      <= s_last && more && 1'b0;"}},
	{Name: "a beat is taken while a rest waits", File: insert, Edits: []string{"assign s_ready = (m_ready || !m_valid) && !rest_q;", "assign s_ready = m_ready || !m_valid;"}},
	{Name: "a shim of INT is begun in each beat", File: insert, Edits: []string{"s_shim_subtype[3:1] == 3'd1 : is_int_q", "s_shim_subtype[3:1] == 3'd1 : s_shim_valid && s_shim_subtype[3:1] == 3'd1 && (is_int_q || 1'b1)"}},
	{Name: "a frame of 13 bytes gets a shim", File: insert, Edits: []string{"s_shim_valid && s_keep[13] && s_shim_subtype == 4'd1", "s_shim_valid && s_keep[12] && s_shim_subtype == 4'd1"}},
	{Name: "the EtherType's bytes change places", File: insert, Edits: []string{"ether_type[7:0], ether_type[15:8]}", "ether_type}"}},
	{Name: "a bad frame is bad in its last beat but one", File: insert, Edits: []string{"kept_user_q : s_user && s_last && !more;", "kept_user_q : s_user && s_last;"}},
	{Name: "LAPS begins with the bytes that INT keeps", File: insert, Edits: []string{"UP32:    data[0 +: 96] = kept_q[128 +: 96];", "UP32:    data[0 +: 96] = kept_q[0 +: 96];"}},
	{Name: "a shim of LAPS that ends with its frame is taken out", File: remove, Edits: []string{"s_keep[45]", "s_keep[44]"}},
	{Name: "INT of type 2 is understood", File: remove, Edits: []string{"s_data[117 +: 3] == 3'd0", "s_data[118 +: 2] == 2'd0"}},
	{Name: "the second beat of a probe goes on", File: remove, Edits: []string{"!p0_first_q ? p0_end_q", "!p0_first_q ? p0_end_q && 1'b0"}},
	{Name: "the rest of a last beat is lost, from the network", File: remove, Edits: []string{"(!p0_shim || p0_rest)", "(!p0_shim || (p0_rest && p0_first_q))"}},
	{Name: "the last beat but one is the last", File: remove, Edits: []string{"p1_last_q : p0_last_q && !p0_rest;", "p1_last_q : p0_last_q;"}},
	{Name: "the addresses of the second beat are kept", File: remove, Edits: []string{"if (p0_first_q) begin\n      p0_kept[0", "if (1'b1) begin\n      p0_kept[0"}},
	{Name: "a record comes a cycle early", File: remove, Edits: []string{"m_record_valid <= p1_record_q;", "m_record_valid <= p0_valid_q && p0_first_q && p0_shim;"}},
	{Name: "a reset leaves the unit inside of a frame", File: remove, Edits: []string{"      idle_q     <= 1'b1;\n", ""}},
	{Name: "probes are counted as taken out", File: top, Edits: []string{"m_shim_valid && !m_shim_end", "m_shim_valid"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "no INT", Params: func(p *params.Params) { p.Formats = params.LAPSOnly }},
	{Name: "no LAPS", Params: func(p *params.Params) { p.Formats = params.INTOnly }},
	{Name: "another type", Inputs: benchtest.AddInput("s_shim_type", 1)},
	{Name: "another EtherType", Inputs: benchtest.AddInput("cfg_ether_type", 1)},
	{Name: "no bad frames", Inputs: benchtest.SetInput("s_axis_rx_tuser", 0)},
	{Name: "always ready", Inputs: benchtest.SetInput("m_axis_tx_tready", 1)},
}
