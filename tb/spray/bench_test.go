// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/spray"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: spray.Unit, Measure: spray.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "flowlet/at_timeout"},
	Overrides: overrides, OverrideCycles: 500_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and both sides of the numbers of
// entries at which memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 1_000_000},
	{Name: "smallest", Set: "evs_bits=1 connections=1 conn_bits=1 flowlets=0 timer_bits=8 nic_ports=1 ram_latency=1 state_memory=lutram counter_bits=8 " +
		"random_seed=0 mode=flowlet evs=1 flowlet_timeout_ns=0 hash_seed=0 ev_base=0", Cycles: 1_000_000},
	{Name: "largest", Set: "evs_bits=20 connections=65536 conn_bits=24 flowlets=65536 timer_bits=64 nic_ports=1 ram_latency=2 state_memory=bram counter_bits=64 " +
		"random_seed=9223372036854775807 mode=round_robin evs=1048576 flowlet_timeout_ns=4611686018427387903 hash_seed=1048575 ev_base=1048575", Cycles: 3_000_000},
	{Name: "eight ports", Set: "connections=3 conn_bits=2 nic_ports=8 timer_bits=16 mode=ops", Cycles: 1_000_000},
	{Name: "three ports share", Set: "connections=21 conn_bits=5 nic_ports=3 flowlets=16 timer_bits=10 evs_bits=4 mode=ecmp", Cycles: 1_000_000},
	{Name: "two entries", Set: "connections=65536 flowlets=2 evs_bits=17 timer_bits=9 state_memory=bram ram_latency=1", Cycles: 1_000_000},
	{Name: "64 entries", Set: "connections=64 conn_bits=6 timer_bits=11", Cycles: 1_000_000},
	{Name: "65 entries", Set: "connections=65 conn_bits=7 timer_bits=12", Cycles: 1_000_000},
	{Name: "512 entries", Set: "connections=512 conn_bits=9 ram_latency=1", Cycles: 1_000_000},
	{Name: "513 entries", Set: "connections=513 conn_bits=10 random_seed=12345 counter_bits=21", Cycles: 1_000_000},
	{Name: "flowlets only", Set: "modes=flowlet connections=5 conn_bits=3 timer_bits=12 flowlets=11", Cycles: 1_000_000},
	{Name: "OPS only", Set: "modes=ops", Cycles: 1_000_000},
	{Name: "ECMP only", Set: "modes=ecmp", Cycles: 1_000_000},
	{Name: "round robin only", Set: "modes=round_robin connections=5 conn_bits=3", Cycles: 1_000_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "evs_bits", Emitted: "evs=100", Set: "evs_bits=7"},
	{Name: "connections", Set: "connections=5"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "flowlets", Set: "flowlets=64"},
	{Name: "timer_bits", Emitted: "flowlet_timeout_ns=1000", Set: "timer_bits=16"},
	{Name: "nic_ports", Set: "nic_ports=3"},
	{Name: "ram_latency", Set: "ram_latency=1"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "evs=7 flowlet_timeout_ns=10", Set: "evs_bits=3 connections=33 conn_bits=6 flowlets=32 timer_bits=20 nic_ports=2 ram_latency=1 counter_bits=11"},
}

// illegal are overrides that break a rule over several parameters, by the check that stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_rows_fit", Params: map[string]string{"CONNECTIONS": "65536", "NIC_PORTS": "2", "TIMER_BITS": "64"}},
	{Check: "g_check_flowlets_fit", Params: map[string]string{"FLOWLETS": "48"}},
	{Check: "g_check_timer_fits", Params: map[string]string{"TIMER_BITS": "12"}},
}
