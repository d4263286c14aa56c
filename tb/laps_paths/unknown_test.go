// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// traffic writes the tables by the steps of CHANGES, then sends packets, ACKs, route
// requests and changes. It is its own picker, and sums up what the unit answers: one
// unknown bit in an output makes the sum unknown for good. Only of banks without a path
// it looks at nothing.
const traffic = `
module traffic (input wire clk, input wire rst, output reg [31:0] sum, output reg [31:0] probes,
                output reg [31:0] routes, output reg [31:0] operands);
  reg  [31:0] now, lfsr;
  reg   [4:0] step;
  reg         pick, none, index;
  reg   [4:0] pick_id;
  wire        ready, ack_ready, cfg_ready, route_ready, cand, probe, path, path_none, routed, rate, illegal;
  wire  [4:0] cand_id;
  wire  [1:0] usable, rate_usable;
  wire [27:0] weights;
  wire  [3:0] probe_pid, path_pid, path_tag, rate_tag;
  wire  [1:0] probe_dst, rate_dst;
  wire [31:0] anchors;
  wire [15:0] latencies;
  wire  [7:0] path_latency, base;
  wire [15:0] bases;
  wire [15:0] n0, n1, n2, n3, n4, n5, n6, n7, n8, n9;
  wire  [1:0] wrong, wrong_dst;
  wire  [3:0] wrong_pid;
  wire        writing = step != LAST;
  reg  [23:0] change;  // op, path, destination, latency, baseline

  always @* begin
    case (step)
      CHANGES
      default: change = {2'd2, 4'd0, 2'd0, lfsr[21:14], lfsr[29:22]};
    endcase
  end

  nic_laps_paths dut (
    .clk (clk), .rst (rst), .sts_ready (ready), .now_ns (now[15:0]), .cfg_beta (16'h8000),
    .s_packet_valid (!writing && lfsr[0]), .s_packet_dst (lfsr[2:1]), .s_packet_tag (lfsr[8:5]),
    .m_cand_valid (cand), .m_cand_id (cand_id), .m_cand_usable (usable), .m_cand_latency (weights),
    .m_probe_valid (probe), .m_probe_pid (probe_pid), .m_probe_dst (probe_dst),
    .s_pick_valid (pick), .s_pick_id (pick_id), .s_pick_index (index), .s_pick_none (none),
    .m_path_valid (path), .m_path_tag (path_tag), .m_path_none (path_none), .m_path_pid (path_pid),
    .m_path_anchors (anchors), .s_route_valid (!writing && lfsr[10]), .s_route_ready (route_ready),
    .s_route_pid ({1'b0, lfsr[11], 2'd0}), .m_route_valid (routed),
    .s_ack_valid (!writing && (lfsr[12] || lfsr[13])), .s_ack_ready (ack_ready), .s_ack_pid ({1'b0, lfsr[16:14]}),
    .s_ack_delay_ns ({{26{lfsr[31]}}, lfsr[22:17]}), .s_ack_probe (lfsr[23]), .s_ack_tag (lfsr[27:24]),
    .m_rate_valid (rate), .m_rate_tag (rate_tag), .m_rate_dst (rate_dst), .m_rate_usable (rate_usable),
    .m_rate_latency (latencies), PORTS
    .s_cfg_valid (ready && (writing || lfsr[30:28] == 3'd0)), .s_cfg_ready (cfg_ready), .s_cfg_op (change[23:22]),
    .s_cfg_pid (change[21:18]), .s_cfg_dst (change[17:16]), .s_cfg_scale ({5'd15, 16'h8000}),
    .s_cfg_latency (change[15:8]), .s_cfg_base (change[7:0]), .s_cfg_anchors ({28'd77, change[21:18]}),
    .evt_illegal (illegal), .sts_packet_cnt (n0), .sts_no_path_cnt (n1), .sts_probe_cnt (n2), .sts_probe_wait_cnt (n3),
    .sts_ack_cnt (n4), .sts_answer_cnt (n5), .sts_stray_cnt (n6), .sts_config_cnt (n7), .sts_illegal_cnt (n8)
  );

  always @(posedge clk) begin
    now  <= now + lfsr[4:0];
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]} * 32'd5 + 1;
    if (writing && cfg_ready) step <= step + 1;
    pick    <= cand;
    pick_id <= cand_id;
    index   <= !usable[0];
    none    <= usable == 0;
    sum <= {sum[30:0], sum[31]} ^ {ready, ack_ready, cfg_ready, route_ready, cand, probe, path, routed, rate, illegal} ^
           {n0 ^ n1 ^ n2 ^ n3, n4 ^ n5 ^ n6 ^ n7 ^ n8} ^ {wrong, n9} ^
           (cand ? {cand_id, usable} : 0) ^ (cand && usable[0] ? weights[13:0] : 0) ^ (cand && usable[1] ? weights[27:14] : 0) ^
           (probe ? {probe_pid, probe_dst} : 0) ^ (path ? {path_none, path_tag} : 0) ^
           (routed || path && !path_none ? anchors ^ {path_latency, path_pid} : 0) ^
           (rate ? {rate_tag, rate_dst, rate_usable} ^ base : 0) ^
           (rate && rate_usable[0] ? {bases[7:0], latencies[7:0]} : 0) ^ (rate && rate_usable[1] ? {bases[15:8], latencies[15:8]} : 0);
    if (probe)  probes   <= probes + 1;
    if (routed) routes   <= routes + 1;
    if (rate)   operands <= operands + 1;
    if (rst) begin
      now      <= 0;
      lfsr     <= 32'h1234567;
      step     <= 0;
      pick     <= 0;
      sum      <= 0;
      probes   <= 0;
      routes   <= 0;
      operands <= 0;
    end
  end
endmodule
`

