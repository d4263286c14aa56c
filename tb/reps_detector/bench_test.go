// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: detector.Unit, Measure: detector.Measure,
	Random:    benchtest.Random{Seeds: 4, Cycles: 250_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 270, Misses: "timeout/exact"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all connections.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and both sides of the
// number of connections at which the memory changes.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 rtt_bits=8 timer_bits=16 counter_bits=8 state_memory=lutram " +
		"rtt_threshold_ns=0 window_ns=0", Cycles: 300_000},
	{Name: "largest", Set: "connections=65536 conn_bits=24 rtt_bits=32 timer_bits=64 counter_bits=64 state_memory=bram " +
		"trimming=true rtt_threshold_ns=4294967295 window_ns=4611686018427387903", Cycles: 1_000_000},
	{Name: "one connection in block RAM", Set: "connections=1 conn_bits=24 state_memory=bram", Cycles: 300_000},
	{Name: "two connections, no illegal number", Set: "connections=2 conn_bits=1 timer_bits=17", Cycles: 300_000},
	{Name: "three connections", Set: "connections=3 conn_bits=2 rtt_bits=9", Cycles: 300_000},
	{Name: "64 connections, wide", Set: "connections=64 conn_bits=6 rtt_bits=32 timer_bits=64 counter_bits=9", Cycles: 300_000},
	{Name: "65 connections", Set: "connections=65 conn_bits=7 timer_bits=16", Cycles: 300_000},
	{Name: "255 connections", Set: "connections=255 conn_bits=8 rtt_bits=31 timer_bits=63", Cycles: 300_000},
	{Name: "257 connections in LUTRAM", Set: "connections=257 conn_bits=9 state_memory=lutram timer_bits=32", Cycles: 300_000},
	{Name: "1024 connections in LUTRAM, no illegal number", Set: "connections=1024 conn_bits=10 state_memory=lutram", Cycles: 400_000},
	{Name: "65535 connections", Set: "connections=65535 conn_bits=16 timer_bits=36", Cycles: 1_000_000},
	{Name: "65536 connections, no illegal number", Set: "connections=65536 conn_bits=16 rtt_bits=8 timer_bits=16", Cycles: 1_000_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=5"},
	{Name: "connections upwards, in LUTRAM", Emitted: "connections=2 conn_bits=10", Set: "connections=700"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "rtt_bits", Emitted: "rtt_threshold_ns=200", Set: "rtt_bits=8"},
	{Name: "rtt_bits upwards", Set: "rtt_bits=32"},
	{Name: "timer_bits", Emitted: "window_ns=1000", Set: "timer_bits=16"},
	{Name: "timer_bits upwards", Set: "timer_bits=64"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: "window_ns=1000", Set: "connections=33 conn_bits=6 rtt_bits=17 timer_bits=20 counter_bits=11"},
}

// illegal are overrides that break a rule over several parameters, by the check that
// stops them.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
	{Check: "g_check_conn_fits", Params: map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
}
