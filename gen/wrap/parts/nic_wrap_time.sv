// SPDX-License-Identifier: Apache-2.0
//
// The time in ns, modulo 2^48, that never goes back: of a clock elsewhere while that is there, else
// counted in this clock's own periods.
//
//   s_locked low    now_ns grows by NUM / DENOM ns a cycle, to 2^-17 ns
//   s_locked high   now_ns follows s_ns, one cycle late; while that is behind, now_ns stands still
//
// A clock that is more than 2^30 ns behind was started anew: then now_ns jumps to it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_time #(
  parameter int unsigned NUM   = 4,  // period of clk in ns: NUM / DENOM
  parameter int unsigned DENOM = 1
) (
  input  wire logic        clk,
  input  wire logic        s_locked,
  input  wire logic [47:0] s_ns,
  output      logic [47:0] now_ns
);

  if (NUM < 1 || NUM > 65535 || DENOM < 1 || DENOM > 65535) begin : g_check_period
    $error("NUM and DENOM must be 1 to 65535");
  end

  localparam int unsigned STEP = (NUM * 65536 + DENOM / 2) / DENOM;  // 2^-16 ns

  logic        locked_q;
  logic [47:0] ns_q;
  logic [63:0] time_q;   // 48 bits of ns, 16 behind the point
  logic [47:0] ahead;
  logic        behind;   // by at most 2^30 ns

  assign ahead  = ns_q - time_q[63:16];
  assign behind = ahead >= {18'h3_ffff, 30'd0};
  assign now_ns = time_q[63:16];

  initial begin
    locked_q = 1'b0;
    ns_q     = '0;
    time_q   = '0;
  end

  always @(posedge clk) begin  // not always_ff: initial writes registers too
    locked_q <= s_locked;
    ns_q     <= s_ns;
    if (!locked_q) begin
      time_q <= time_q + 64'(STEP);
    end else if (!behind) begin
      time_q <= {ns_q, 16'd0};
    end
  end

endmodule

`resetall
