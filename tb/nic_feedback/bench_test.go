// SPDX-License-Identifier: Apache-2.0

package nicfeedback_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicfeedback "github.com/nicgen/nicgen/tb/nic_feedback"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicfeedback.Unit, Measure: nicfeedback.Measure,
	Random:    benchtest.Random{Seeds: 2, Cycles: 400_000},
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "made/wait/last"},
	Overrides: overrides, OverrideCycles: 400_000,
	Illegal: illegal,
	Sweep: &benchtest.Bug{File: top, Edits: []string{
		"sweep_q <= IDX_W'(CONNECTIONS - 1);", "sweep_q <= sweep_q;", "logic [IDX_W-1:0] sweep_q;", "logic [IDX_W-1:0] sweep_q = '1;"}},
	Planted: planted, Bugs: bugs, Limit: 150,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// few is a configuration with a short sweep.
const few = "connections=4 "

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 400_000},
	{Name: "smallest", Set: "connections=1 conn_bits=1 list=1 counter_bits=8", Cycles: 400_000},
	{Name: "most connections", Set: "connections=65536 conn_bits=24 counter_bits=64", Cycles: 500_000},
	{Name: "no power of two", Set: "connections=3 conn_bits=5 list=5 counter_bits=21", Cycles: 400_000},
	{Name: "no illegal one", Set: "connections=4 conn_bits=2 list=15", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "connections", Set: "connections=20"},
	{Name: "conn_bits", Set: "conn_bits=8"},
	{Name: "counter_bits", Set: "counter_bits=8"},
}

// illegal are overrides that break a rule over several parameters.
var illegal = []benchtest.Illegal{
	{Check: "g_check_conn_fits", Params: map[string]string{"CONN_BITS": "7"}},
}

