// SPDX-License-Identifier: Apache-2.0

package nicparse_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_parse"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicparse "github.com/nicgen/nicgen/tb/nic_parse"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicparse.Unit, Measure: nicparse.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "end/over"},
	Overrides: overrides, OverrideCycles: 1_200_000,
	Planted: planted, Bugs: bugs,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, each choice, and each number of places at which
// UDP may begin.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 600_000},
	{Name: "smallest", Set: "profile=uet tags=0 ipv6=false addresses=false ip_checksum=false counter_bits=8 roce_port=0 uet_port=0 max_frame=64", Cycles: 600_000},
	{Name: "largest", Set: "profile=both tags=2 ipv6=true addresses=true ip_checksum=true counter_bits=64 roce_port=65535 uet_port=65535 max_frame=16383", Cycles: 600_000},
	{Name: "IPv4 with checksum", Set: "ipv6=false ip_checksum=true", Cycles: 600_000},
	{Name: "one tag", Set: "tags=1 counter_bits=21", Cycles: 600_000},
	{Name: "one tag, IPv4", Set: "tags=1 ipv6=false profile=both", Cycles: 600_000},
	{Name: "no tags", Set: "tags=0 profile=both addresses=false", Cycles: 600_000},
	{Name: "UET", Set: "profile=uet", Cycles: 600_000},
}

// overrides are configurations of which one is emitted and the other made of it by overriding
// SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "counter_bits, all else", Emitted: full, Set: full + " counter_bits=64"},
}

// full has all that there is.
const full = "profile=both ip_checksum=true"

