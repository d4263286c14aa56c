// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: requests may bring their random
// bits, so that a single one shows a bug again.
const (
	raced  = "paths=6 inject=true"
	inLUTs = "paths=4 inject=true noise_memory=lut"
	looked = "paths=6 inject=true picker=lookup"

	top    = "nic_laps_pick.sv"
	race   = "nic_laps_pick_race.sv"
	lookup = "nic_laps_pick_lookup.sv"
	random = "nic_laps_pick_random.sv"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// the race
	{Name: "of equal keys the first always wins", File: race, Set: raced, Edits: []string{"p1_tie_q[0]);", "p1_tie_q[0] && 1'b0);"}},
	{Name: "levels share their random bits", File: race, Set: raced, Edits: []string{
		"p2_tie_q <= p1_tie_q[2:1];", "p2_tie_q <= {p1_tie_q[1], p1_tie_q[2]};"}},
	{Name: "no carry out of the bits cut off", File: race, Set: raced, Seed: 2, Edits: []string{"fraction, carry_in};", "fraction, carry_in && 1'b0};"}},
	{Name: "the smallest noise is not lowered", File: race, Set: raced, Edits: []string{"{4{!octave[4]}}", "{4{!octave[4] && 1'b0}}"}},
	{Name: "noise lowered by its own address", File: race, Set: raced, Edits: []string{"WORD_W*(g^1)+14", "WORD_W*g+14"}},
	{Name: "a lane adds the bits of its own address", File: race, Set: raced, Seed: 3, Edits: []string{"p0_word[WORD_W*(g^1) +: LOW_W]", "p0_word[WORD_W*g +: LOW_W]"}},
	{Name: "path 0 races though dead", File: race, Set: raced, Edits: []string{"if (p0_dead[g]) begin", "if (p0_dead[g] && g != 0) begin"}},
	{Name: "lowest bit of the dither left out", File: race, Set: inLUTs, Edits: []string{"= p0_dither_q;", "= p0_dither_q & 6'h3e;"}},

	// the lookup
	{Name: "weights shifted by 16 are lost", File: lookup, Set: looked, Edits: []string{"_shift_q == 3'd4) begin", "_shift_q == 3'd4 && 1'b0) begin"}, Limit: 20},
	{Name: "dead paths have weights", File: lookup, Set: looked, Edits: []string{"if (p1_dead_q) begin", "if (p1_dead_q && 1'b0) begin"}, Limit: 20},
	{Name: "a threshold equal to a sum stays in the first subtree", File: lookup, Set: looked, Edits: []string{
		"p12_rest_q >= {1'b0,", "p12_rest_q > {1'b0,"}},
	{Name: "the random number is that of the next request", File: lookup, Set: looked, Edits: []string{".CYCLES (9)", ".CYCLES (8)"}, Limit: 20},

	// requests that nothing races for, and the rest
	{Name: "saturated one octave early", File: top, Set: looked, Edits: []string{"== 5'd31;", ">= 5'd30;"}, Limit: 20},
	{Name: "the second usable path counts as the first", File: top, Set: raced, Edits: []string{"u[0] ? 2'd0 : u[1] ? 2'd1 :", "u[1] ? 2'd1 : u[0] ? 2'd0 :"}},
	{Name: "no usable path counts as saturated", File: top, Set: raced, Edits: []string{
		"<= p1_usable_q != '0 && p1_alive_q == '0;", "<= p1_alive_q == '0;"}},
	{Name: "requests survive a reset", File: top, Set: raced, Edits: []string{"      valid_q <= '0;\n", "      valid_q[0] <= 1'b0;\n"}},

	// random bits
	{Name: "wrong tap", File: random, Set: raced, Edits: []string{"assign next[3] = ", "assign next[3] = state_q[0] ^ "}, Limit: 40},
	{Name: "generator steps without a request", File: random, Set: raced, Edits: []string{"end else if (step) begin", "end else if (step || 1'b1) begin"}},
	{Name: "a request keeps a seed word out", File: random, Set: raced, Edits: []string{"if (load) begin", "if (load && !step) begin"}, Limit: 40},
	{Name: "a block may be zero", File: random, Set: raced, Edits: []string{"      state_q[0] <= 1'b1;\n", ""}, Limit: 40},
}

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the path picker\n\n" +
	"Each row is a mistake planted in the emitted SystemVerilog of a small configuration of\n" +
	"[the path picker](laps_pick.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and writes a replay\n" +
	"file that fails in the same way. The last column counts the cycles with an event or a request in the shrunk stimulus."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "other seed of the generator", Set: "paths=4", Params: func(p *params.Params) { p.RandomSeed = 2 }},
	{Name: "other picker", Set: "paths=4", Params: func(p *params.Params) { p.Picker = params.Lookup }},
	{Name: "sees all paths usable", Set: "paths=4", Inputs: benchtest.SetInput("s_pick_usable", 15)},
	{Name: "sees no seed words", Set: "paths=4 picker=lookup", Inputs: benchtest.SetInput("s_seed_valid", 0)},
	{Name: "misses some requests", Set: "paths=4 picker=lookup", Inputs: func(l *cosim.Layout, in []uint64) {
		if l.MustSlot("s_pick_tag").Get(in) == 77 {
			l.MustSlot("s_pick_valid").Set(in, 0)
		}
	}},
	{Name: "turns a bit of a latency over", Set: "paths=4 picker=lookup", Inputs: func(l *cosim.Layout, in []uint64) {
		s := l.MustSlot("s_pick_latency")
		s.Set(in, s.Get(in)^1)
	}},
	{Name: "picks the other path of a pair", Set: "paths=4", Answer: func(l *cosim.Layout, want, care []uint64) {
		if s := l.MustSlot("m_pick_index"); s.Get(care) != 0 {
			s.Set(want, s.Get(want)^1)
		}
	}},
}
