// SPDX-License-Identifier: Apache-2.0
//
// State of many connections in block RAM, one copy a lane, owned by one lane and seen by another.
//
// The owner presents an address; LATENCY cycles later own_data is the state there,
// and the owner may write its successor to the same address with own_wr_en. The
// other lane reads: other_data is the state at other_addr LATENCY cycles later. Both
// see every write of earlier cycles, and neither sees the write of its own cycle.
// With LATENCY 2, a state in LUT RAM beside it takes its addresses one cycle later.
// The content after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_state_block #(
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

  logic [ADDR_W-1:0] last_own_addr;  // LATENCY - 1 cycles after the owner presented it
  logic [ADDR_W-1:0] own_addr_q;

  if (LATENCY == 1) begin : g_direct
    assign last_own_addr = own_addr;
  end else begin : g_older
    logic [ADDR_W-1:0] older_addr_q;

    always_ff @(posedge clk) begin
      older_addr_q <= own_addr;
    end

    assign last_own_addr = older_addr_q;
  end

  always_ff @(posedge clk) begin
    own_addr_q <= last_own_addr;
    if (rst) begin
      own_addr_q <= '0;
    end
  end

  nic_lib_fwd_block #(
    .WIDTH   (WIDTH),
    .DEPTH   (DEPTH),
    .ADDR_W  (ADDR_W),
    .LATENCY (LATENCY)
  ) own_copy (
    .clk     (clk),
    .rst     (rst),
    .wr_en   (own_wr_en),
    .wr_addr (own_addr_q),
    .wr_data (own_wr_data),
    .rd_addr (own_addr),
    .rd_data (own_data)
  );

  nic_lib_fwd_block #(
    .WIDTH   (WIDTH),
    .DEPTH   (DEPTH),
    .ADDR_W  (ADDR_W),
    .LATENCY (LATENCY)
  ) other_copy (
    .clk     (clk),
    .rst     (rst),
    .wr_en   (own_wr_en),
    .wr_addr (own_addr_q),
    .wr_data (own_wr_data),
    .rd_addr (other_addr),
    .rd_data (other_data)
  );

endmodule

`resetall
