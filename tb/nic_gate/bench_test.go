// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicgate "github.com/nicgen/nicgen/tb/nic_gate"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicgate.Unit, Measure: nicgate.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 400_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "flush/idle"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs, Limit: 200,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration in which much happens.
const few = "connections=8 ring=16 ring_latency=3 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 600_000},
	{Name: "few", Set: few + "conn_bits=4", Cycles: 600_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=20"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "tag_bits", Set: "tag_bits=70"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
}

const (
	top      = "nic_gate.sv"
	entering = "nic_gate_enter.sv"
)

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in the window gate\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [nic_gate](nic_gate.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{}
