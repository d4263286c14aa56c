// SPDX-License-Identifier: Apache-2.0
//
// Delay line: out_data is in_data CYCLES clock cycles later.
//
// A long line becomes shift registers in LUTs, which are slow to come out of: the
// last cycle is spent in flip-flops. These have a reset for that purpose alone; what
// is in the line is not reset.

`ifndef NIC_LIB_DELAY_SV
`define NIC_LIB_DELAY_SV

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_delay #(
  parameter int unsigned WIDTH  = 8,  // bits in a word
  parameter int unsigned CYCLES = 2   // at least 1
) (
  input  wire logic             clk,
  input  wire logic             rst,
  input  wire logic [WIDTH-1:0] in_data,
  output      logic [WIDTH-1:0] out_data
);

  if (CYCLES < 1) begin : g_check_cycles
    $error("CYCLES must be at least 1");
  end

  logic [WIDTH-1:0] late;  // one cycle before the end

  if (CYCLES <= 1) begin : g_none
    assign late = in_data;
  end else if (CYCLES == 2) begin : g_one
    logic [WIDTH-1:0] line_q;

    always_ff @(posedge clk) begin
      line_q <= in_data;
    end

    assign late = line_q;
  end else begin : g_line
    logic [WIDTH*(CYCLES-1)-1:0] line_q;

    always_ff @(posedge clk) begin
      line_q <= {line_q[WIDTH*(CYCLES-2)-1:0], in_data};
    end

    assign late = line_q[WIDTH*(CYCLES-2) +: WIDTH];
  end

  always_ff @(posedge clk) begin
    out_data <= late;
    if (rst) begin
      out_data <= '0;
    end
  end

endmodule

`resetall

`endif
