// SPDX-License-Identifier: Apache-2.0
//
// Delay line: m_data is what s_data was CYCLES cycles before. Nothing resets it, so that
// it can be shift registers in LUTs.

`ifndef NIC_LIB_DELAY_SV
`define NIC_LIB_DELAY_SV

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_delay #(
  parameter int unsigned WIDTH  = 8,  // bits in a word
  parameter int unsigned CYCLES = 4   // 0: a wire
) (
  input  wire logic             clk,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic [WIDTH-1:0] m_data
);

  if (CYCLES == 0) begin : g_wire
    logic unused_clk;

    assign unused_clk = clk;
    assign m_data     = s_data;
  end else if (CYCLES == 1) begin : g_register
    always_ff @(posedge clk) begin
      m_data <= s_data;
    end
  end else begin : g_line
    logic [WIDTH*CYCLES-1:0] line_q;  // the newest word in the low bits

    always_ff @(posedge clk) begin
      line_q <= {line_q[WIDTH*(CYCLES-1)-1:0], s_data};
    end

    assign m_data = line_q[WIDTH*(CYCLES-1) +: WIDTH];
  end

endmodule

`resetall

`endif
