// SPDX-License-Identifier: Apache-2.0
//
// Forwarding memory in LUT RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr LATENCY cycles later, with
// every write up to and including the cycle before that. A read and a write of one word
// in the same cycle thus give the new word. The address is what is registered, so rd_data
// comes through the memory: it is one LUT level deep. The content after power-up is
// arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_fwd_lut #(
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

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0]  mem [DEPTH];
  logic [ADDR_W-1:0] rd_addr_q;

  // The reset keeps a synthesis tool from moving the register behind the memory,
  // where the read would need forwarding.

  always_ff @(posedge clk) begin
    if (wr_en) begin
      mem[wr_addr] <= wr_data;
    end
  end

  if (LATENCY == 1) begin : g_direct
    always_ff @(posedge clk) begin
      rd_addr_q <= rd_addr;
      if (rst) begin
        rd_addr_q <= '0;
      end
    end
  end else begin : g_older
    logic [ADDR_W-1:0] older_addr_q;

    always_ff @(posedge clk) begin
      older_addr_q <= rd_addr;
      rd_addr_q    <= older_addr_q;
      if (rst) begin
        rd_addr_q <= '0;
      end
    end
  end

  assign rd_data = mem[rd_addr_q];

endmodule

`resetall
