// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Configurations in which planted bugs are looked for: few flows, so that opening
// them after a reset takes few cycles.
const (
	withTrees = "flows=3 flow_bits=3 paths=3 lat_bits=8 time_bits=16 state_memory=bram"
	ready     = "flows=3 flow_bits=3 operands=extremes lat_bits=8 time_bits=16 state_memory=bram"
)

const top = "nic_laps_rate.sv"

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// extremes
	{Name: "t = T is congested", File: top, Set: ready, Edits: []string{
		"slower((3*LAT_G)'(p0_least_q), (3*LAT_G)'(p0_base_q));", "!slower((3*LAT_G)'(p0_base_q), (3*LAT_G)'(p0_least_q));"}},
	{Name: "realVal of invalid paths counts", File: top, Set: withTrees, Edits: []string{
		"p0_least_q[LAT_W*g +: LAT_W] <= '1;", "p0_least_q[LAT_W*g +: LAT_W] <= s_ack_latency_ns[LAT_W*g +: LAT_W];"}},
	{Name: "the odd path is left out", File: top, Set: withTrees, Edits: []string{
		"<= p0_least_q[LAT_W*2 +: LAT_W];", "<= p0_least_q[LAT_W*2 +: LAT_W] | '1;"}},

	// times
	{Name: "now >= nxtDec", File: top, Set: ready, Edits: []string{"[TIME_W-1:LAT_W+1] == '0;", "[TIME_W-1:LAT_W+1] == '0 && r2_ahead != '0;"}},
	{Name: "times compared as signed numbers", File: top, Set: ready, Edits: []string{
		"[TIME_W-1:LAT_W+1] == '0;", "[TIME_W-1:LAT_W+1] == '0 || !r2_ahead[TIME_W-1];"}},
	{Name: "a decrease holds increases", File: top, Set: ready, Edits: []string{
		"r2_change && (r2_set_q || !r2_congested_q)", "r2_change"}},

	// events of one flow, close together
	{Name: "the time set 1 cycle ago is not forwarded", File: top, Set: ready, Edits: []string{"= r1_take_1_q ?", "= (r1_take_1_q && 1'b0) ?"}},
	{Name: "the time set 2 cycles ago is not forwarded", File: top, Set: ready, Edits: []string{": r1_take_2_q ?", ": (r1_take_2_q && 1'b0) ?"}},
	{Name: "the wrong time set 1 cycle ago is forwarded", File: top, Set: ready, Edits: []string{
		"r0_same_1 && (r1_set_q || r1_congested_q == r0_congested_q);", "r0_same_1;"}},
	{Name: "the rates set 1 cycle ago are not forwarded", File: top, Set: ready, Edits: []string{"= r2_same_1_q ?", "= (r2_same_1_q && 1'b0) ?"}},
	{Name: "the rates set 2 cycles ago are not forwarded", File: top, Set: ready, Edits: []string{": r2_same_2_q ?", ": (r2_same_2_q && 1'b0) ?"}},

	// rates
	{Name: "doubling restarts the stages", File: top, Set: ready, Edits: []string{"r3_hyper ? '0 : r3_left_q - 1'b1", "r3_hyper ? r3_stages_q : r3_left_q - 1'b1"}},
	{Name: "no minimum rate", File: top, Set: ready, Edits: []string{"r3_low ? r3_min_q", "(r3_low && 1'b0) ? r3_min_q"}},
	{Name: "a decrease does not limit expRate to the maximum rate", File: top, Set: ready, Edits: []string{
		"r3_expected = r3_above ? r3_max_q : r3_current_q;", "r3_expected = r3_current_q;"}},

	// openings, reset, numbers
	{Name: "illegal flows change legal ones", File: top, Set: ready, Edits: []string{"r1_live_q <= r0_legal && (", "r1_live_q <= ("}},
	{Name: "the flow number at the port blocks the reset of flows", File: top, Set: ready, Edits: []string{"      p0_flow_q            <= '0;\n", ""}},
}

// planted is what the table of the bugs says first.
const planted = "# Bugs planted in rate control\n\n" +
	"Each row is a mistake planted in the emitted SystemVerilog of a small configuration of\n" +
	"[rate control](laps_rate.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n" +
	"writes a replay file that fails in the same way. The last column counts the cycles with an event or a\n" +
	"request in the shrunk stimulus."

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer flows", Set: ready, Params: func(p *params.Params) { p.Flows = 2 }},
	{Name: "narrower time", Set: ready, Params: func(p *params.Params) { p.TimeBits-- }},
	{Name: "other interval", Set: ready, Params: func(p *params.Params) { p.Increase = params.Base }},
	{Name: "one stage more", Set: ready, Inputs: benchtest.AddInput("cfg_stages", 1)},
	{Name: "least rate one more", Set: ready, Inputs: benchtest.AddInput("cfg_min_rate", 1)},
	{Name: "T one ns more", Set: ready, Inputs: benchtest.AddInput("s_ack_max_base_ns", 1)},
	{Name: "sees no opening", Set: ready, Inputs: func(l *cosim.Layout, in []uint64) { l.MustSlot("s_open_valid").Set(in, 0) }},
}
