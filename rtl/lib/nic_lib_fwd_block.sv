// SPDX-License-Identifier: Apache-2.0
//
// Forwarding memory in block RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr LATENCY cycles later, with
// every write up to and including the cycle before that. A read and a write of one word
// in the same cycle thus give the new word. Behind the RAM's register there is one LUT a
// bit. The content after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_fwd_block #(
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
  output      logic [WIDTH-1:0]  rd_data
);

  logic [WIDTH-1:0] old_data;

  nic_lib_ram_block #(
    .WIDTH   (WIDTH),
    .DEPTH   (DEPTH),
    .ADDR_W  (ADDR_W),
    .LATENCY (LATENCY)
  ) ram (
    .clk     (clk),
    .wr_en   (wr_en),
    .wr_addr (wr_addr),
    .wr_data (wr_data),
    .rd_addr (rd_addr),
    .rd_data (old_data)
  );

  // The memory gives the old word when it is written as it is read: keep what
  // was written, and take it instead.
  logic              hit_q;
  logic [WIDTH-1:0]  new_data_q;
  logic [ADDR_W-1:0] last_addr;   // of the read whose word is due in the next cycle
  logic              older_hit;   // the word due now was written before the last cycle
  logic [WIDTH-1:0]  older_data;

  always_ff @(posedge clk) begin
    new_data_q <= wr_data;
    hit_q      <= wr_addr == last_addr;
    if (rst || !wr_en) begin
      hit_q <= 1'b0;
    end
  end

  if (LATENCY == 1) begin : g_direct
    assign last_addr  = rd_addr;
    assign older_hit  = 1'b0;
    assign older_data = new_data_q;
  end else begin : g_older
    nic_lib_older #(
      .WIDTH  (WIDTH),
      .ADDR_W (ADDR_W),
      .CYCLES ((LATENCY > 1) ? LATENCY - 1 : 1)  // tools check a part also where it is left out
    ) older (
      .clk       (clk),
      .rst       (rst),
      .wr_en     (wr_en),
      .wr_addr   (wr_addr),
      .last_data (new_data_q),
      .rd_addr   (rd_addr),
      .last_addr (last_addr),
      .hit       (older_hit),
      .data      (older_data)
    );
  end

  assign rd_data = hit_q     ? new_data_q
                 : older_hit ? older_data
                 :             old_data;

endmodule

`resetall