// The hardware powers up with any content of its memories, and a simulator with
// unknown bits with those. After reset no output may depend on them: a simulator
// that knows X shows what the bench, which draws random bits, cannot.
func TestUnknownMemories(t *testing.T) {
	// Destination 0 has paths 0 and 4, 1 has path 5, 2 none; 3 does not exist, nor do
	// paths from 8 on.
	var changes strings.Builder
	steps := []struct{ op, pid, dst, latency, base int }{
		{op: params.OpCommit, dst: 0}, {op: params.OpCommit, dst: 1},
		{op: params.OpPath, pid: 0, dst: 0, latency: 20, base: 30}, {op: params.OpPath, pid: 4, dst: 0, latency: 25, base: 10},
		{op: params.OpPath, pid: 5, dst: 1, latency: 9, base: 3},
		{op: params.OpList, pid: 0}, {op: params.OpList, pid: 4}, {op: params.OpCommit, dst: 0},
		{op: params.OpList, pid: 5}, {op: params.OpList, pid: 6}, {op: params.OpCommit, dst: 1}, {op: params.OpRemove, pid: 9},
	}
	for i, s := range steps {
		fmt.Fprintf(&changes, "%d: change = {2'd%d, 4'd%d, 2'd%d, 8'd%d, 8'd%d};\n", i, s.op, s.pid, s.dst, s.latency, s.base)
	}
	const T, each, latencyPort = ".m_rate_max_base (base),", ".m_rate_base (bases),", " .m_path_latency (path_latency),"
	const corrupt = " .evt_corrupt_set (wrong[0]), .evt_corrupt_dst (wrong_dst), .evt_corrupt_path (wrong[1]), .evt_corrupt_pid (wrong_pid), .sts_corrupt_cnt (n9),"
	for _, c := range []struct{ set, ports string }{
		{"", T}, {"ack_lookup=own path_memory=uram path_latency=true", T + latencyPort}, {"baselines=paths path_latency=true", each + latencyPort},
		{"state_protection=parity", T + corrupt},
	} {
		if sample.LeftOut(t.Name() + "/" + c.set) {
			continue
		}
		t.Run(c.set, func(t *testing.T) {
			t.Parallel()
			p := suite.Configure(t, "destinations=3 dst_bits=2 banks=2 rows=4 pid_bits=4 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 counter_bits=16 "+c.set)
			text := strings.NewReplacer("CHANGES", changes.String(), "LAST", fmt.Sprint(len(steps)), "PORTS", c.ports).Replace(traffic)
			if !strings.Contains(c.ports, latencyPort) {
				text = strings.Replace(text, "endmodule", "assign path_latency = 0; endmodule", 1)
			}
			if !strings.Contains(c.ports, corrupt) {
				text = strings.Replace(text, "endmodule", "assign wrong = 0; assign n9 = 0; endmodule", 1)
			}
			if c.ports != each+latencyPort {
				text = strings.Replace(text, "endmodule", "assign bases = 0; endmodule", 1)
			} else {
				text = strings.Replace(text, "endmodule", "assign base = 0; endmodule", 1)
			}
			benchtest.UnknownMemories(t, benchtest.Texts(t, p), text, 500, map[string]uint64{"probes": 40, "routes": 40, "operands": 20})
		})
	}
}
