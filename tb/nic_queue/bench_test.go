// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicqueue "github.com/nicgen/nicgen/tb/nic_queue"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicqueue.Unit, Measure: nicqueue.Measure,
	Random:    benchtest.Random{Sets: []string{small}, Seeds: 2, Cycles: 400_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 500, Misses: "enter/full_later"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: []benchtest.Illegal{
		{Check: "g_check_meta_bits", Params: map[string]string{"META_BITS": "0"}, Verilator: benchtest.NoWidth},
		{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	},
	Planted: planted, Bugs: bugs, Limit: 500, // a pop shows only what many packets left
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// small is the configuration in which planted bugs are looked for.
const small = "kib=64 connections=5 conn_bits=4 ram_latency=2"

// corners covers both ends of every parameter, and both sides of the sizes at which memories
// change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 800_000},
	{Name: "smallest", Set: "kib=64 connections=1 conn_bits=1 meta_bits=1 max_frame=64 buffer_memory=bram ram_latency=1 counter_bits=8 " +
		"quota=0 xoff=0 xon=0 free_off=0 free_on=0 shim=0", Cycles: 400_000},
	{Name: "largest", Set: "kib=4096 connections=16384 conn_bits=24 meta_bits=256 max_frame=16320 buffer_memory=uram ram_latency=8 counter_bits=64 " +
		"quota=32768 xoff=32768 xon=32767 free_off=32768 free_on=32768 shim=63", Cycles: 2_000_000},
	{Name: "4,096 connections", Set: "connections=4096", Cycles: 1_000_000},
	{Name: "block RAM", Set: "kib=128 connections=65 conn_bits=7 ram_latency=1", Cycles: 400_000},
	{Name: "late block RAM", Set: "kib=128 connections=64 conn_bits=6 ram_latency=5 counter_bits=21", Cycles: 400_000},
	{Name: "a row of UltraRAM", Set: "kib=256 connections=3 conn_bits=2 meta_bits=90 meta_memory=bram ram_latency=1", Cycles: 400_000},
	{Name: "two rows of UltraRAM", Set: "kib=512 connections=100", Cycles: 600_000},
	{Name: "little UltraRAM", Set: "kib=64 connections=20 buffer_memory=uram meta_memory=uram max_frame=1518", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by overriding
// SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "conn_bits", Emitted: "kib=64", Set: "conn_bits=8"},
	{Name: "meta_bits", Emitted: "kib=64", Set: "meta_bits=100"},
	{Name: "max_frame", Emitted: "kib=64", Set: "max_frame=1518"},
	{Name: "ram_latency", Emitted: "kib=64", Set: "ram_latency=1"},
	{Name: "counter_bits", Emitted: "kib=64", Set: "counter_bits=8"},
	{Name: "all", Emitted: small, Set: "conn_bits=3 meta_bits=7 max_frame=300 ram_latency=4 counter_bits=11"},
}
