// SPDX-License-Identifier: Apache-2.0
//
// A reset that lasts: rst is high while s_rst is and for CYCLES after it, and after power-up. So
// slower and faster clocks that take it through a synchroniser see it together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_reset #(
  parameter int unsigned CYCLES = 128
) (
  input  wire logic clk,
  input  wire logic s_rst,
  output      logic rst
);

  localparam int unsigned W = $clog2(CYCLES + 1);

  logic [W-1:0] left_q;
  logic         rst_q;

  assign rst = rst_q;

  initial begin
    left_q = W'(CYCLES);
    rst_q  = 1'b1;
  end

  always @(posedge clk) begin  // not always_ff: initial writes registers too
    rst_q <= s_rst || left_q != '0;
    if (s_rst) begin
      left_q <= W'(CYCLES);
    end else if (left_q != '0) begin
      left_q <= left_q - 1'b1;
    end
  end

endmodule

`resetall