const (
	top  = "nic_feedback.sv"
	made = "nic_feedback_make.sv"
	ends = "nic_feedback_end.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in feedback packets\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of [nic_feedback](nic_feedback.md). Co-simulation with seed 1\n" +
	"notices it, shrinks the stimulus, and writes a replay file that fails again in the same way. The last column counts\n" +
	"the cycles with an event that are left."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "the oldest entropy value is the first of the port, not of the list", Set: few, File: made, Edits: []string{"s_evs[16*FROM +: 16]", "s_evs[16*g +: 16]"}},
	{Name: "marks are in the opposite order", Set: few, File: made, Edits: []string{"{ce_q[14:0], marks[from_q]}", "{marks[from_q], ce_q[15:1]}"}},
	{Name: "marks of the packet before are left", Set: few, File: made, Edits: []string{"      ce_q     <= '0;\n", ""}},
	{Name: "the padding is what was there before", Set: few, File: made, Edits: []string{"p1_odd_q ? 16'd0", "p1_odd_q && 1'b0 ? 16'd0"}},
	{Name: "the checksum does not borrow", Set: few, File: made, Edits: []string{"{8'd0, total, borrow}", "{8'd0, total, 1'b0 && borrow}"}},
	{Name: "the checksum borrows when the two are equal", Set: few, File: made, Edits: []string{"sum[6:2] < total_q", "sum[6:2] <= total_q"}},
	{Name: "the ICRC begins a word late", Set: few, File: made, Edits: []string{"crc_q        <= p2_ip_q ?", "crc_q        <= p2_ip_q && !p2_ones_q[2] ?"}},
	{Name: "the traffic class is in the ICRC", Set: few, File: made, Edits: []string{"p2_ones_q[0] <= p1_sum_q || p1_qp_q || p1_ver6_q;", "p2_ones_q[0] <= p1_sum_q || p1_qp_q;"}},
	{Name: "the hop limit is in the ICRC", Set: few, File: made, Edits: []string{"p1_ver6_q || p1_bytes_q || p1_udp_q;", "p1_ver6_q || p1_udp_q;"}},
	{Name: "BECN is in the ICRC", Set: few, File: made, Edits: []string{"p2_ones_q[1] <= p1_sum_q || p1_qp_q;", "p2_ones_q[1] <= p1_sum_q;"}},
	{Name: "a flow label is written into IPv4 too", Set: few, File: made, Edits: []string{"label_q <= lane[2] && p1_word_q[4];", "label_q <= p1_word_q[4];"}},
	{Name: "the first beat does not wait", Set: few, File: made, Edits: []string{"(m_valid && !m_ready);", "(m_valid && !m_ready && m_last);"}},
	{Name: "the memory goes on while a beat waits", Set: few, File: made, Edits: []string{"at_q + {4'd0, go_next}", "at_q + 5'd1"}},
	{Name: "the last word is twice in a packet of 66 bytes", Set: few, File: made, Edits: []string{"      keep_q       <= 17'd1;", "      keep_q       <= {15'd0, p2_last_q, 1'b1};"}},
	{Name: "a reset leaves the end of a packet", Set: few, File: made, Edits: []string{"    if (!busy_q || rst) begin\n      p2_ip_q", "    if (!busy_q) begin\n      p2_ip_q"}},
	{Name: "a lane that is none has a template", Set: few, File: made, Edits: []string{"lane[2] ? lane[1:0] != 2'd0", "lane[2] ? lane[1:0] != 2'd0 || 1'b1"}},
	{Name: "a template that is not valid counts", Set: few, File: made, Edits: []string{"assign known   = p1_word_q[5] && lane[3]", "assign known   = lane[3]"}},
	{Name: "a list of too many entropy values is made", Set: few + "list=5", File: made, Edits: []string{"&& s_count <= 5'd5;", "&& s_count <= 5'd6;"}},
	{Name: "a list without template is not taken", Set: few, File: made, Edits: []string{"gather_q && (entry_q == '0 || stop);", "gather_q && entry_q == '0;"}},
	{Name: "templates are not cleared after reset", Set: few, File: top, Edits: []string{"wr_data_q[5] <= 1'b0;", "wr_data_q[5] <= s_template_data[5];"}},
	{Name: "a template is written while others are cleared", Set: few, File: top, Edits: []string{"wr_addr_q    <= {sweep_q, 5'd0};", "wr_addr_q    <= {sweep_q, s_template_word};"}},
	{Name: "the queue takes one more", Set: few, File: ends, Edits: []string{"list && lane_ok && !full;", "list && lane_ok;"}},
	{Name: "a bad packet is given out", Set: few, File: ends, Edits: []string{"if (s_last && keep_q && s_good) begin", "if (s_last && keep_q) begin"}},
	{Name: "a packet of one beat is given out", Set: few, File: ends, Edits: []string{"if (s_last && keep_q && s_good) begin", "if (s_last && (keep_q || keep) && s_good) begin"}},
	{Name: "the third beat is stored", Set: few, File: ends, Edits: []string{"second_q <= keep && !s_last;", "second_q <= (keep || second_q) && !s_last;"}},
	{Name: "one word too few fits", Set: few, File: ends, Edits: []string{"value[11:9] <= stored[CONN_BITS+3 +: 3];", "{1'b0, value[11:9]} <= 4'd1 + {1'b0, stored[CONN_BITS+3 +: 3]};"}},
	{Name: "any version is understood", Set: few, File: ends, Edits: []string{"value[15:12] == '0 && ", ""}},
	{Name: "the connection changes while an entropy value waits", Set: few, File: ends, Edits: []string{"assign begins = go && !busy_q", "assign begins = !busy_q"}},
	{Name: "a list has an entropy value less", Set: few, File: ends, Edits: []string{"place_q == most_q;", "place_q == most_q - 4'd1;"}},
	{Name: "a mark is that of the next entropy value", Set: few, File: ends, Edits: []string{"m_mark  <= ce_q[place_q];", "m_mark  <= ce_q[place_q + 4'd1];"}},
	{Name: "a refused packet is not counted in the cycle of another", Set: few, File: top, Edits: []string{"COUNTER_BITS'(refused) + COUNTER_BITS'(wrong_q)", "COUNTER_BITS'(refused || wrong_q)"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer connections", Set: few, Params: func(p *params.Params) { p.Connections-- }},
	{Name: "a shorter list", Set: few, Params: func(p *params.Params) { p.List-- }},
	{Name: "no marks", Set: few, Inputs: benchtest.SetInput("s_fb_marks", 0)},
	{Name: "another PSN", Set: few, Inputs: benchtest.AddInput("s_fb_psn", 1)},
	{Name: "nothing comes again", Set: few, Inputs: benchtest.SetInput("s_fb_again", 0)},
	{Name: "another UDP length", Set: few, Inputs: benchtest.AddInput("s_list_words", 1)},
	{Name: "all packets are good", Set: few, Inputs: benchtest.SetInput("s_list_good", 1)},
	{Name: "always ready", Set: few, Inputs: benchtest.SetInput("m_axis_tready", 1)},
}
