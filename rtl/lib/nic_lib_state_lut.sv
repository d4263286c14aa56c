// SPDX-License-Identifier: Apache-2.0
//
// State of many connections in LUT RAM, owned by one lane and seen by another.
//
// The owner presents an address; one cycle later own_data is the state there,
// and the owner may write its successor to the same address with own_wr_en. The
// other lane reads: other_data is the state at other_addr one cycle later. Both
// see every write of earlier cycles, and neither sees the write of its own cycle.
// The content after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_state_lut #(
  parameter int unsigned WIDTH  = 8,    // bits of state
  parameter int unsigned DEPTH  = 256,  // connections
  parameter int unsigned ADDR_W = 8     // bits in an address
) (
  input  wire logic              clk,
  input  wire logic              rst,
  // the owner: read, then written one cycle later
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
  logic [ADDR_W-1:0] own_addr_q   = '0;
  logic [ADDR_W-1:0] other_addr_q = '0;

  // Reset and initial value keep a synthesis tool from moving the registers
  // behind the memory, where the read would need forwarding.

  always_ff @(posedge clk) begin
    own_addr_q   <= own_addr;
    other_addr_q <= other_addr;
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
