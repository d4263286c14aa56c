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
	stepping  = ready + " rate_bits=10 max_rate=1000 min_rate=10 least_increase=10"
)

// The files with the mistakes.
const (
	top         = "nic_laps_rate.sv"
	fileAbove   = "nic_laps_rate_above.sv"
	fileExtreme = "nic_laps_rate_extreme.sv"
	fileGate    = "nic_laps_rate_gate.sv"
	fileRates   = "nic_laps_rate_rates.sv"
)

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	// extremes
	{Name: "t = T is congested", File: top, Set: ready, Edits: []string{
		"r0_congested_q <= p0_congested;", "r0_congested_q <= p0_congested || p0_least == p0_base;"}},
	{Name: "realVal of invalid paths counts", File: fileExtreme, Set: withTrees, Edits: []string{
		"latency_q <= LOSES;", "latency_q <= s_latency[LAT_W*g +: LAT_W] & LOSES;"}},
	{Name: "the odd path is left out", File: fileExtreme, Set: withTrees, Edits: []string{
		"latency_q <= first;", "latency_q <= first | LOSES;"}},

	// times
	{Name: "now >= nxtDec", File: fileGate, Set: ready, Edits: []string{"[TIME_W-1:LAT_W+1] == '0;", "[TIME_W-1:LAT_W+1] == '0 && r2_ahead != '0;"}},
	{Name: "times compared as signed numbers", File: fileGate, Set: ready, Edits: []string{
		"[TIME_W-1:LAT_W+1] == '0;", "[TIME_W-1:LAT_W+1] == '0 || !r2_ahead[TIME_W-1];"}},
	{Name: "a decrease holds increases", File: fileGate, Set: ready, Edits: []string{
		"r2_change && (r2_set || !r2_congested)", "r2_change"}},

	// events of one flow, close together
	{Name: "the time set 1 cycle ago is not forwarded", File: fileGate, Set: ready, Edits: []string{"= r1_take_1_q ?", "= (r1_take_1_q && 1'b0) ?"}},
	{Name: "the time set 2 cycles ago is not forwarded", File: fileGate, Set: ready, Edits: []string{": r1_take_2_q ?", ": (r1_take_2_q && 1'b0) ?"}},
	{Name: "the wrong time set 1 cycle ago is forwarded", File: fileGate, Set: ready, Edits: []string{
		"r0_same_1 && (r1_set || r1_congested == r0_congested);", "r0_same_1 && (r1_set || r1_congested == r0_congested || 1'b1);"}},
	{Name: "the rates set 1 cycle ago are not forwarded", File: fileRates, Set: ready, Edits: []string{"= r2_same_1 ?", "= (r2_same_1 && 1'b0) ?"}},
	{Name: "the rates set 2 cycles ago are not forwarded", File: fileRates, Set: ready, Edits: []string{": r2_same_2 ?", ": (r2_same_2 && 1'b0) ?"}},
	{Name: "times set 3 cycles ago are not forwarded", File: "nic_lib_fwd_block.sv", Set: ready + " ram_latency=1", Edits: []string{
		"hit_q      <= wr_addr == last_addr;", "hit_q      <= wr_addr == last_addr && 1'b0;"}},
	{Name: "times are read a stage too early", File: top, Set: ready + " ram_latency=1", Edits: []string{
		"(RAM_LATENCY > 1) ? IDX_W'(p0_flow_q) : r0_idx;", "IDX_W'(p0_flow_q);"}},

	// rates
	{Name: "doubling restarts the stages", File: fileRates, Set: ready, Edits: []string{"r3_hyper ? '0 : r3_left_q - 1'b1", "r3_hyper ? r3_stages_q : r3_left_q - 1'b1"}, Limit: 20},
	{Name: "no minimum rate", File: fileRates, Set: ready, Edits: []string{"r3_low ? r3_min_q", "(r3_low && 1'b0) ? r3_min_q"}},
	{Name: "a decrease does not limit expRate to the maximum rate", File: fileRates, Set: ready, Edits: []string{
		"r3_expected = r3_above ? r3_max_q : r3_current_q;", "r3_expected = r3_current_q;"}},

	{Name: "the mean is compared with one least step, not two", File: fileRates, Set: stepping, Edits: []string{
		"    .STEP  ({LEAST, 1'b0})\n  ) mean_short (", "    .STEP  ({1'b0, LEAST})\n  ) mean_short ("}, Limit: 20},
	{Name: "the doubled expected rate has no least step", File: fileRates, Set: stepping, Edits: []string{
		": r3_hyper ? r3_short_2", ": r3_hyper ? r3_short_2 && r3_cut"}, Limit: 20},
	{Name: "the least step leads above the largest rate", File: fileRates, Set: stepping, Edits: []string{
		"r3_current = r3_step_over ? r3_max_q : r3_step;", "r3_current = r3_step;"}, Limit: 20},
	{Name: "the expected rate stays behind the least step", File: fileRates, Set: stepping, Edits: []string{
		"r3_above || (r3_steps && r3_ahead)", "r3_above || (r3_steps && r3_ahead && r3_hyper)"}, Limit: 20},
	{Name: "the carry of a comparison with the least step is lost", File: "nic_laps_rate_below.sv", Set: stepping, Edits: []string{
		"(second & NOT_STEP)", "(second & ~NOT_STEP)"}, Limit: 20},

	// openings, reset, numbers
	{Name: "illegal flows change legal ones", File: top, Set: ready, Edits: []string{"r1_live_q <= r0_legal && (", "r1_live_q <= ("}},
	{Name: "the flow number at the port blocks the reset of flows", File: top, Set: ready, Edits: []string{"      p0_flow_q            <= '0;\n", ""}},
	{Name: "the sweep after a reset goes on where the last one stood", File: top, Set: ready, Edits: []string{"      clear_idx_q <= '0;\n", ""}},
	{Name: "ACKs that were accepted count as dropped", File: top, Set: ready, Edits: []string{"p0_refused_q <= s_ack_valid && !sts_ready;", "p0_refused_q <= s_ack_valid;"}},
	{Name: "an ACK is accepted in the cycle after a reset", File: top, Set: ready, Edits: []string{"assign sts_ready = ready_q && !rst_q;", "assign sts_ready = ready_q;"}},
}

// planted is the introduction of the table of planted bugs.
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
