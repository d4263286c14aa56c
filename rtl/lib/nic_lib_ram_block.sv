// SPDX-License-Identifier: Apache-2.0
//
// Memory in block RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr LATENCY cycles later. A
// read and a write of one word in the same cycle give the old word. The content
// after power-up is arbitrary; nothing resets it.
//
// With LATENCY 2 a second register follows that of the read. It has no reset and no
// enable, and nothing else reads the first one: Vivado then makes it the output register
// of the RAM, whose clock-to-output is a quarter of that without. Yosys leaves it as
// flip-flops.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_ram_block #(
  parameter int unsigned WIDTH   = 8,    // bits in a word
  parameter int unsigned DEPTH   = 256,  // words
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from an address to its word, 1 or 2
) (
  input  wire logic              clk,
  input  wire logic              wr_en,
  input  wire logic [ADDR_W-1:0] wr_addr,
  input  wire logic [WIDTH-1:0]  wr_data,
  input  wire logic [ADDR_W-1:0] rd_addr,
  output      logic [WIDTH-1:0]  rd_data
);

  if (LATENCY < 1 || LATENCY > 2) begin : g_check_latency
    $error("LATENCY: want 1 or 2");
  end

  // A deep memory is cut into slices so narrow that a RAM block is as deep as it can
  // be. Else the logic that chooses among blocks would grow with the depth. A shallow
  // one is cut into what half a block holds: Yosys 0.23 connects a whole one of 72 bits
  // wrongly, and two halves cost as much.
  localparam int unsigned NARROW = (DEPTH > 16384) ? 1 : (DEPTH > 8192) ? 2 :
                                   (DEPTH > 4096) ? 4 : (DEPTH > 2048) ? 9 :
                                   (DEPTH > 512) ? WIDTH : 36;
  localparam int unsigned SLICE  = (NARROW < WIDTH) ? NARROW : WIDTH;
  localparam int unsigned SLICES = (WIDTH + SLICE - 1) / SLICE;

  for (genvar g = 0; g < SLICES; g++) begin : g_slice
    localparam int unsigned LO = g * SLICE;
    localparam int unsigned W  = (WIDTH - LO < SLICE) ? WIDTH - LO : SLICE;

    (* ram_style = "block" *)
    logic [W-1:0] mem [DEPTH];
    logic [W-1:0] data_q;

    always_ff @(posedge clk) begin
      if (wr_en) begin
        mem[wr_addr] <= wr_data[LO +: W];
      end
      data_q <= mem[rd_addr];
    end

    if (LATENCY == 1) begin : g_direct
      assign rd_data[LO +: W] = data_q;
    end else begin : g_output
      logic [W-1:0] out_q;

      always_ff @(posedge clk) begin
        out_q <= data_q;
      end

      assign rd_data[LO +: W] = out_q;
    end
  end

endmodule

`resetall
