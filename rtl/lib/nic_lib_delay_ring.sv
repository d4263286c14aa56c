// SPDX-License-Identifier: Apache-2.0
//
// Delay line in LUT RAM, for wide words: m_data is what s_data was CYCLES cycles before.
//
// A word is read where its successor is written. The read is not registered: a path through
// the RAM begins at the counter. LUT RAM takes half a LUT a bit, shift registers take one.
// Nothing resets it. From any state the counter finds its way: CYCLES cycles later, or one
// round of the counter later, the words are right again.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_delay_ring #(
  parameter int unsigned WIDTH  = 16,  // bits in a word
  parameter int unsigned CYCLES = 4    // 2 to 32
) (
  input  wire logic             clk,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic [WIDTH-1:0] m_data
);

  localparam int unsigned SLOT_W = $clog2(CYCLES);

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0]  mem [2**SLOT_W];
  logic [SLOT_W-1:0] slot_q;

  // The counter needs no reset: from any state it is in range a cycle later. Its initial
  // value is for simulations of a netlist, in which an unknown counter stays unknown.
  initial begin
    slot_q = '0;
  end

  always @(posedge clk) begin  // not always_ff: initial writes slot_q too
    mem[slot_q] <= s_data;
    if (slot_q < SLOT_W'(CYCLES - 1)) begin
      slot_q <= slot_q + 1'b1;
    end else begin
      slot_q <= '0;
    end
  end

  assign m_data = mem[slot_q];

endmodule

`resetall
