// SPDX-License-Identifier: Apache-2.0
//
// Forwarding memory in block RAM that keeps each word three times: one write port, one
// read port, one clock.
//
// The read is registered: rd_data is what most copies of each bit of the word at
// rd_addr say LATENCY cycles later, with every write up to and including the cycle
// before that. Vote and forwarding take one LUT a bit. differ says that the copies are not
// the same; nothing is written back. The content after power-up is arbitrary, copies
// that differ included; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_fwd_triple_block #(
  parameter int unsigned WIDTH   = 8,    // bits in a word
  parameter int unsigned DEPTH   = 256,  // words
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from an address to its word, 1 or 2
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

  nic_lib_ram_block #(
    .WIDTH   (3*WIDTH),
    .DEPTH   (DEPTH),
    .ADDR_W  (ADDR_W),
    .LATENCY (LATENCY)
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

  if (LATENCY == 1) begin : g_direct
    always_ff @(posedge clk) begin
      new_data_q <= wr_data;
      hit_q      <= wr_addr == rd_addr;
      if (rst || !wr_en) begin
        hit_q <= 1'b0;
      end
    end
  end else begin : g_older
    // A LUT with three copies has room for one written word: the newest is chosen before.
    logic [ADDR_W-1:0] last_addr_q;
    logic              last_hit;
    logic              older_hit_q;
    logic [WIDTH-1:0]  older_data_q;

    assign last_hit = wr_en && wr_addr == last_addr_q;

    always_ff @(posedge clk) begin
      last_addr_q  <= rd_addr;
      older_hit_q  <= wr_en && wr_addr == rd_addr;
      older_data_q <= wr_data;
      hit_q        <= last_hit || older_hit_q;
      new_data_q   <= last_hit ? wr_data : older_data_q;
      if (rst) begin
        older_hit_q <= 1'b0;
        hit_q       <= 1'b0;
      end
    end
  end

  assign rd_data = hit_q ? new_data_q : old_data;
  assign differ  = old_differ && !hit_q;

endmodule

`resetall
