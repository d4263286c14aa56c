// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/benchtest"
	paths "github.com/nicgen/nicgen/tb/laps_paths"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: paths.Unit, Measure: paths.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 8300, Misses: "probe/dead"},
	Overrides: overrides, OverrideCycles: 200_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all destinations and paths, while the sets are empty.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 130_000},
	{Name: "smallest", Set: "destinations=2 dst_bits=1 banks=2 rows=2 pid_bits=2 anchors=1 lat_bits=8 time_bits=16 tag_bits=1 " +
		"ack_lookup=shared path_memory=bram counter_bits=8 beta_factor=0", Cycles: 130_000},
	{Name: "own lookup", Set: "destinations=5 dst_bits=4 banks=8 rows=16 pid_bits=9 ack_lookup=own path_memory=uram path_latency=true baselines=paths anchors=3 time_bits=29 counter_bits=21", Cycles: 130_000},
	{Name: "largest", Set: "destinations=4096 dst_bits=24 banks=32 rows=2048 pid_bits=24 anchors=8 lat_bits=24 time_bits=48 tag_bits=64 " +
		"ack_lookup=own path_latency=true counter_bits=64 beta_factor=65535", Cycles: 800_000},
	{Name: "narrow time", Set: "destinations=9 dst_bits=5 banks=4 rows=8 pid_bits=6 lat_bits=14 time_bits=16 anchors=2 path_latency=true baselines=paths state_protection=parity", Cycles: 130_000},
	{Name: "own lookup, no illegal number", Set: "destinations=16 dst_bits=4 banks=16 rows=32 pid_bits=9 ack_lookup=own tag_bits=5", Cycles: 130_000},
	{Name: "parity", Set: "destinations=16 dst_bits=5 banks=8 rows=16 pid_bits=8 path_memory=uram state_protection=parity", Cycles: 130_000},
	{Name: "parity, own lookup", Set: "destinations=16 dst_bits=4 banks=8 rows=32 pid_bits=9 ack_lookup=own baselines=paths state_protection=parity", Cycles: 130_000},
	{Name: "parity, own lookup, longest", Set: "destinations=2 dst_bits=2 banks=2 rows=4 pid_bits=4 ack_lookup=own state_protection=parity", Cycles: 130_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "destinations", Emitted: small, Set: "destinations=7"},
	{Name: "dst_bits", Emitted: small, Set: "dst_bits=17"},
	{Name: "pid_bits", Emitted: small, Set: "pid_bits=11"},
	{Name: "tag_bits", Emitted: small, Set: "tag_bits=64"},
	{Name: "counter_bits", Emitted: own, Set: "counter_bits=33"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them, and one that stops Yosys before.
var illegal = []benchtest.Illegal{
	{Check: "g_check_dst_bits", Params: map[string]string{"DST_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_dst_fits", Params: map[string]string{"DST_BITS": "9"}},
	{Check: "g_check_pid_fits", Params: map[string]string{"PID_BITS": "12"}},
}
