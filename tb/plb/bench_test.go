// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/plb"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: plb.Unit, Measure: plb.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 500_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "pause/over"},
	Overrides: overrides, OverrideCycles: 1_000_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs, Limit: 80,
	Sweep: &benchtest.Bug{File: top, Edits: []string{
		"      sweep_q <= IDX_W'(ROWS_MAX - CONNECTIONS);", "      sweep_q <= sweep_q;",
		"logic [IDX_W-1:0] sweep_q;", "logic [IDX_W-1:0] sweep_q = IDX_W'(ROWS_MAX - CONNECTIONS);",
		"      {ready_q, sweep_q} <= {ready_q, sweep_q} + 1'b1;\n", "      {ready_q, sweep_q} <= {ready_q, sweep_q} + 1'b1;\n" +
			"      if (&sweep_q) begin\n        sweep_q <= IDX_W'(ROWS_MAX - CONNECTIONS);\n      end\n",
	}},
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all connections.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and both sides of the numbers of
// connections at which memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 1_000_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 pkts_bits=1 rtt_bits=8 balance_bits=20 round_bits=1 timer_bits=24 pause_bits=21 " +
		"label_bits=1 port_bits=1 port_base=0 state_memory=lutram ram_latency=1 counter_bits=8 random_seed=0 mode=0 rtt_detector=false " +
		"fraction=0 target_ns=0 idle_rounds=0 forced_rounds=0 pause_ns=0", Cycles: 1_000_000},
	{Name: "largest", Set: "connections=65536 conn_bits=24 pkts_bits=12 rtt_bits=32 balance_bits=40 round_bits=8 timer_bits=44 pause_bits=42 " +
		"label_bits=20 port_bits=16 port_base=0 state_memory=bram ram_latency=2 counter_bits=64 random_seed=9223372036854775807 mode=3 " +
		"rtt_detector=true fraction=65535 target_ns=4294967295 idle_rounds=255 forced_rounds=255 pause_ns=4398046511103", Cycles: 4_000_000},
	{Name: "the last port", Set: "connections=3 conn_bits=2 port_bits=1 port_base=65534", Cycles: 1_000_000},
	{Name: "any port base", Set: "connections=2 conn_bits=1 label_bits=1 port_bits=1 port_base=65534 round_bits=2", Cycles: 1_000_000},
	{Name: "one connection in block RAM", Set: "connections=1 conn_bits=24 state_memory=bram ram_latency=2", Cycles: 1_000_000},
	{Name: "three connections in block RAM", Set: "connections=3 conn_bits=2 state_memory=bram ram_latency=1 pkts_bits=5 rtt_bits=19 balance_bits=29 round_bits=3 timer_bits=41 pause_bits=37 label_bits=13 port_bits=11 port_base=6144 random_seed=12345 counter_bits=21", Cycles: 1_000_000},
	{Name: "64 connections", Set: "connections=64 conn_bits=6 ram_latency=2", Cycles: 1_000_000},
	{Name: "65 connections", Set: "connections=65 conn_bits=7 ram_latency=2", Cycles: 1_000_000},
	{Name: "512 connections", Set: "connections=512 conn_bits=9", Cycles: 1_000_000},
	{Name: "513 connections", Set: "connections=513 conn_bits=10 ram_latency=2", Cycles: 1_000_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "pkts_bits", Set: "pkts_bits=4"},
	{Name: "rtt_bits", Emitted: "target_ns=200", Set: "rtt_bits=8"},
	{Name: "balance_bits", Set: "balance_bits=27"},
	{Name: "round_bits", Set: "round_bits=6"},
	{Name: "timer_bits", Set: "timer_bits=40"},
	{Name: "pause_bits", Emitted: "pause_ns=5000000", Set: "pause_bits=24"},
	{Name: "label_bits", Set: "label_bits=14"},
	{Name: "port_bits", Set: "port_bits=10"},
	{Name: "port_base", Set: "port_base=16384"},
	{Name: "ram_latency", Set: "ram_latency=2"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_bits", Params: map[string]string{"CONN_BITS": "0"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_timer_bits", Params: map[string]string{"TIMER_BITS": "23"}, Yosys: "Static cast with zero or negative size!"},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_balance_fits", Params: map[string]string{"BALANCE_BITS": "26"}},
	{Check: "g_check_pause_fits", Params: map[string]string{"TIMER_BITS": "37"}},
	{Check: "g_check_port_fits", Params: map[string]string{"LABEL_BITS": "13"}},
	{Check: "g_check_port_aligned", Params: map[string]string{"PORT_BASE": "49153"}},
}
