// SPDX-License-Identifier: Apache-2.0
//
// Memory in ultra RAM: one write port, one read port, one clock.
//
// The read is registered: rd_data holds the word at rd_addr LATENCY cycles later. A
// word must not be read in the cycle in which it is written: what rd_data then
// holds depends on the device. The content after power-up is arbitrary; nothing
// resets it.
//
// With LATENCY from 2, more registers follow that of the read. They have no reset and no
// enable, and nothing else reads them: Vivado then moves them into the RAMs, as the output
// register and as those of a cascade, of which a memory of several RAMs has as many as
// RAMs in a column and columns. Yosys leaves them as flip-flops.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_ram_ultra #(
  parameter int unsigned WIDTH   = 8,    // bits in a word
  parameter int unsigned DEPTH   = 256,  // words
  parameter int unsigned ADDR_W  = 8,    // bits in an address
  parameter int unsigned LATENCY = 1     // cycles from an address to its word, 1 or more
) (
  input  wire logic              clk,
  input  wire logic              wr_en,
  input  wire logic [ADDR_W-1:0] wr_addr,
  input  wire logic [WIDTH-1:0]  wr_data,
  input  wire logic [ADDR_W-1:0] rd_addr,
  output      logic [WIDTH-1:0]  rd_data
);

  if (LATENCY < 1) begin : g_check_latency
    $error("LATENCY: want 1 or more");
  end

  (* ram_style = "ultra" *)
  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] data_q;

  always_ff @(posedge clk) begin
    if (wr_en) begin
      mem[wr_addr] <= wr_data;
    end
    data_q <= mem[rd_addr];
  end

  if (LATENCY == 1) begin : g_direct
    assign rd_data = data_q;
  end else begin : g_output
    (* shreg_extract = "no" *)
    logic [WIDTH*(LATENCY-1)-1:0] out_q;  // the newest word in the low bits

    always_ff @(posedge clk) begin
      out_q <= (WIDTH*(LATENCY-1))'({out_q, data_q});
    end

    assign rd_data = out_q[WIDTH*(LATENCY-2) +: WIDTH];
  end

endmodule

`resetall
