// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic drives the unit with every kind of event, and sums up what it answers:
// one unknown bit in an output makes the sum unknown for good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] answers, output reg [31:0] thaws);
  reg  [31:0] t, lfsr;
  wire        ready, valid, freeze, thaw, illegal, seeded;
  wire [15:0] ev;
  wire  [2:0] source;
  wire [31:0] sends;

  nic_reps dut (
    .clk (clk), .rst (rst), .sts_ready (ready), .now_ns ({3'd0, t}),
    .s_ack_valid (lfsr[0] || lfsr[1]), .s_ack_conn ({14'd0, lfsr[3:2]}), .s_ack_port (1'b0), COALESCED
    .s_fail_valid (lfsr[5:4] == 2'd0), .s_fail_conn ({14'd0, lfsr[7:6]}), .s_fail_port (1'b0),
    .s_flush_valid (lfsr[12:8] == 5'd0), .s_flush_conn ({14'd0, lfsr[10:9]}), .s_flush_port (1'b0),
    .s_send_valid (lfsr[13] || lfsr[14]), .s_send_conn ({13'd0, lfsr[17:15]}), .s_send_port (lfsr[19:18] == 2'd0),
    .s_send_inject (lfsr[20]), .s_send_random (lfsr[31:16]),
    .m_ev_valid (valid), .m_ev (ev), .m_ev_source (source),
    .s_seed_valid (lfsr[25:21] == 5'd0), .s_seed_word (lfsr[15:0]),
    .cfg_mode (2'd0), .cfg_freezing (1'b1), .cfg_freezing_timeout_ns (35'd20),
    .cfg_num_pkts_cwnd (16'd9), .cfg_ev_base (16'd0),
    .evt_freeze (freeze), .evt_thaw (thaw), .evt_illegal (illegal), .sts_send_cnt (sends), .sts_seeded (seeded)
  );

  always @(posedge clk) begin
    t    <= t + 1;
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    sum  <= {sum[30:0], sum[31]} ^ {ready, valid, freeze, thaw, illegal, seeded} ^ sends;
    if (valid) begin
      sum     <= {sum[30:0], sum[31]} ^ {ev, source} ^ {ready, valid, freeze, thaw, illegal, seeded} ^ sends;
      answers <= answers + 1;
    end
    if (thaw) thaws <= thaws + 1;
    if (rst) begin
      t       <= 0;
      lfsr    <= 32'h1234567;
      sum     <= 0;
      answers <= 0;
      thaws   <= 0;
    end
  end
endmodule
`

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them: a simulator
// that knows X shows what the bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	for _, c := range []struct{ name, set, ack string }{
		{"block RAM", "state_memory=bram ev_memory=bram", ".s_ack_ev ({8'd0, lfsr[27:20]}), .s_ack_ecn (lfsr[28]),"},
		{"LUT RAM", "state_memory=lutram ev_memory=lutram", ".s_ack_ev ({8'd0, lfsr[27:20]}), .s_ack_ecn (lfsr[28]),"},
		{"reuse", "ack_coalescing=reuse ack_coalescing_ratio=3", ".s_ack_ev ({8'd0, lfsr[27:20]}), .s_ack_ecn (lfsr[28]),"},
		{"scrub", "state_protection=scrub", ".s_ack_ev ({8'd0, lfsr[27:20]}), .s_ack_ecn (lfsr[28]),"},
		{"triple", "state_protection=triple", ".s_ack_ev ({8'd0, lfsr[27:20]}), .s_ack_ecn (lfsr[28]),"},
		{"carry", "ack_coalescing=carry ack_coalescing_ratio=2",
			".s_ack_count (lfsr[19:18]), .s_ack_ev ({8'd0, lfsr[27:20], 8'd0, lfsr[23:16]}), .s_ack_ecn (lfsr[29:28]),"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := benchtest.Texts(t, suite.Configure(t, "connections=4 buffer_depth=4 explore_stride=2 "+c.set))
			text := strings.Replace(traffic, "COALESCED", c.ack, 1)
			benchtest.UnknownMemories(t, files, text, 400, map[string]uint64{"answers": 200, "thaws": 10})
		})
	}
}
