// SPDX-License-Identifier: Apache-2.0
//
// Forwarding memory in LUT RAM that keeps each word three times: one write port, one
// read port, one clock.
//
// The read is registered: rd_data is what most copies of each bit of the word at
// rd_addr say one cycle later, with every write up to and including the cycle of the
// read. Vote and forwarding take one LUT a bit. differ says that the copies are not
// the same; nothing is written back. The content after power-up is arbitrary, copies
// that differ included; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_fwd_triple_lut #(
  parameter int unsigned WIDTH  = 8,    // bits in a word
  parameter int unsigned DEPTH  = 256,  // words
  parameter int unsigned ADDR_W = 8     // bits in an address
) (
  input  wire logic              clk,
  input  wire logic              rst,
  input  wire logic              wr_en,
  input  wire logic [ADDR_W-1:0] wr_addr,
  input  wire logic [WIDTH-1:0]  wr_data,
  input  wire logic [ADDR_W-1:0] rd_addr,
  output      logic [WIDTH-1:0]  rd_data,
  output      logic              differ
);

  logic [3*WIDTH-1:0] copies;
  logic [WIDTH-1:0]   old_data;
  logic               old_differ;

  nic_lib_ram_lut #(
    .WIDTH  (3*WIDTH),
    .DEPTH  (DEPTH),
    .ADDR_W (ADDR_W)
  ) ram (
    .clk     (clk),
    .wr_en   (wr_en),
    .wr_addr (wr_addr),
    .wr_data ({3{wr_data}}),
    .rd_addr (rd_addr),
    .rd_data (copies)
  );

  nic_lib_vote #(
    .WIDTH (WIDTH)
  ) vote (
    .copies (copies),
    .word   (old_data),
    .differ (old_differ)
  );

  // The memory gives the old word when it is written as it is read: keep what
  // was written, and take it instead.
  logic             hit_q;
  logic [WIDTH-1:0] new_data_q;

  always_ff @(posedge clk) begin
    new_data_q <= wr_data;
    hit_q      <= wr_addr == rd_addr;
    if (rst || !wr_en) begin
      hit_q <= 1'b0;
    end
  end

  assign rd_data = hit_q ? new_data_q : old_data;
  assign differ  = old_differ && !hit_q;

endmodule

`resetall