// The files with the mistakes.
const (
	top      = "nic_parse.sv"
	filePick = "nic_parse_pick.sv"
	fileSum  = "nic_parse_sum.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in the NIC's parser\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of\n" +
	"[the parser](nic_parse.md) with both profiles and the checksum check. Co-simulation with seed 1 notices it, shrinks\n" +
	"the stimulus, and writes a replay file that fails in the same way. The last column counts the beats that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a service tag is no tag", File: top, Set: full, Edits: []string{" || ether_type == 16'h88a8", ""}},
	{Name: "a tag's value is taken for a type", File: top, Set: full, Edits: []string{"is_tag(p0_line[511-8*16 -: 16])", "is_tag(p0_line[511-8*14 -: 16])"}},
	{Name: "a tag anywhere counts", File: top, Set: full, Edits: []string{"&p0_is[1:0], p0_is[0]", "p0_is[1], p0_is[0]"}},
	{Name: "three tags are two", File: top, Set: full, Edits: []string{"p2_many_q  <= p1_tag_q[2];", "p2_many_q  <= p1_tag_q[2] && 1'b0;"}},
	{Name: "tags of every beat count", File: top, Set: full, Edits: []string{"      p1_tag_q        <= p0_tag;\n", "", "    p1_valid_q <= p0_done;\n", "    p1_valid_q <= p0_done;\n    p1_tag_q <= p0_tag;\n"}},
	{Name: "the version of a packet without tags", File: top, Set: full, Edits: []string{": p0_tag[0] ? p0_line[511-8*18-2]", ": p0_tag[0] ? p0_line[511-8*14-2]"}},
	{Name: "the second beat may follow a gap only", File: top, Set: full, Edits: []string{"    if (first_q) begin\n      p1_long_q", "    if (first_q || !s_axis_tvalid) begin\n      p1_long_q"}},
	{Name: "the third beat completes the headers too", File: top, Set: full, Edits: []string{"second_q <= first_q && !s_axis_tlast;", "second_q <= !s_axis_tlast;"}},
	{Name: "bytes behind a frame of one beat are there", File: top, Set: full, Edits: []string{"first_q ? '0 : s_axis_tkeep", "first_q && 1'b0 ? '0 : s_axis_tkeep"}},
	{Name: "41 bytes are enough", File: top, Set: full, Edits: []string{"s_axis_tkeep[42-1]", "s_axis_tkeep[42-2]"}},
	{Name: "IPv6 with two tags is looked for elsewhere", File: filePick, Set: full, Edits: []string{"(place[0] ? choices[5*WIDTH", "(!place[0] ? choices[5*WIDTH"}},
	{Name: "an IPv4 address keeps the upper bytes", File: top, Set: full, Edits: []string{"{p1_six_q ? p1_src_high : 96'b0, p1_src}", "{p1_src_high, p1_src}"}},
	{Name: "the version is not compared", File: top, Set: full, Edits: []string{"p2_net_q[95 -: 20] == {16'h0800, 4'd4}", "p2_net_q[95 -: 16] == 16'h0800"}},
	{Name: "long IPv4 headers are taken", File: top, Set: full, Edits: []string{"p2_net_q[75 -: 4] != 4'd5", "p2_net_q[75 -: 4] < 4'd5"}},
	{Name: "only the first fragment is one", File: top, Set: full, Edits: []string{"p2_net_q[29 -: 14] != '0", "p2_net_q[29 -: 2] != '0"}},
	{Name: "the flag not to fragment counts as one", File: top, Set: full, Edits: []string{"p2_net_q[29 -: 14] != '0", "p2_net_q[30 -: 15] != '0"}},
	{Name: "fragments before options", File: top, Set: full, Edits: []string{": p2_options ? OPTIONS\n : p2_fragment ? FRAGMENT", ": p2_fragment ? FRAGMENT\n : p2_options ? OPTIONS"}},
	{Name: "a packet without UDP is truncated", File: top, Set: full, Edits: []string{"(p2_reason == 4'd0 && !p2_have_q[0])", "!p2_have_q[0]"}},
	{Name: "lengths agree modulo 2^16", File: top, Set: full, Edits: []string{"&& !p2_carry[15];", "&& (!p2_carry[15] || 1'b1);"}},
	{Name: "IPv6 lengths with a header of 20 bytes", File: top, Set: full, Edits: []string{"p2_fill = p2_six_q ? 16'd0 : 16'd20;", "p2_fill = 16'd20;"}},
	{Name: "IPv6's header does not count", File: top, Set: full, Edits: []string{"(p2_six_q ? 17'd40 : 17'd0)", "(p2_six_q ? 17'd0 : 17'd0)"}},
	{Name: "the longest frame is too long", File: top, Set: full, Edits: []string{"p2_ip_bytes > most_q", "p2_ip_bytes >= most_q"}},
	{Name: "settings of one cycle later", File: top, Set: full, Edits: []string{"p2_layer_q[175 -: 16] == roce_port_q", "p2_layer_q[175 -: 16] == (roce_port_q & 16'd0 | cfg_roce_port)"}},
	{Name: "RoCE of 16 bytes", File: top, Set: full, Edits: []string{"|| p2_layer_q[148 -: 2] == 2'd3)", "|| p2_layer_q[148])"}},
	{Name: "any length of RoCE", File: top, Set: full, Edits: []string{"&& p2_layer_q[145 -: 2] == 2'd0;", ";"}},
	{Name: "AETH needs no room", File: top, Set: full, Edits: []string{"p3_aeth_bad_q && p3_roce_q", "p3_aeth_bad_q && p3_roce_q && 1'b0"}},
	{Name: "AETH of a UET packet is missed", File: top, Set: full, Edits: []string{"p3_aeth_short_q && p3_roce_q", "p3_aeth_short_q"}},
	{Name: "READ response middle has AETH", File: top, Set: full, Edits: []string{"p2_opcode[4:0] == 5'h0d || p2_opcode[4:0] == 5'h0f", "p2_opcode[4:0] == 5'h0d || p2_opcode[4:0] == 5'h0e || p2_opcode[4:0] == 5'h0f"}},
	{Name: "RD is known, UC is not", File: top, Set: full, Edits: []string{"if (p2_opcode[7:5] == 3'd1)", "if (p2_opcode[7:5] == 3'd2)"}},
	{Name: "a second fragment has a number", File: top, Set: full, Edits: []string{"p2_four_fits = p2_net_q[28 -: 13] == '0 &&", "p2_four_fits ="}},
	{Name: "an extension header of 32 bytes fits", File: top, Set: full, Edits: []string{"<= 8'd2;", "<= 8'd3;"}},
	{Name: "a second IPv6 fragment has a number", File: top, Set: full, Edits: []string{"p2_ext_q[23 -: 21] == '0", "p2_ext_q[23 -: 8] == '0"}},
	{Name: "tags do not move what options move", File: top, Set: full, Edits: []string{"p0_tag[1] ? p0_far_at", "p0_tag[2] ? p0_far_at"}},
	{Name: "BTH behind options may be cut", File: top, Set: full, Edits: []string{"p2_far && p2_far_q[40] &&", "p2_far && (p2_far_q[40] || 1'b1) &&"}},
	{Name: "a malformed packet has no number", File: top, Set: full, Edits: []string{"p3_placed = p3_roce_q ? !p3_aeth_short_q : p3_type != 4'd0;", "p3_placed = 1'b0;"}},
	{Name: "XRC is not known", File: top, Set: full, Edits: []string{" || p2_opcode[7:5] == 3'd5;", ";"}},
	{Name: "malformed before truncated", File: top, Set: full, Edits: []string{"if (!p3_have20_q) begin", "if (!p3_have20_q && !p3_bad) begin"}},
	{Name: "too long before malformed", File: top, Set: full, Edits: []string{"if (p3_bad) begin", "if (p3_bad && !p3_long_q) begin"}},
	{Name: "a port for both is UET's", File: top, Set: full, Edits: []string{"p3_roce_q <= p2_layer_q[175 -: 16] == roce_port_q;", "p3_roce_q <= p2_layer_q[175 -: 16] == roce_port_q && roce_port_q != uet_port_q;"}},
	{Name: "fields of other packets stay", File: top, Set: full, Edits: []string{"if (!p3_ours) begin", "if (!p3_ours && p3_stop_q) begin"}},
	{Name: "a UET ACK asks for an ACK", File: top, Set: full, Edits: []string{"p3_layer_q[115] && p3_request", "p3_layer_q[115]"}},
	{Name: "SYN of an ACK", File: top, Set: full, Edits: []string{"p3_layer_q[114] && p3_request", "p3_layer_q[114]"}},
	{Name: "a carry is lost in the checksum", File: fileSum, Set: full, Edits: []string{"{carry[14:0], carry[15], a ^ b ^ c}", "{carry[14:0], carry[15] && 1'b0, a ^ b ^ c}"}},
	{Name: "the checksum of IPv6", File: top, Set: full, Edits: []string{"!(p3_sum || p3_six_q)", "!p3_sum"}},
	{Name: "a beat too few", File: top, Set: full, Edits: []string{"s_axis_tlast ? '0 : blocks", "s_axis_tlast ? '0 : (blocks == 11'd3) ? 11'd2 : blocks"}},
	{Name: "gaps count as beats", File: top, Set: full, Edits: []string{"s_axis_tvalid && !(blocks_q[10]", "!(blocks_q[10]"}},
	{Name: "65,536 bytes are too many", File: top, Set: full, Edits: []string{"{s_axis_tuser, blocks_q[10], blocks", "{s_axis_tuser, blocks[10], blocks"}, Limit: 1100},
	{Name: "long frames begin again", File: top, Set: full, Edits: []string{"!(blocks_q[10] && !s_axis_tlast)", "!(blocks_q[10] && !s_axis_tlast && 1'b0)"}, Limit: 2200},
	{Name: "a tag does not count in the end", File: top, Set: full, Edits: []string{"5'd14 + {1'b0, p3_tags_q, 2'b00}", "5'd14 + {1'b0, p3_tags_q & 2'b01, 2'b00}"}},
	{Name: "a frame as long as its packet is short", File: top, Set: full, Edits: []string{"p4_bytes < p4_ip_end_q", "p4_bytes <= p4_ip_end_q"}},
	{Name: "the end of a packet that is not UDP has the length of the one before", File: top, Set: full, Edits: []string{"    if (p3_valid_q) begin\n      p4_ip_end_q", "    if (p3_valid_q && !p3_stop_q) begin\n      p4_ip_end_q"}},
	{Name: "a reset leaves a record", File: top, Set: full, Edits: []string{"      p2_valid_q <= 1'b0;\n", ""}},
	{Name: "a reset leaves a frame open", File: top, Set: full, Edits: []string{"      first_q  <= 1'b1;\n", ""}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer tags", Set: full, Params: func(p *params.Params) { p.Tags = 1 }},
	{Name: "no IPv6", Set: full, Params: func(p *params.Params) { p.IPv6 = false }},
	{Name: "no UET", Set: full, Params: func(p *params.Params) { p.Profile = params.RoCE }},
	{Name: "no checksum", Set: full, Params: func(p *params.Params) { p.IPChecksum = false }},
	{Name: "a byte more", Set: full, Inputs: benchtest.AddInput("cfg_max_frame", 1)},
	{Name: "another port", Set: full, Inputs: benchtest.AddInput("cfg_roce_port", 1)},
	{Name: "every frame is good", Set: full, Inputs: benchtest.SetInput("s_axis_tuser", 0)},
}
