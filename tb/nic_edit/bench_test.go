// SPDX-License-Identifier: Apache-2.0

package nicedit_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_edit"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicedit "github.com/nicgen/nicgen/tb/nic_edit"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicedit.Unit, Measure: nicedit.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 300_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "icrc/largest"},
	Overrides: overrides, OverrideCycles: 300_000,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and each edit alone.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "icrc=false flow_label=false traffic_class=false becn=false ask=false udp_zero=false counter_bits=8", Cycles: 300_000},
	{Name: "largest counters", Set: "counter_bits=64", Cycles: 300_000},
	{Name: "ICRC only", Set: "flow_label=false traffic_class=false becn=false ask=false udp_zero=false counter_bits=21", Cycles: 300_000},
	{Name: "labels only", Set: "icrc=false traffic_class=false becn=false ask=false udp_zero=false", Cycles: 300_000},
	{Name: "classes only", Set: "icrc=false flow_label=false becn=false ask=false udp_zero=false", Cycles: 300_000},
	{Name: "BECN only", Set: "icrc=false flow_label=false traffic_class=false ask=false udp_zero=false", Cycles: 300_000},
	{Name: "A bit only", Set: "icrc=false flow_label=false traffic_class=false becn=false udp_zero=false", Cycles: 300_000},
	{Name: "A bit and ICRC", Set: "flow_label=false traffic_class=false becn=false udp_zero=false", Cycles: 300_000},
	{Name: "UDP checksum only", Set: "icrc=false flow_label=false traffic_class=false becn=false ask=false", Cycles: 300_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{{Name: "counter_bits", Set: "counter_bits=8"}}

const (
	top  = "nic_edit.sv"
	icrc = "nic_edit_icrc.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the packet editor\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [the packet editor](nic_edit.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with a beat that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a beat too few between port and ICRC makes a step", File: icrc, Edits: []string{"s_word[3:0] < s_lane", "s_word[3:0] < s_lane && 1'b0"}},
	{Name: "the second half of an ICRC that goes on in the next beat stays", File: icrc, Edits: []string{"p4_lane == 4'd15;", "p4_lane == 4'd15 && 1'b0;"}},
	{Name: "the register steps on between the halves", File: icrc, Edits: []string{"(p4_wait_q && !p4_skip_q)", "((p4_wait_q || p4_more_q) && !p4_skip_q)"}},
	{Name: "the ICRC is looked for one beat early", File: icrc, Edits: []string{"p4_left_q == 11'd1", "p4_left_q == 11'd2"}},
	{Name: "a UDP checksum in the second beat stays", File: top, Edits: []string{"zero2_q <= p4_v6[2:1]", "zero2_q <= {1'b0, p4_v6[1]}"}},
	{Name: "BECN of the second beat is that of the next command", File: top, Edits: []string{"if (p4_valid_q && p4_first) begin\n      p5_becn_q", "if (1'b1) begin\n      p5_becn_q"}},
	{Name: "a frame without a second beat leaves its edits to the next frame", File: top, Edits: []string{"p4_then = p4_valid_q && !p4_first;", "p4_then = p4_valid_q;"}},
	{Name: "the end-around carry of the IPv4 checksum is lost", File: top, Edits: []string{"{15'd0, p2_sum_q[16]}", "{15'd0, p2_sum_q[16] && 1'b0}"}},
	{Name: "a larger type of service makes a checksum one too large", File: top, Edits: []string{"{16'd0, p1_change_q[8]};", "{16'd0, p1_change_q[8] && 1'b0};"}},
	{Name: "a UDP length of 20 is legal", File: top, Edits: []string{"p0_udp_len_q[4:3] == 2'b11", "(p0_udp_len_q[4:3] == 2'b11 || p0_udp_len_q[4:2] == 3'b101)"}},
	{Name: "an illegal command patches the ICRC", File: top, Edits: []string{"p1_patch_q <= p0_legal && ", "p1_patch_q <= "}},
	{Name: "a flow label patches the ICRC", File: top, Edits: []string{"(p0_port_q || p0_ask_q);", "(p0_port_q || p0_ask_q || p0_label_q);"}},
	{Name: "a reset leaves the unit inside of a frame", File: top, Edits: []string{"      idle_q     <= 1'b1;\n", ""}},
	{Name: "the A bit is not in the ICRC", File: icrc, Edits: []string{"(ASK & {32{s_ask}})", "(ASK & {32{s_ask && s_lane == 4'd0}})"}},
	{Name: "an unchanged port is patched with the A bit", File: top, Edits: []string{"p0_w_q & {16{p0_port_q}}", "p0_w_q"}},
	{Name: "an A bit in the second beat stays", File: top, Edits: []string{"p5_ask2_q  <= ask2_q & {3{p4_then}};", "p5_ask2_q  <= ask2_q & {3{p4_then && p4_first}};"}},
	{Name: "the label's high bits in the wrong order", File: top, Edits: []string{"p4_ecn, p4_ev[19:16]}", "p4_ecn, p4_ev[17:16], p4_ev[19:18]}"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "no ICRC", Params: func(p *params.Params) { p.ICRC = false }},
	{Name: "no UDP checksum of 0", Params: func(p *params.Params) { p.UDPZero = false }},
	{Name: "no BECN", Params: func(p *params.Params) { p.BECN = false }},
	{Name: "no A bit", Params: func(p *params.Params) { p.Ask = false }},
	{Name: "no flow labels", Params: func(p *params.Params) { p.FlowLabel = false }},
	{Name: "no DSCP", Inputs: benchtest.SetInput("s_edit_dscp_valid", 0)},
	{Name: "a word more", Inputs: benchtest.AddInput("s_edit_udp_len", 4)},
	{Name: "another value", Inputs: benchtest.AddInput("s_edit_ev", 1)},
	{Name: "no bad frames", Inputs: benchtest.SetInput("s_axis_tuser", 0)},
}
