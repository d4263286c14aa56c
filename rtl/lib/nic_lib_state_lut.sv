// SPDX-License-Identifier: Apache-2.0
//
// State of many connections in LUT RAM, owned by one lane and seen by another.
//
// The owner presents an address; LATENCY cycles later own_data is the state there,
// and the owner may write its successor to the same address with own_wr_en. The
// other lane reads: other_data is the state at other_addr LATENCY cycles later. Both
// see every write of earlier cycles, and neither sees the write of its own cycle.
// The content after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_state_lut #(
  parameter int unsigned WIDTH   = 8,    // bits of state
  parameter int unsigned DEPTH   = 256,  // connections
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from an address to its state, 1 or 2
) (
  input  wire logic              clk,
  input  wire logic              rst,
  // the owner: read, then written LATENCY cycles later
  input  wire logic [ADDR_W-1:0] own_addr,
  output      logic [WIDTH-1:0]  own_data,
  input  wire logic              own_wr_en,
  input  wire logic [WIDTH-1:0]  own_wr_data,
  // the other lane: read only
  input  wire logic [ADDR_W-1:0] other_addr,
  output      logic [WIDTH-1:0]  other_data
);

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0]  mem [DEPTH];
  logic [ADDR_W-1:0] own_addr_q;
  logic [ADDR_W-1:0] other_addr_q;

  // The reset keeps a synthesis tool from moving the registers behind the
  // memory, where the reads would need forwarding.

  logic [ADDR_W-1:0] last_own_addr;  // LATENCY - 1 cycles after it was presented
  logic [ADDR_W-1:0] last_other_addr;

  if (LATENCY == 1) begin : g_direct
    assign last_own_addr   = own_addr;
    assign last_other_addr = other_addr;
  end else begin : g_older
    logic [ADDR_W-1:0] older_own_addr_q;
    logic [ADDR_W-1:0] older_other_addr_q;

    always_ff @(posedge clk) begin
      older_own_addr_q   <= own_addr;
      older_other_addr_q <= other_addr;
    end

    assign last_own_addr   = older_own_addr_q;
    assign last_other_addr = older_other_addr_q;
  end

  always_ff @(posedge clk) begin
    own_addr_q   <= last_own_addr;
    other_addr_q <= last_other_addr;
    if (own_wr_en) begin
      mem[own_addr_q] <= own_wr_data;
    end
    if (rst) begin
      own_addr_q   <= '0;
      other_addr_q <= '0;
    end
  end

  assign own_data   = mem[own_addr_q];
  assign other_data = mem[other_addr_q];

endmodule

`resetall
