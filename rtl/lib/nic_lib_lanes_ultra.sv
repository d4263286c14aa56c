// SPDX-License-Identifier: Apache-2.0
//
// Memory of rows of several words in ultra RAM: each word of a row is written alone, a read
// gives the whole row. One write port, one read port, one clock.
//
// A row of up to 72 bits, with words in bytes of nine bits, is one of the device's rows:
// two words of 34 bits share it, where two memories of 34 bits would take two. The
// read is registered: rd_data holds the row at rd_addr LATENCY cycles later. The registers
// beyond the first are as those of nic_lib_ram_ultra: Vivado moves them into the RAMs.
// What a word holds that is written as its row is read depends on the device; the other
// words of the row are right. The content after power-up is arbitrary; nothing resets it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_lanes_ultra #(
  parameter int unsigned WIDTH   = 34,   // bits in a word
  parameter int unsigned LANES   = 2,    // words in a row
  parameter int unsigned DEPTH   = 256,  // rows
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from rd_addr to rd_data, 1 or more
) (
  input  wire logic                   clk,
  input  wire logic [LANES-1:0]       wr_en,
  input  wire logic [ADDR_W-1:0]      wr_addr,
  input  wire logic [WIDTH-1:0]       wr_data,  // for whichever words are written
  input  wire logic [ADDR_W-1:0]      rd_addr,
  output      logic [LANES*WIDTH-1:0] rd_data
);

  if (LATENCY < 1) begin : g_check_latency
    $error("LATENCY: want 1 or more");
  end

  // The device writes bytes of nine bits: those of a word go together.
  localparam int unsigned BYTES = (WIDTH + 8) / 9;
  localparam int unsigned ROW_W = LANES * BYTES * 9;

  (* ram_style = "ultra" *)
  logic [ROW_W-1:0]   mem [DEPTH];
  logic [ROW_W-1:0]   row_q;
  logic [ROW_W-1:0]   row;
  logic [9*BYTES-1:0] word;
  logic [ROW_W-1:0]   unused_pad;  // what words leave of their bytes is not read

  assign word       = (9*BYTES)'(wr_data);
  assign unused_pad = row;

  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < LANES * BYTES; i++) begin
      if (wr_en[i/BYTES]) begin
        mem[wr_addr][9*i +: 9] <= word[9*(i%BYTES) +: 9];
      end
    end
    row_q <= mem[rd_addr];
  end

  if (LATENCY == 1) begin : g_direct
    assign row = row_q;
  end else begin : g_output
    (* shreg_extract = "no" *)
    logic [ROW_W*(LATENCY-1)-1:0] out_q;  // the newest row in the low bits

    always_ff @(posedge clk) begin
      out_q <= (ROW_W*(LATENCY-1))'({out_q, row_q});
    end

    assign row = out_q[ROW_W*(LATENCY-2) +: ROW_W];
  end

  for (genvar g = 0; g < LANES; g++) begin : g_word
    assign rd_data[g*WIDTH +: WIDTH] = row[9*g*BYTES +: WIDTH];
  end

endmodule

`resetall
