// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
	rate "github.com/nicgen/nicgen/tb/laps_rate"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: rate.Unit, Measure: rate.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 1100, Misses: "gate/exact_decrease"},
	Overrides: overrides, OverrideCycles: 175_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: an ACK with random latencies, over
// all flows.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, both sides of the number
// of flows at which the memory changes, and both profiles of intervals.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 175_000},
	{Name: "smallest", Set: "flows=1 flow_bits=1 paths=2 lat_bits=8 time_bits=16 rate_bits=8 counter_bits=8 state_memory=lutram ram_latency=1 " +
		"max_rate=1 min_rate=1 stages=0", Cycles: 175_000},
	{Name: "largest", Set: "flows=65536 flow_bits=24 paths=32 lat_bits=24 time_bits=48 rate_bits=40 counter_bits=64 state_memory=bram " +
		"max_rate=1099511627775 min_rate=1099511627775 least_increase=1099511627775 stages=15 decrease_interval=max increase_interval=base", Cycles: 300_000},
	{Name: "intervals of the authors' simulator", Set: "flows=9 flow_bits=4 paths=8 decrease_interval=max increase_interval=base stages=6", Cycles: 175_000},
	{Name: "least step of the authors' simulator", Set: "flows=9 flow_bits=4 paths=2 least_increase=256000 stages=6", Cycles: 175_000},
	{Name: "least step 1", Set: "flows=3 flow_bits=2 operands=extremes rate_bits=8 max_rate=255 min_rate=1 least_increase=1", Cycles: 175_000},
	{Name: "longest step", Set: "flows=3 flow_bits=2 operands=extremes rate_bits=40 max_rate=1099511627775 min_rate=1 least_increase=549755813889", Cycles: 175_000},
	{Name: "longest decrease interval", Set: "flows=64 flow_bits=6 paths=3 decrease_interval=max lat_bits=9 time_bits=17", Cycles: 175_000},
	{Name: "T ready-made", Set: "flows=65 flow_bits=7 paths=7 operands=latencies decrease_interval=max increase_interval=base ram_latency=1 counter_bits=21", Cycles: 175_000},
	{Name: "extremes ready-made", Set: "flows=3 flow_bits=2 operands=extremes lat_bits=13 time_bits=23 rate_bits=39 max_rate=549755813887 min_rate=1", Cycles: 175_000},
	{Name: "extremes ready-made, other intervals", Set: "flows=257 flow_bits=9 operands=extremes decrease_interval=max increase_interval=base " +
		"state_memory=lutram rate_bits=9", Cycles: 175_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "flows", Emitted: "operands=extremes", Set: "flows=5"},
	{Name: "flows upwards, in LUTRAM", Emitted: "paths=2 flows=2 flow_bits=10", Set: "flows=700"},
	{Name: "flow_bits", Emitted: "operands=extremes", Set: "flow_bits=10"},
	{Name: "ram_latency", Emitted: "operands=extremes flows=100 ram_latency=1", Set: "ram_latency=2"},
	{Name: "counter_bits", Emitted: "operands=extremes flows=100", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_flow_bits", Params: map[string]string{"FLOW_BITS": "0"}, Verilator: benchtest.NoWidth},
	{Check: "g_check_flow_fits", Params: map[string]string{"FLOW_BITS": "9"}},
	{Check: "g_check_flow_fits", Params: map[string]string{"FLOWS": "65536", "FLOW_BITS": "15"}},
}
