// SPDX-License-Identifier: Apache-2.0
//
// Token bucket with an exact rational period: it gains gain / cost tokens a clock and holds
// BUCKET of them at most, fractions included; it is full after reset.
//
// credit_q counts up from -cost by gain a clock; at zero or above a token is earned and cost
// is taken off, so that nothing is ever rounded. A full bucket keeps no fraction: its last token
// stays earned, and what is above 0 is left out when a token is used.
//
// Interface   `ready` tells that there is a token in this cycle; `take` uses it.
// Limits      gain is at most cost.
// Model       model/dcsim, Bucket

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_bucket #(
  parameter int unsigned BUCKET  = 2,
  parameter int unsigned TOKEN_W = 32
) (
  input  wire logic               clk,
  input  wire logic               rst,
  input  wire logic [TOKEN_W-1:0] gain,
  input  wire logic [TOKEN_W-1:0] cost,
  input  wire logic               take,
  output      logic               ready
);

  localparam int unsigned CNT_W = (BUCKET > 1) ? $clog2(BUCKET) : 1;

  // The settings, one cycle later, as they are added.
  logic [TOKEN_W:0] gain_q;
  logic [TOKEN_W:0] step_q;  // gain - cost

  always_ff @(posedge clk) begin
    gain_q <= {1'b0, gain};
    step_q <= {1'b0, gain} - {1'b0, cost};
  end

  logic [CNT_W-1:0] tokens_q;  // beside the one that credit_q says
  logic [TOKEN_W:0] credit_q;
  logic             earned;
  logic             full;

  assign earned = !credit_q[TOKEN_W];
  assign full   = earned && tokens_q == CNT_W'(BUCKET - 1);
  assign ready  = earned || tokens_q != '0;

  always_ff @(posedge clk) begin
    tokens_q <= tokens_q + CNT_W'(earned) - CNT_W'(take);
    credit_q <= credit_q + (earned ? step_q : gain_q);
    if (full) begin
      tokens_q          <= tokens_q;
      credit_q          <= step_q;
      credit_q[TOKEN_W] <= take && step_q[TOKEN_W];
    end
    if (rst) begin
      tokens_q          <= CNT_W'(BUCKET - 1);
      credit_q[TOKEN_W] <= 1'b0;
    end
  end

endmodule

`resetall
