// SPDX-License-Identifier: Apache-2.0

package dcsimresponder_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/benchtest"
	responder "github.com/nicgen/nicgen/tb/dcsim_responder"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: responder.Unit, Measure: responder.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 700, Misses: "data/missed"},
	Overrides: overrides, OverrideCycles: 300_000,
	Illegal: []benchtest.Illegal{
		{Check: "g_check_flow_bits", Params: map[string]string{"FLOW_BITS": "0"}, Verilator: benchtest.NoWidth,
			Yosys: "Static cast with zero or negative size!"},
		{Check: "g_check_flow_fits", Params: map[string]string{"FLOW_BITS": "7"}},
	},
	Planted: planted, Bugs: bugs, Limit: 900, // a flow's time is over after some hundred cycles at the earliest
	Models: models,
	Sweep: &benchtest.Bug{File: fileVisit, Edits: []string{
		"if (lap || rst) begin\n      scan_q", "if (lap) begin\n      scan_q",
		"scan_q;     // the next one of the scan", "scan_q = '0;",
	}},
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and both sides of the numbers of rows at which
// memories change.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 400_000},
	{Name: "smallest", Set: "flows=1 flow_bits=1 port_bits=8 tag_bits=4 places=32 sim_acks=2 probe_bytes=64 ram_latency=1 counter_bits=8 clock_hz=50000000 " +
		"data_ack_every=1 data_ack_ns=2860 packet_bytes=256", Cycles: 400_000},
	{Name: "largest", Set: "flows=1024 flow_bits=24 port_bits=16 tag_bits=16 places=128 sim_acks=64 probe_bytes=256 ram_latency=2 counter_bits=64 " +
		"clock_hz=1000000000 data_ack_every=16 data_ack_ns=1000000 packet_bytes=9216", Cycles: 1_000_000},
	{Name: "few flows, late memories", Set: "flows=3 flow_bits=2 ram_latency=2 sim_acks=4 port_bits=11 tag_bits=13 probe_bytes=100 counter_bits=21", Cycles: 400_000},
	{Name: "more places", Set: "flows=5 flow_bits=3 places=64 sim_acks=8", Cycles: 400_000},
	{Name: "LUTRAM", Set: "flows=64 flow_bits=6", Cycles: 400_000},
	{Name: "block RAM", Set: "flows=65 flow_bits=7", Cycles: 400_000},
	{Name: "tags in LUTRAM", Set: "flows=2 flow_bits=1 data_ack_ns=2560", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by overriding
// SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "flow_bits", Set: "flow_bits=8"},
	{Name: "flow_bits upwards", Set: "flow_bits=24"},
	{Name: "port_bits", Set: "port_bits=9"},
	{Name: "tag_bits", Set: "tag_bits=5"},
	{Name: "probe_bytes", Set: "probe_bytes=128"},
	{Name: "ram_latency", Set: "ram_latency=2"},
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "all", Emitted: small, Set: small + " flow_bits=3 port_bits=10 tag_bits=7 probe_bytes=100 ram_latency=2 counter_bits=11"},
}

// small is the configuration in which planted bugs are looked for.
const small = "flows=3 flow_bits=4 sim_acks=4"

