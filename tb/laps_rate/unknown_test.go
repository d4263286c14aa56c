// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic drives the unit with ACKs and openings from the first cycle after reset on,
// and sums up what it answers: one unknown bit in an output makes the sum unknown for
// good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] decreases,
                output reg [31:0] increases, output reg [31:0] held);
  reg  [31:0] now, lfsr;
  wire        ready, open_ready, valid, illegal;
  wire  [2:0] flow, cause;
  wire [11:0] current, expected;
  wire [15:0] n0, n1, n2, n3, n4, n5, n6, n7;

  nic_laps_rate dut (
    .clk (clk), .rst (rst), .sts_ready (ready), .now_ns (now[15:0]),
    .s_ack_valid (lfsr[0]), .s_ack_flow (lfsr[3:1]), OPERANDS
    .s_open_valid (lfsr[6:4] == 3'd0), .s_open_ready (open_ready), .s_open_flow (lfsr[9:7]),
    .m_rate_valid (valid), .m_rate_flow (flow), .m_rate_cause (cause), .m_rate_current (current), .m_rate_expected (expected),
    .cfg_max_rate (12'd4000), .cfg_min_rate (12'd40), .cfg_stages (4'd5), .evt_illegal (illegal),
    .sts_ack_cnt (n0), .sts_congested_cnt (n1), .sts_decrease_cnt (n2), .sts_increase_cnt (n3), .sts_hyper_cnt (n4),
    .sts_no_path_cnt (n5), .sts_open_cnt (n6), .sts_illegal_flow_cnt (n7)
  );

  always @(posedge clk) begin
    now  <= now + lfsr[4:0];
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    sum  <= {sum[30:0], sum[31]} ^ {ready, open_ready, valid, illegal} ^ {n0 ^ n1 ^ n2 ^ n3, n4 ^ n5 ^ n6 ^ n7} ^
            (valid ? {flow, cause, current, expected} : 0);
    if (valid && cause == 3'd0) held <= held + 1;
    if (valid && cause == 3'd1) decreases <= decreases + 1;
    if (valid && (cause == 3'd2 || cause == 3'd3)) increases <= increases + 1;
    if (rst) begin
      now       <= 0;
      lfsr      <= 32'h1234567;
      sum       <= 0;
      decreases <= 0;
      increases <= 0;
      held      <= 0;
    end
  end
endmodule
`

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them: a simulator
// that knows X shows what the bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	const (
		real = ".s_ack_usable (lfsr[11:10]), .s_ack_latency_ns ({lfsr[19:12], lfsr[27:20]}), "
		T    = ".s_ack_max_base_ns ({1'b0, lfsr[28:22]}),"
	)
	for _, c := range []struct{ name, set, operands string }{
		{"paths in block RAM", "state_memory=bram", real + ".s_ack_base_ns ({2'b00, lfsr[27:22], 1'b0, lfsr[30:24]}),"},
		{"latencies in LUT RAM, other intervals", "state_memory=lutram operands=latencies decrease_interval=max increase_interval=base", real + T},
		{"extremes", "operands=extremes", ".s_ack_usable (lfsr[10]), .s_ack_min_latency_ns (lfsr[19:12])," + T},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := suite.Configure(t, "flows=5 flow_bits=3 paths=2 lat_bits=8 time_bits=16 rate_bits=12 counter_bits=16 max_rate=4000 min_rate=40 "+c.set)
			text := strings.Replace(traffic, "OPERANDS", c.operands, 1)
			benchtest.UnknownMemories(t, benchtest.Texts(t, p), text, 400, map[string]uint64{"decreases": 5, "increases": 20, "held": 10})
		})
	}
}
