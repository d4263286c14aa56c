// SPDX-License-Identifier: Apache-2.0

package dcsimport_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/benchtest"
	port "github.com/nicgen/nicgen/tb/dcsim_port"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: port.Unit, Measure: port.Measure,
	Corners:   corners,
	Short:     benchtest.Short{Cycles: 300, Misses: "reset/offer"},
	Overrides: overrides, OverrideCycles: 300_000,
	Planted: planted, Bugs: bugs, Limit: 60,
	Models: models,
}

func TestBench(t *testing.T) { suite.Test(t) }

// BenchmarkPredictor is the golden side of a cycle.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }

// corners covers both ends of every parameter, and both sides of the number of rows at which the
// memory changes.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 400_000},
	{Name: "smallest", Set: "descriptors=16 queue_depth=2 tag_bits=1 max_bytes=64 byte_bits=14 bucket=1 token_bits=8 counter_bits=8 clock_hz=400000000 " +
		"rate_gbps=800 packet_bytes=332 probe_bytes=80 gap_bytes=0 queue=1 data_packets=1 data_bytes=64", Cycles: 400_000},
	{Name: "largest", Set: "descriptors=4096 queue_depth=32 tag_bits=32 max_bytes=16000 byte_bits=28 bucket=2 token_bits=48 counter_bits=64 clock_hz=1000000000 " +
		"rate_gbps=800 packet_bytes=9216 probe_bytes=256 gap_bytes=255 queue=32 data_packets=4000 data_bytes=268435455", Cycles: 800_000},
	{Name: "slowest", Set: "clock_hz=50000000 rate_gbps=10 packet_bytes=256 probe_bytes=64", Cycles: 400_000},
	{Name: "LUTRAM", Set: "descriptors=64 queue_depth=8 queue=8 data_packets=40 tag_bits=7 max_bytes=4321 byte_bits=19 token_bits=21 counter_bits=21", Cycles: 400_000},
	{Name: "block RAM", Set: "descriptors=128 queue_depth=16 data_packets=80", Cycles: 400_000},
	{Name: "largest DATA queue", Set: "descriptors=4096 queue_depth=2 queue=2 data_packets=4090", Cycles: 400_000},
}

// overrides are configurations of which one is emitted and the other made of it by overriding
// SystemVerilog parameters at instantiation.
var overrides = []benchtest.Override{
	{Name: "counter_bits", Set: "counter_bits=8"},
	{Name: "counter_bits, small", Emitted: small, Set: small + " counter_bits=11"},
}

// small is the configuration in which planted bugs are looked for.
const small = "descriptors=32 queue_depth=4 queue=4 tag_bits=8 byte_bits=16 data_packets=20 data_bytes=50000"

// The files with the mistakes.
const (
	top       = "nic_dcsim_port.sv"
	fileLine  = "nic_dcsim_port_line.sv"
	fileSmall = "nic_dcsim_port_small.sv"
	fileData  = "nic_dcsim_port_data.sv"
)

// planted is the introduction of the table of planted bugs.
const planted = "# Bugs planted in DCSIM's egress port\n\n" +
	"Each row is a mistake put into the emitted SystemVerilog of a small configuration of\n" +
	"[the port](dcsim_port.md). Co-simulation with seed 1 notices it, shrinks the stimulus, and\n" +
	"writes a replay file that fails in the same way. The last column counts the cycles with a frame that\n" +
	"comes or a pause in the shrunk stimulus."

