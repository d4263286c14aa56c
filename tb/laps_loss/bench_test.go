// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/benchtest"
	lapsloss "github.com/nicgen/nicgen/tb/laps_loss"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: lapsloss.Unit, Measure: lapsloss.Measure,
	Random:    benchtest.Random{Seeds: 4, Cycles: 250_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 8400, Misses: "row/wrap"},
	Overrides: overrides, OverrideCycles: 1_000_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: sends and ACKs with even chances,
// over all paths.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and both sides of the
// numbers at which memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "paths=1 pid_bits=1 ack_queues=2 flow_bits=1 seq_bits=8 depth=4 lanes=2 ring_memory=lutram ring_latency=2 " +
		"ram_latency=1 lat_bits=8 time_bits=16 ack_queue=2 lost_queue=2 counter_bits=8 rto_min_ns=0", Cycles: 300_000},
	{Name: "most paths", Set: "paths=65536 pid_bits=24 ack_queues=8 flow_bits=24 seq_bits=48 depth=4 ring_memory=uram lanes=2 lat_bits=32 " +
		"ring_latency=12 time_bits=48 ack_queue=512 lost_queue=4 counter_bits=64 rto_min_ns=70368744177663", Cycles: 1_000_000},
	{Name: "deepest, all lanes", Set: "paths=5 pid_bits=3 depth=256 lanes=64 ring_memory=bram time_bits=23 lost_queue=512", Cycles: 600_000},
	{Name: "deepest, few lanes", Set: "paths=64 pid_bits=7 depth=256 lanes=2 seq_bits=16 time_bits=24 ram_latency=1", Cycles: 1_500_000},
	{Name: "1,024 segments", Set: "paths=3 pid_bits=2 depth=1024 lanes=8 ring_memory=bram ring_latency=5 time_bits=24", Cycles: 1_500_000},
	{Name: "65 paths, no power of two", Set: "paths=65 pid_bits=7 depth=16 lanes=8 ack_queue=4 time_bits=24 lat_bits=19 counter_bits=21", Cycles: 1_000_000},
	{Name: "many paths in LUT RAM with one cycle", Set: "paths=17 pid_bits=5 depth=8 lanes=2 ring_memory=lutram ring_latency=3 ram_latency=1 time_bits=24", Cycles: 600_000},
	{Name: "columns of URAM", Set: "paths=3000 pid_bits=12 depth=64 lanes=4 ring_memory=uram ring_latency=2 ram_latency=1 time_bits=24", Cycles: 1_000_000},
	{Name: "four words in a row of URAM", Set: "paths=9 pid_bits=4 flow_bits=4 seq_bits=12 depth=16 lanes=8 ring_memory=uram ring_latency=4 time_bits=24", Cycles: 600_000},
	{Name: "two paths, no illegal number", Set: "paths=2 pid_bits=1 ack_queues=2 depth=8 lanes=4 flow_bits=3 time_bits=23", Cycles: 600_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "paths", Emitted: "paths=3 pid_bits=9 depth=16", Set: "paths=257"},
	{Name: "pid_bits", Emitted: "paths=64 pid_bits=6 depth=16", Set: "pid_bits=8"},
	{Name: "counter_bits", Emitted: "paths=64 depth=16", Set: "counter_bits=8"},
	{Name: "ram_latency", Emitted: "paths=64 depth=16", Set: "ram_latency=1"},
	{Name: "ring_latency", Emitted: "paths=64 depth=16", Set: "ring_latency=7"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_path_fits", Params: map[string]string{"PID_BITS": "12"}},
	{Check: "g_check_pid_bits", Params: map[string]string{"PID_BITS": "0"}, Verilator: benchtest.NoWidth},
}
