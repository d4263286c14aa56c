// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic writes two paths for each of two destinations, then drives the unit with
// every kind of event, and sums up what it answers: one unknown bit in an output makes
// the sum unknown for good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] paths, output reg [31:0] rates,
                output reg [31:0] extras);
  reg  [31:0] t, step, lfsr;
  wire        ready, path, none, probe, route_ready, routed, answer_ready, ack_ready, open_ready, rate, cfg_ready, bad, bad2;
  wire  [3:0] tag;
  wire  [4:0] pid, probe_pid;
  wire [31:0] anchors;
  wire  [2:0] flow, cause;
  wire [15:0] current, expected, packets;
  wire        listed = step >= 12;
  reg   [1:0] op;
  reg         last_dst;

  // Of destination d: path d of bank 0 and of bank 1, each written and listed; commit.
  wire        dst = step >= 6;
  wire  [2:0] part = dst ? step[2:0] - 3'd6 : step[2:0];

  nic_laps dut (
    .clk (clk), .rst (rst), .sts_ready (ready), .now_ns (t[15:0]),
    .s_packet_valid (listed && lfsr[0]), .s_packet_dst ({1'b0, lfsr[2:1]}), .s_packet_tag (lfsr[6:3]),
    .m_path_valid (path), .m_path_tag (tag), .m_path_none (none), .m_path_pid (pid), .m_path_anchors (anchors),
    .m_probe_valid (probe), .m_probe_pid (probe_pid), .m_probe_dst (),
    .s_route_valid (listed && lfsr[7]), .s_route_ready (route_ready), .s_route_pid ({2'd0, lfsr[8], 1'b0, lfsr[9]}), .m_route_valid (routed),
    .s_answer_valid (listed && lfsr[11:10] == 2'd0), .s_answer_ready (answer_ready), .s_answer_pid ({2'd0, lfsr[12], 1'b0, lfsr[13]}),
    .s_answer_delay_ns ({26'd0, lfsr[19:14]}),
    .s_ack_valid (listed && lfsr[20]), .s_ack_ready (ack_ready), .s_ack_pid ({2'd0, lfsr[12], 1'b0, lfsr[13]}), .s_ack_flow (lfsr[23:21]),
    .s_ack_delay_ns ({26'd0, lfsr[29:24]}),
    .s_open_valid (lfsr[31:28] == 4'd0), .s_open_ready (open_ready), .s_open_flow (lfsr[23:21]),
    .m_rate_valid (rate), .m_rate_flow (flow), .m_rate_cause (cause), .m_rate_current (current), .m_rate_expected (expected),
    .s_cfg_valid (!listed), .s_cfg_ready (cfg_ready),
    .s_cfg_op (part == 3'd4 || part == 3'd5 ? 2'd1 : part[0] ? 2'd0 : 2'd2), .s_cfg_pid ({2'd0, part[1], 1'b0, dst}), .s_cfg_dst ({2'd0, dst}),
    .s_cfg_scale ({5'd15, 16'h8000}), .s_cfg_latency (8'd20), .s_cfg_base (8'd25), .s_cfg_anchors (step),
    .s_seed_valid (1'b0), .s_seed_word (16'd0),
    .cfg_beta (16'h8000), .cfg_max_rate (16'd25600), .cfg_min_rate (16'd256), .cfg_stages (4'd5),
    LOSS
    .evt_paths_illegal (bad), .evt_rate_illegal (bad2), .sts_packet_cnt (packets)
  );

  wire [31:0] levels = {ready, path, probe, route_ready, routed, answer_ready, ack_ready, open_ready, rate, cfg_ready, bad, bad2} ^ packets;
  wire [31:0] of_path = path && !none ? {pid, tag} ^ anchors : 32'd0;
  wire [31:0] of_rate = rate ? {current, expected} ^ {flow, cause} : 32'd0;

  always @(posedge clk) begin
    t    <= t + 1;
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    sum  <= {sum[30:0], sum[31]} ^ levels ^ of_path ^ of_rate ^ more;
    if (cfg_ready && !listed) step <= part == 3'd4 ? step + 2 : step + 1;
    if (path && !none) paths <= paths + 1;
    if (rate && cause != 3'd4) rates <= rates + 1;
    if (extra) extras <= extras + 1;
    if (rst) begin
      t      <= 0;
      step   <= 0;
      lfsr   <= 32'h1234567;
      sum    <= 0;
      paths  <= 0;
      rates  <= 0;
      extras <= 0;
    end
  end
MORE
endmodule
`

// lossPorts are the ports of the loss detector, and lossSum is what goes into the sum of
// them.
const (
	lossPorts = `.s_packet_track (1'b1), .s_packet_flow (lfsr[23:21]), .s_packet_seq (t[7:0]), .m_send_valid (sent), .m_send_stored (stored),
    .s_ack_seq (t[7:0] - 8'd40), .m_ack_valid (acked), .m_ack_pid (acked_pid), .m_ack_flow (acked_flow), .m_ack_seq (acked_seq), .m_ack_cause (acked_cause),
    .m_lost_valid (lost), .m_lost_ready (1'b1), .m_lost_pid (lost_pid), .m_lost_flow (lost_flow), .m_lost_seq (lost_seq), .m_lost_timeout (timeout),
    .cfg_rto_min_ns (14'd30),`
	lossSum = `
  wire       sent, stored, acked, lost, timeout;
  wire [4:0] acked_pid, lost_pid;
  wire [2:0] acked_flow, lost_flow;
  wire [7:0] acked_seq, lost_seq;
  wire [1:0] acked_cause;
  wire        extra = lost;
  wire [31:0] more = {sent, acked, lost} ^ (sent && stored) ^ (acked ? {acked_pid, acked_flow, acked_seq, acked_cause} : 0) ^
                     (lost ? {lost_pid, lost_flow, lost_seq, timeout, 4'd0} : 0);
`
)

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them.
func TestUnknownMemories(t *testing.T) {
	for _, c := range []struct{ name, set, ports, sum string }{
		{"with Algorithm 3", "", lossPorts, lossSum},
		{"without", " loss=false picker=lookup ack_lookup=own baselines=paths", "", "\n  wire extra = routed;\n  wire [31:0] more = 0;\n"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := benchtest.Texts(t, suite.Configure(t, small+c.set))
			text := strings.NewReplacer("    LOSS\n", "    "+c.ports+"\n", "MORE", "").Replace(traffic)
			text = strings.Replace(text, "  wire [31:0] levels", c.sum+"  wire [31:0] levels", 1)
			benchtest.UnknownMemories(t, files, text, 500, map[string]uint64{"paths": 60, "rates": 40, "extras": 10})
		})
	}
}