// bugs are mistakes in the RTL.
var bugs = []benchtest.Bug{
	{Name: "SIM-ACKs go before SIMs", File: top, Set: small, Edits: []string{"sim_some ? SIM : small_some[1] ? 2'd1 :", "small_some[1] ? 2'd1 : sim_some ? SIM :"}},
	{Name: "a SIM waits for its token with all behind it", File: top, Set: small, Edits: []string{"|| data_some);", "|| data_some) && (token_ready || !small_some[0]);"}},
	{Name: "a SIM needs no token", File: top, Set: small, Edits: []string{"small_some[0] && token_ready", "small_some[0]"}},
	{Name: "tokens are used by all", File: top, Set: small, Edits: []string{".take  (take && class_q == SIM)", ".take  (take && token_ready)"}},
	{Name: "a token is used when a SIM is picked", File: top, Set: small, Edits: []string{".take  (take && class_q == SIM)", ".take  (pick && winner == SIM)"}},
	{Name: "a SIM that comes takes the place of an offered frame", File: top, Set: small, Edits: []string{"assign line_class = valid_q ? class_q : winner;", "assign line_class = (valid_q && !sim_some) ? class_q : winner;"}},
	{Name: "a class above 3 is taken", File: top, Set: small, Edits: []string{"32'(p0_class_q) <= 32'(DATA) && ", "32'(p0_class_q) <= 32'(4) && "}},
	{Name: "a length of 0 is taken", File: top, Set: small, Edits: []string{"p0_len_q != '0 && ", ""}},
	{Name: "one byte more than the maximum is taken", File: top, Set: small, Edits: []string{"32'(p0_len_q) <= MAX_BYTES;", "32'(p0_len_q) <= MAX_BYTES + 1;"}},
	{Name: "the frame on the line counts in a small queue", File: fileSmall, Set: small, Edits: []string{"    gone_q <= rd_q;\n", "    if (pop) begin\n      gone_q <= rd_q;\n    end\n"}},
	{Name: "B + 1 packets in a small queue", File: fileSmall, Set: small, Edits: []string{"32'(fill) >= 32'(most)", "32'(fill) > 32'(most)"}},
	{Name: "more packets than rows", File: fileSmall, Set: small, Edits: []string{"fill[DEPTH_W] || ", ""}},
	{Name: "SIM-ACKs share the rows of SIMs", File: fileSmall, Set: small, Edits: []string{"m_class[0] ? rd_q[PTR_W +: DEPTH_W]", "m_class[0] ? rd_q[0 +: DEPTH_W]"}},
	{Name: "DATAs wrap to row 0", File: fileData, Set: small, Edits: []string{"rd_q <= (rd_q == '1) ? ROW_W'(FIRST) : rd_q + 1'b1;", "rd_q <= rd_q + 1'b1;"}},
	{Name: "a DATA too many", File: fileData, Set: small, Edits: []string{"packets_q >= most_packets", "packets_q > most_packets"}},
	{Name: "rows of DATAs are not counted", File: fileData, Set: small, Edits: []string{" || packets_q == ROW_W'(ROWS)", " || (1'b0 && packets_q == ROW_W'(ROWS))"}},
	{Name: "the last byte stays free", File: fileData, Set: small, Edits: []string{"bytes_q > most_bytes[BYTE_W-1:0]", "bytes_q >= most_bytes[BYTE_W-1:0]"}},
	{Name: "bytes of a DATA that leaves beside one that comes are not given back", File: fileData, Set: small, Edits: []string{
		"(push ? bytes_q + BYTE_W'(s_len) : bytes_q) - BYTE_W'(popped_len_q);", "push ? bytes_q + BYTE_W'(s_len) : bytes_q - BYTE_W'(popped_len_q);"}},
	{Name: "an empty DATA queue offers a row", File: fileData, Set: small, Edits: []string{"packets_q != ROW_W'(popped_q)", "packets_q != '0"}},
	{Name: "the line keeps no fraction", File: fileLine, Set: small, Edits: []string{"{credit_q, 1'b1} +", "{pick ? '0 : credit_q, 1'b1} +"}},
	{Name: "two clocks late are forgotten", File: fileLine, Set: small, Edits: []string{"if (rst || (free", "if (rst || (pick && credit_q >= {rate_q[CREDIT_W-2:0], 1'b0}) || (free"}},
	{Name: "an idle line saves up", File: fileLine, Set: small, Edits: []string{"(free && !pick && !take && !hold)", "(free && !pick && !take && !hold && credit_q == '0)"}},
	{Name: "the line may be late without a bound", File: fileLine, Set: small, Edits: []string{"(pick && late)", "(pick && late && 1'b0)"}},
	{Name: "a late line forgets how late it is", File: fileLine, Set: small, Edits: []string{"      credit_q <= credit_q;\n", "      credit_q <= hold ? credit_q : '0;\n"}},
	{Name: "the gap is left out", File: fileLine, Set: small, Edits: []string{" - CREDIT_W'({gap, FRAC_W'(0)})", " - CREDIT_W'({gap & '0, FRAC_W'(0)})"}},
	{Name: "a pause counts as time of the line", File: fileLine, Set: small, Edits: []string{"if (hold || ", "if ((hold && 1'b0) || "}},
	{Name: "each frame is a little longer", File: fileLine, Set: small, Edits: []string{"{credit_q, 1'b1} + {change, take}", "{credit_q, 1'b1} + {change, 1'b0}"}},
	{Name: "a dropped DATA-ACK counts as a DATA too", File: top, Set: small, Edits: []string{"sts_data_drop_cnt + COUNTER_BITS'(p2_drop_q && p2_class_q == DATA)", "sts_data_drop_cnt + COUNTER_BITS'(p2_drop_q && p2_class_q[1])"}},
	{Name: "a reset leaves an offered frame", File: top, Set: small, Edits: []string{"    class_q <= line_class;\n    if (rst_q) begin\n      valid_q <= 1'b0;\n    end\n", "    class_q <= line_class;\n"}},
	{Name: "a reset leaves the bytes", File: fileData, Set: small, Edits: []string{"      bytes_q      <= '0;\n", ""}},
	{Name: "a reset leaves the line busy", File: fileLine, Set: small, Edits: []string{"if (rst || (free", "if ((rst && 1'b0) || (free"}},
}

// models are wrong golden models.
var models = []benchtest.WrongModel[*params.Params]{
	{Name: "a bucket of one", Set: small, Params: func(p *params.Params) { p.Bucket = 1 }},
	{Name: "shorter frames only", Set: small, Params: func(p *params.Params) { p.MaxBytes-- }},
	{Name: "fewer rows", Set: small, Params: func(p *params.Params) { p.QueueDepth = 2 }},
	{Name: "a queue of one more", Set: small, Inputs: benchtest.AddInput("cfg_queue", 1)},
	{Name: "a DATA more", Set: small, Inputs: benchtest.AddInput("cfg_data_packets", 1)},
	{Name: "a byte more", Set: small, Inputs: benchtest.AddInput("cfg_data_bytes", 1)},
	{Name: "a faster line", Set: small, Inputs: benchtest.AddInput("cfg_line_rate", 1)},
	{Name: "a longer gap", Set: small, Inputs: benchtest.AddInput("cfg_gap", 1)},
	{Name: "a token costs one more", Set: small, Inputs: benchtest.AddInput("cfg_token_cost", 1)},
	{Name: "no SIMs", Set: small, Inputs: benchtest.SetInput("s_frame_class", 3)},
}
