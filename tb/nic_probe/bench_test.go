// SPDX-License-Identifier: Apache-2.0

package nicprobe_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicprobe "github.com/nicgen/nicgen/tb/nic_probe"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicprobe.Unit, Measure: nicprobe.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 300_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "reset/probe"},
	Overrides: overrides, OverrideCycles: 300_000,
	Illegal: illegal,
	Planted: planted, Bugs: bugs, Limit: 60,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration with a short sweep.
const few = "destinations=4 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 300_000},
	{Name: "smallest", Set: "destinations=2 dst_bits=1 pid_bits=1 anchors=1 counter_bits=8 ether_type=1536", Cycles: 300_000},
	{Name: "most destinations", Set: "destinations=4096 dst_bits=24 counter_bits=64 ether_type=65535", Cycles: 400_000},
	{Name: "no power of two", Set: "destinations=3 dst_bits=5 pid_bits=10 anchors=3 counter_bits=21", Cycles: 300_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "destinations", Set: "destinations=20"},
	{Name: "dst_bits", Set: "dst_bits=8"},
	{Name: "pid_bits", Set: "pid_bits=12"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters.
var illegal = []benchtest.Illegal{
	{Check: "g_check_dst_fits", Params: map[string]string{"DST_BITS": "5"}},
}

const top = "nic_probe.sv"

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the probes\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [the probes](nic_probe.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "the addresses of an answer are not exchanged", Set: few, File: top, Edits: []string{"answer_addresses[47:0], answer_addresses[95:48]}", "answer_addresses}"}},
	{Name: "the bytes of the time are the wrong way round", Set: few, File: top, Edits: []string{"swap6 = {swap2(x[15:0]), swap4(x[47:16])};", "swap6 = x;"}},
	{Name: "a delay is time - now", Set: few, File: top, Edits: []string{"now_ns - body_time", "body_time - now_ns"}},
	{Name: "a bad probe is answered", Set: few, File: top, Edits: []string{"ours && !s_shim_bad && !s_shim_type[0];", "ours && !s_shim_type[0];"}},
	{Name: "probes of other subtypes are answered", Set: few, File: top, Edits: []string{"s_shim_subtype == 4'd1 && s_shim_type[1]", "s_shim_subtype != 4'd0 && s_shim_type[1]"}},
	{Name: "shims of ACKs are taken for answers", Set: few, File: top, Edits: []string{"s_shim_subtype == 4'd1 && s_shim_type[1]", "s_shim_subtype == 4'd1 && s_shim_type != 2'd0"}},
	{Name: "a path that is too wide is cut", Set: few + "pid_bits=10", File: top, Edits: []string{"s_shim_type[0] && body_path >> PID_BITS == '0;", "s_shim_type[0];"}},
	{Name: "a long delay is cut", Set: few, File: top, Edits: []string{"p0_cut = 32'h7fff_ffff;", "p0_cut = p0_delay_q[31:0];"}},
	{Name: "a delay that is far below 0 is cut", Set: few, File: top, Edits: []string{"p0_cut = 32'h8000_0000;", "p0_cut = p0_delay_q[31:0];"}},
	{Name: "a delay a little below 0 is the least", Set: few, File: top, Edits: []string{"p0_delay_q[47] && p0_delay_q[46:31] != 16'hffff", "p0_delay_q[47]"}},
	{Name: "a destination without addresses is probed", Set: few, File: top, Edits: []string{"(look_q && legal && entry_set)", "(look_q && legal)"}},
	{Name: "a destination that does not exist is probed", Set: few, File: top, Edits: []string{"(look_q && legal && entry_set)", "(look_q && entry_set)"}},
	{Name: "addresses are not cleared after reset", Set: few, File: top, Edits: []string{"{ready_q && s_address_set, s_address_bytes}", "{s_address_set, s_address_bytes}"}},
	{Name: "probes do not wait until addresses are cleared", Set: "", File: top, Edits: []string{"wanted_valid && sts_ready && !look_q", "wanted_valid && !look_q"}},
	{Name: "anchors that were not asked for are taken", Set: few, File: top, Edits: []string{"if (wait_q) begin\n      anchors_q", "if (s_route_valid) begin\n      anchors_q"}},
	{Name: "anchors are the wrong way round", Set: few, File: top, Edits: []string{"swap4(anchors_q[32*i +: 32])", "anchors_q[32*i +: 32]"}},
	{Name: "a probe leaves before its anchors are there", Set: few, File: top, Edits: []string{"made_q        <= (wait_q && s_route_valid)", "made_q        <= (m_route_valid && m_route_ready)"}},
	{Name: "answers always go first", Set: few, File: top, Edits: []string{"      turn_q <= goes_probe;", "      turn_q <= 1'b1;"}},
	{Name: "a frame that waits is overwritten", Set: few, File: top, Edits: []string{"assign free        = !m_frame_valid || m_frame_ready;", "assign free        = 1'b1;"}},
	{Name: "a frame that waits is lost", Set: few, File: top, Edits: []string{"goes_probe || goes_answer || (m_frame_valid && !m_frame_ready);", "goes_probe || goes_answer;"}},
	{Name: "the number of anchors is that of an answer too", Set: few, File: top, Edits: []string{"ANSWER = 16'h0130;", "ANSWER = 16'h0134;"}},
	{Name: "a reset leaves a probe waiting for anchors", Set: few, File: top, Edits: []string{"      wait_q        <= 1'b0;\n", ""}},
	{Name: "two illegal events of a cycle count as one", Set: few, File: top, Edits: []string{
		"COUNTER_BITS'(address_illegal_q) +\n                              COUNTER_BITS'(look_illegal_q) + COUNTER_BITS'(answer_illegal_q);", "COUNTER_BITS'(evt_illegal);"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer destinations", Set: few, Params: func(p *params.Params) { p.Destinations-- }},
	{Name: "narrower paths", Set: few, Params: func(p *params.Params) { p.PidBits-- }},
	{Name: "another EtherType", Set: few, Inputs: benchtest.AddInput("cfg_ether_type", 1)},
	{Name: "a later time", Set: few, Inputs: benchtest.AddInput("now_ns", 1)},
	{Name: "no bad frames", Set: few, Inputs: benchtest.SetInput("s_shim_bad", 0)},
	{Name: "all destinations have addresses", Set: few, Inputs: benchtest.SetInput("s_address_set", 1)},
	{Name: "always ready", Set: few, Inputs: benchtest.SetInput("m_frame_ready", 1)},
}