// The files with the mistakes.
const (
	top       = "nic_dcsim_responder.sv"
	fileVisit = "nic_dcsim_responder_visit.sv"
	fileTags  = "nic_dcsim_responder_tags.sv"
	fileOut   = "nic_dcsim_responder_out.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in DCSIM's receiving host\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the receiving host](dcsim_responder.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n" +
	"writes a replay file that fails in the same way. The last column counts the cycles with an event or a\n" +
	"request in the shrunk stimulus."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "a SIM-ACK with the port of the next packet", File: top, Set: small, Edits: []string{"p1_port_q       <= p0_port_q;", "p1_port_q       <= p0_valid_q ? s_rx_port : p0_port_q;"}},
	{Name: "a SIM is answered although it is too long", File: top, Set: small, Edits: []string{"32'(p0_bytes_q) <= PROBE_BYTES", "32'(p0_bytes_q) <= PROBE_BYTES + 1"}},
	{Name: "a DATA of the largest length is refused", File: top, Set: small, Edits: []string{"{1'b0, p0_bytes_q} + {1'b0, ~cfg_data_bytes}", "{1'b0, p0_bytes_q} + {1'b0, ~cfg_data_bytes} + 1'b1"}},
	{Name: "no length is a length", File: top, Set: small, Edits: []string{"p0_bytes_q != '0 &&", "(p0_bytes_q != '0 || p0_sim) &&"}},
	{Name: "a DATA-ACK counts as a DATA", File: top, Set: small, Edits: []string{"p0_sim || p0_class_q == CLASS_DATA", "p0_sim || (p0_class_q | 2'd1) == CLASS_DATA"}},
	{Name: "a flow that does not exist is answered", File: top, Set: small, Edits: []string{"32'(p0_flow_q) < FLOWS;", "32'(p0_flow_q) < FLOWS + 1;"}},
	{Name: "a packet with two mistakes counts twice", File: top, Set: small, Edits: []string{"p0_valid_q && p0_class && p0_flow && !p0_length;", "p0_valid_q && p0_class && !p0_length;"}},
	{Name: "a missed SIM counts as answered", File: top, Set: small, Edits: []string{"sim_q            <= p1_sim_q && sim_room;", "sim_q            <= p1_sim_q;"}},
	{Name: "a DATA is written over the oldest tag", File: fileTags, Set: small, Edits: []string{"take   = pd_data && room;", "take   = pd_data && (room || pe_take_q);"}},
	{Name: "a place is free when its DATA-ACK is made", File: fileTags, Set: small, Edits: []string{"pd_tail[PLACE_W-1:0] != pd_read[PLACE_W-1:0] ||\n                  pd_tail[PTR_W-1] == pd_read[PTR_W-1];",
		"pd_tail[PLACE_W-1:0] != pd_head[PLACE_W-1:0] ||\n                  pd_tail[PTR_W-1] == pd_head[PTR_W-1] || &{1'b0, pd_read};"}},
	{Name: "a bell rings one DATA late", File: fileTags, Set: small, Edits: []string{"pe_wait_q - PTR_W'(every);", "pe_wait_q - PTR_W'(every) - 1'b1;"}},
	{Name: "a bell rings once only", File: fileTags, Set: small, Edits: []string{"pe_over < PTR_W'(8)", "pe_over < PTR_W'(1)"}},
	{Name: "a gap between two DATA-ACKs", File: fileTags, Set: small, Edits: []string{"(!now_q || (go && now_left_q == '0))", "!now_q"}},
	{Name: "the queue of tags overflows", File: fileTags, Set: small, Edits: []string{"now_q && !out_cnt_q[OUT_CNT-1];", "now_q && !(out_cnt_q[OUT_CNT-1] && out_cnt_q[0]);"}},
	{Name: "a reset leaves a DATA-ACK", File: fileTags, Set: small, Edits: []string{"      next_q      <= 1'b0;\n      now_q       <= 1'b0;\n", "      next_q      <= 1'b0;\n"}},
	{Name: "read pointers are not cleared", File: fileTags, Set: small, Edits: []string{"read_wr = clear || go;", "read_wr = go;"}},
	{Name: "17 tags in a DATA-ACK", File: fileVisit, Set: small, Edits: []string{"d_wait_q <= PTR_W'(16);", "d_wait_q <= PTR_W'(17);"}},
	{Name: "a DATA-ACK for one DATA less", File: fileVisit, Set: small, Edits: []string{"d_wait_q > PTR_W'(every);", "d_wait_q >= PTR_W'(every);"}},
	{Name: "a DATA-ACK of nothing", File: fileVisit, Set: small, Edits: []string{"(d_over_q && d_wait_q != '0)", "d_over_q"}},
	{Name: "the time is over half of it early", File: fileVisit, Set: small, Edits: []string{"a_age >= STAMP_W'(8);", "a_age >= STAMP_W'(4);"}},
	{Name: "a tick is 16 clocks too long", File: fileVisit, Set: small, Edits: []string{"grains_q >= tick;", "grains_q > tick;"}},
	{Name: "the time is over a tick late", File: fileVisit, Set: small, Edits: []string{"a_age >= STAMP_W'(8);", "a_age > STAMP_W'(8);"}},
	{Name: "all ticks of a lap count", File: fileVisit, Set: small, Edits: []string{"ticked_q != '1 && ready_q;", "(ticked_q != '1 || ready_q) && ready_q;"}},
	{Name: "seven ticks count, in all laps", File: fileVisit, Set: small, Edits: []string{"if (lap || rst) begin\n      ticked_q", "if (rst) begin\n      ticked_q"}},
	{Name: "a tick at the end of a lap is of the next one", File: fileVisit, Set: small, Edits: []string{"ticked_q <= '0;", "ticked_q <= 3'(advance && !rst);"}},
	{Name: "the time begins with the decision", File: fileVisit, Set: small, Edits: []string{"d_count_q[STAMP_W-2:0]};", "d_count_q[STAMP_W-2:0] & '0 | count_q[STAMP_W-2:0]};"}},
	{Name: "the time of what is left begins anew", File: fileVisit, Set: small, Edits: []string{"d_count_q[STAMP_W-1] ^ !all", "d_count_q[STAMP_W-1]"}},
	{Name: "bells before the scan, always", File: fileVisit, Set: small, Edits: []string{"bells_any && scanned_q && ready_q;", "bells_any && (scanned_q || ready_q) && ready_q;"}},
	{Name: "a visit does not wait", File: fileVisit, Set: small, Edits: []string{"waits  = decide && wanted && !start_ready;", "waits  = 1'b0 && decide && wanted && !start_ready;"}},
	{Name: "the head moves before the DATA-ACK is taken", File: fileVisit, Set: small, Edits: []string{"(wanted ? start_ready : d_wait_q == '0)", "(wanted || d_wait_q == '0)"}},
	{Name: "the last flow is not cleared", File: fileVisit, Set: small, Edits: []string{"last_q    <= lapped_q;", "last_q    <= lapped_q || scan_q != '0;"}},
	{Name: "an offered word changes", File: fileOut, Set: small, Edits: []string{"free = !m_valid || m_ready;", "free = !m_valid || m_ready || any;"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "fewer flows", Set: small, Params: func(p *params.Params) { p.Flows = 2 }},
	{Name: "more places", Set: small, Params: func(p *params.Params) { p.Places = 64 }},
	{Name: "fewer SIM-ACKs", Set: small, Params: func(p *params.Params) { p.SIMAcks = 2 }},
	{Name: "a longer SIM", Set: small, Params: func(p *params.Params) { p.ProbeBytes++ }},
	{Name: "a cycle later", Set: small, Params: func(p *params.Params) { p.RAMLatency = 2 }},
	{Name: "one more for a DATA-ACK", Set: small, Inputs: benchtest.AddInput("cfg_every", 1)},
	{Name: "a tick one more", Set: small, Inputs: benchtest.AddInput("cfg_tick", 1)},
	{Name: "a longer DATA", Set: small, Inputs: benchtest.AddInput("cfg_data_bytes", 1)},
	{Name: "sees no port", Set: small, Inputs: benchtest.SetInput("s_rx_port", 0)},
}
