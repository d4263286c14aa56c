// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"strconv"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic drives the unit with ACKs of two hops or with round-trip times, and sums up
// what it answers: one unknown bit in an output makes the sum unknown for good.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] answers, output reg [31:0] updates);
  reg  [31:0] t, lfsr, header;
  reg         second;
  wire        ready, ack_ready, flush_ready, valid;
  wire  [5:0] conn;
  wire [24:0] bytes;
  wire [23:0] rate;
  wire [25:0] norm, power;
  wire  [2:0] cause;
  wire [31:0] acks, firsts, lows, highs, flushes, illegals;
  wire        theta  = THETA;
  wire [63:0] first  = {lfsr[16:0], t[19:0], t[21:0], 2'd0, lfsr[20:18]};
  wire [63:0] other  = {17'd3, t[18:0], 1'b0, t[23:0], lfsr[23:21]};
  wire        ack    = lfsr[0] || lfsr[1] || second;
  wire        last   = BEATS == 1 || theta || second;

  nic_powertcp dut (
    .clk (clk), .rst (rst), .sts_ready (ready),
    .s_ack_valid (ack), .s_ack_ready (ack_ready), .s_ack_conn ({3'd0, header[2:0]}),
    .s_ack_seq (t), .s_ack_snd_nxt (t + 32'd40), .s_ack_path (12'd0), TELEMETRY
    .s_flush_valid (lfsr[12:8] == 5'd0), .s_flush_ready (flush_ready), .s_flush_conn ({3'd0, lfsr[11:9]}),
    .m_win_valid (valid), .m_win_conn (conn), .m_win_bytes (bytes), .m_win_rate (rate),
    .m_win_norm (norm), .m_win_power (power), .m_win_cause (cause),
    SETTINGS
    .sts_ack_cnt (acks), .sts_first_cnt (firsts), .sts_clamp_low_cnt (lows), .sts_clamp_high_cnt (highs),
    .sts_flush_cnt (flushes), .sts_illegal_conn_cnt (illegals)
  );

  always @(posedge clk) begin
    t    <= t + 1;
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    if (ack && ack_ready) begin
      second <= !last;
      if (last) header <= lfsr >> 5;
    end
    sum <= {sum[30:0], sum[31]} ^ {ready, ack_ready, flush_ready, valid} ^ acks ^ firsts ^ lows ^ highs ^ flushes ^ illegals;
    if (valid) begin
      sum     <= {sum[30:0], sum[31]} ^ {cause, conn} ^ bytes ^ rate ^ norm ^ power ^ acks ^ lows;
      answers <= answers + 1;
      if (cause == 3'd0) updates <= updates + 1;
    end
    if (rst) begin
      t       <= 0;
      lfsr    <= 32'h1234567;
      header  <= 0;
      second  <= 0;
      sum     <= 0;
      answers <= 0;
      updates <= 0;
    end
  end
endmodule
`

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them: a simulator
// that knows X shows what the bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	const (
		table = ".s_rate_valid (1'b0), .s_rate_code (3'd0), .s_rate_entry (64'd0), .s_ack_hop_cnt (5'd2), "
		rtt   = ".now_ns (t), .s_ack_rtt_valid (lfsr[24]), .s_ack_rtt_ns ({12'd0, lfsr[20:13]}), "
	)
	for _, c := range []struct{ name, set, beats, theta, telemetry string }{
		{"block RAM", "state_memory=bram", "2", "1'b0", table + ".s_ack_hop (second ? other : first),"},
		{"LUT RAM, an ACK a cycle", "state_memory=lutram throughput=ack", "1", "1'b0", table + ".s_ack_hop ({other, first}),"},
		{"theta", "variant=theta", "1", "1'b1", rtt},
		{"triple", "state_memory=bram state_protection=triple", "2", "1'b0", table + ".s_ack_hop (second ? other : first),"},
		{"base RTT observed", "state_memory=bram base_rtt=observed", "2", "1'b0", table +
			".s_ack_rtt_valid (header[24]), .s_ack_rtt_ns ({12'd0, header[20:13]}), .s_ack_hop (second ? other : first),"},
		{"both", "variant=both state_memory=uram", "2", "header[1]", table + rtt + ".s_ack_theta (theta), .s_ack_hop (second ? other : first),"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := suite.Configure(t, "connections=6 conn_bits=6 hops=2 "+c.set)
			text := strings.NewReplacer("THETA", c.theta, "BEATS", c.beats, "TELEMETRY", c.telemetry, "SETTINGS", constants(p)).Replace(traffic)
			benchtest.UnknownMemories(t, benchtest.Texts(t, p), text, 600, map[string]uint64{"answers": 80, "updates": 20})
		})
	}
}

// constants connects the run-time settings to their configured values.
func constants(p *params.Params) string {
	var b strings.Builder
	values := p.PortValues()
	for _, port := range p.Ports() {
		if v, ok := values[port.Name]; ok {
			b.WriteString("." + port.Name + " (" + strconv.Itoa(port.Bits) + "'d" + strconv.FormatUint(v, 10) + "), ")
		}
	}
	return b.String()
}
