// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/benchtest"
	lapspick "github.com/nicgen/nicgen/tb/laps_pick"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: lapspick.Unit, Measure: lapspick.Measure,
	Random:    benchtest.Random{Sets: []string{"", "picker=lookup"}, Seeds: 1, Cycles: 150_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 200, Misses: "seed/all"},
	Overrides: overrides, OverrideCycles: 180_000,
	Illegal: []benchtest.Illegal{{Check: "g_check_counter_bits", Params: map[string]string{"COUNTER_BITS": "0"}}},
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle: a request in each.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and numbers of paths on
// both sides of what changes the structure.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 150_000},
	{Name: "race of two", Set: "paths=2 tag_bits=1 counter_bits=8 random_seed=0", Cycles: 180_000},
	{Name: "race of three in LUTs", Set: "paths=3 noise_memory=lut inject=true", Cycles: 180_000},
	{Name: "race of 13 in LUTs", Set: "paths=13 noise_memory=lut random_seed=9223372036854775807 counter_bits=64", Cycles: 180_000},
	{Name: "race of 32 in LUTs", Set: "noise_memory=lut random_seed=2", Cycles: 180_000},
	{Name: "race of nine with random bits", Set: "paths=9 inject=true tag_bits=64 random_seed=12345 counter_bits=21", Cycles: 180_000},
	{Name: "lookup of two", Set: "paths=2 picker=lookup inject=true", Cycles: 180_000},
	{Name: "lookup of five", Set: "paths=5 picker=lookup tag_bits=33", Cycles: 180_000},
	{Name: "lookup of 17", Set: "paths=17 picker=lookup inject=true", Cycles: 180_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "tag_bits", Emitted: "paths=4", Set: "tag_bits=1"},
	{Name: "counter_bits", Emitted: "paths=4 picker=lookup", Set: "counter_bits=8"},
}
