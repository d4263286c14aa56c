// SPDX-License-Identifier: Apache-2.0
//
// A level from another clock, by two registers. nic_wrap_sync.tcl constrains the way to the first.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_sync #(
  parameter bit INITIAL = 1'b0
) (
  input  wire logic clk,
  input  wire logic s_level,
  output      logic m_level
);

  (* ASYNC_REG = "TRUE" *) logic [1:0] sync_q;

  assign m_level = sync_q[1];

  initial begin
    sync_q = {2{INITIAL}};
  end

  always @(posedge clk) begin  // not always_ff: initial writes registers too
    sync_q <= {sync_q[0], s_level};
  end

endmodule

`resetall
