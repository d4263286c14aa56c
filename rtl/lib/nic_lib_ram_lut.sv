// SPDX-License-Identifier: Apache-2.0
//
// Memory in LUT RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr one cycle later. A
// read and a write of one word in the same cycle give the old word. The content
// after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_ram_lut #(
  parameter int unsigned WIDTH  = 8,    // bits in a word
  parameter int unsigned DEPTH  = 256,  // words
  parameter int unsigned ADDR_W = 8     // bits in an address
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
    rd_data <= mem[rd_addr];
  end

endmodule

`resetall
