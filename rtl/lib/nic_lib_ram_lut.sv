// SPDX-License-Identifier: Apache-2.0
//
// Memory in LUT RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr LATENCY cycles later. A
// read and a write of one word in the same cycle give the old word. The content
// after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_ram_lut #(
  parameter int unsigned WIDTH   = 8,    // bits in a word
  parameter int unsigned DEPTH   = 256,  // words
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from an address to its word, 1 or more
) (
  input  wire logic              clk,
  input  wire logic              wr_en,
  input  wire logic [ADDR_W-1:0] wr_addr,
  input  wire logic [WIDTH-1:0]  wr_data,
  input  wire logic [ADDR_W-1:0] rd_addr,
  output      logic [WIDTH-1:0]  rd_data
);

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0] mem [DEPTH];

  always_ff @(posedge clk) begin
    if (wr_en) begin
      mem[wr_addr] <= wr_data;
    end
  end

  if (LATENCY == 1) begin : g_direct
    always_ff @(posedge clk) begin
      rd_data <= mem[rd_addr];
    end
  end else begin : g_output
    logic [WIDTH-1:0]             data_q;
    logic [WIDTH*(LATENCY-1)-1:0] out_q;  // the newest word in the low bits

    always_ff @(posedge clk) begin
      data_q <= mem[rd_addr];
      out_q  <= (WIDTH*(LATENCY-1))'({out_q, data_q});
    end

    assign rd_data = out_q[WIDTH*(LATENCY-2) +: WIDTH];
  end

endmodule

`resetall
