// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{Unit: detector.Unit, Fit: fit}

// fit makes the defaults of run-time settings fit their ports.
func fit(p *params.Params, set string) {
	if !strings.Contains(set, "rtt_threshold_ns") {
		p.RTTThresholdNS = min(p.RTTThresholdNS, 1<<p.RTTBits-1)
	}
	if !strings.Contains(set, "window_ns") {
		p.WindowNS = min(p.WindowNS, 1<<min(p.TimerBits, 62)-1)
	}
}

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

// Every corner is clean in nicgen's own parser, Verilator and Yosys, and equals the
// golden model over 100,000 events that reach every coverage point.
func TestCorners(t *testing.T) { suite.Corners(t, corners) }

// A parameter that is never varied hides bugs: the corners go to both ends of
// each, and a list without one of them is noticed.
func TestCornersReachEveryEnd(t *testing.T) { suite.Ends(t, corners) }

// A bench whose stimulus is cut short misses coverage points, and says which.
func TestShortRunMisses(t *testing.T) { suite.ShortRun(t, 270, "timeout/exact") }
