// SPDX-License-Identifier: Apache-2.0
//
// Delay line: m_data is what s_data was CYCLES cycles before. Nothing resets it, so that
// it can be shift registers in LUTs. A long and wide one is a ring in LUT RAM, which
// takes half as many LUTs.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_delay #(
  parameter int unsigned WIDTH  = 8,  // bits in a word
  parameter int unsigned CYCLES = 4   // 0: a wire
) (
  input  wire logic             clk,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic [WIDTH-1:0] m_data
);

  // LUT RAM of 32 words takes 8 LUTs for each 14 bits, and the ring's counter takes 7.
  localparam int unsigned RING_LUTS = (WIDTH + 13) / 14 * 8 + 7;

  if (CYCLES == 0) begin : g_wire
    logic unused_clk;

    assign unused_clk = clk;
    assign m_data     = s_data;
  end else if (CYCLES == 1) begin : g_register
    always_ff @(posedge clk) begin
      m_data <= s_data;
    end
  end else if (CYCLES > 8 && CYCLES <= 33 && RING_LUTS < WIDTH) begin : g_ring
    // A word is read where its successor is written, CYCLES - 1 cycles later. The counter
    // needs no reset: from any state it is in range a cycle later. Its initial value is for
    // simulations of a netlist, in which an unknown counter stays unknown.
    localparam logic [4:0] LAST = 5'(CYCLES - 2);

    (* ram_style = "distributed" *)
    logic [WIDTH-1:0] mem [32];
    logic [4:0]       slot_q;

    initial begin
      slot_q = '0;
    end

    always @(posedge clk) begin  // not always_ff: initial writes slot_q too
      m_data      <= mem[slot_q];
      mem[slot_q] <= s_data;
      if (slot_q < LAST) begin
        slot_q <= slot_q + 5'd1;
      end else begin
        slot_q <= '0;
      end
    end
  end else begin : g_line
    logic [WIDTH*CYCLES-1:0] line_q;  // the newest word in the low bits

    always_ff @(posedge clk) begin
      line_q <= {line_q[WIDTH*(CYCLES-1)-1:0], s_data};
    end

    assign m_data = line_q[WIDTH*(CYCLES-1) +: WIDTH];
  end

endmodule

`resetall
