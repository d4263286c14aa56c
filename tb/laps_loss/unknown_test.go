// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic drives the unit with sends and ACKs, most of them in order, on 4 paths, and
// sums up what it answers: one unknown bit in an output makes the sum unknown for good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] acks, output reg [31:0] skips,
                output reg [31:0] losses, output reg [31:0] timeouts);
  reg  [31:0] t, lfsr;
  reg   [7:0] sent [4];
  reg   [7:0] gone [4];
  wire        ready, room, stored, answered, acked, lost, late;
  wire  [2:0] ack_path, lost_path;
  wire  [1:0] cause, lost_flow, ack_flow;
  wire  [7:0] ack_seq, lost_seq;
  wire [31:0] counts [10];

  wire  [1:0] from = lfsr[3:2];
  wire  [1:0] to   = t[6] ? lfsr[9:8] : t[8:7];
  wire        send = lfsr[0] || lfsr[1];
  wire        ack  = (lfsr[4] || t[6]) && (sent[to] != gone[to] || lfsr[15:13] == 3'd0);
  wire        skip = lfsr[19:16] == 4'd0;

  nic_laps_loss dut (
    .clk (clk), .rst (rst), .sts_ready (ready), .now_ns (t[15:0]),
    .s_send_valid (send), .s_send_pid ({lfsr[31:28] == 4'd0, from}), .s_send_flow (2'd1), .s_send_seq (sent[from]), .s_send_latency_ns (8'd20),
    .m_send_valid (answered), .m_send_stored (stored),
    .s_ack_valid (ack), .s_ack_ready (room), .s_ack_pid ({1'b0, to}), .s_ack_flow (2'd1), .s_ack_seq (gone[to] + {7'd0, skip}),
    .s_ack_latency_ns (8'd30),
    .m_ack_valid (acked), .m_ack_pid (ack_path), .m_ack_flow (ack_flow), .m_ack_seq (ack_seq), .m_ack_cause (cause),
    .m_lost_valid (lost), .m_lost_ready (lfsr[21]), .m_lost_pid (lost_path), .m_lost_flow (lost_flow), .m_lost_seq (lost_seq),
    .m_lost_timeout (late), .cfg_rto_min_ns (14'd50),
    .sts_send_cnt (counts[0]), .sts_full_cnt (counts[1]), .sts_ack_cnt (counts[2]), .sts_skip_cnt (counts[3]),
    .sts_ignored_cnt (counts[4]), .sts_lost_cnt (counts[5]), .sts_timeout_cnt (counts[6]), .sts_expired_cnt (counts[7]),
    .sts_illegal_path_cnt (counts[8]), .sts_not_ready_cnt (counts[9])
  );

  integer i;
  reg [31:0] next;
  always @(posedge clk) begin
    t    <= t + 1;
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    next = {sum[30:0], sum[31]} ^ {ready, room, answered, stored, acked, lost};
    for (i = 0; i < 10; i = i + 1) next = {next[30:0], next[31]} ^ counts[i];
    if (acked) next = next ^ {ack_path, ack_flow, ack_seq, cause};
    if (lost) next = next ^ {lost_path, lost_flow, lost_seq, late, 8'd0};
    sum      <= next;
    acks     <= counts[2];
    skips    <= counts[3];
    losses   <= counts[5];
    timeouts <= counts[6];
    if (ready && send && lfsr[31:28] != 4'd0) sent[from] <= sent[from] + 1;
    if (ready && ack && room) gone[to] <= gone[to] + 1 + {7'd0, skip};
    if (rst) begin
      t    <= 0;
      lfsr <= 32'h1234567;
      sum  <= 0;
      for (i = 0; i < 4; i = i + 1) begin
        sent[i] <= 0;
        gone[i] <= 0;
      end
    end
  end
endmodule
`

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them, nor on what ACKs
// read that follow one that is not in order: a simulator that knows X shows what the
// bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	const set = "depth=16 lanes=4 flow_bits=2 seq_bits=8 time_bits=16 lat_bits=8 ack_queues=2 counter_bits=32 "
	for _, c := range []struct{ name, set string }{
		{"LUT RAM", "paths=4 pid_bits=3 ring_memory=lutram"},
		{"block RAM and ultra RAM", "paths=65 pid_bits=7 ring_memory=uram"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			benchtest.UnknownMemories(t, benchtest.Texts(t, suite.Configure(t, set+c.set)), traffic, 1500,
				map[string]uint64{"acks": 150, "skips": 10, "losses": 10, "timeouts": 3})
		})
	}
}
