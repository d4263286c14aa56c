// SPDX-License-Identifier: Apache-2.0
//
// Writes that a read of several cycles has to see, but for the last of them: part of
// memories that forward. For the read that began CYCLES + 1 cycles ago, hit tells whether
// one of the first CYCLES cycles, that in which it began included, wrote to its address,
// and data is what was written last. last_addr is the address of the read that began
// CYCLES cycles ago, for the comparison with the last write. Data is chosen by registers,
// so that neither wr_en nor wr_addr has far to go.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_older #(
  parameter int unsigned WIDTH  = 8,  // bits in a word
  parameter int unsigned ADDR_W = 8,  // bits in an address
  parameter int unsigned CYCLES = 1   // at least 1
) (
  input  wire logic              clk,
  input  wire logic              rst,
  input  wire logic              wr_en,
  input  wire logic [ADDR_W-1:0] wr_addr,
  input  wire logic [WIDTH-1:0]  last_data,  // what the cycle before wrote
  input  wire logic [ADDR_W-1:0] rd_addr,
  output      logic [ADDR_W-1:0] last_addr,
  output      logic              hit,
  output      logic [WIDTH-1:0]  data
);

  // By cycles since the read began, the youngest in the low bits: its address; whether the
  // cycle before wrote there; whether one before that did, and what.
  logic [CYCLES*ADDR_W-1:0] addr_q;
  logic [CYCLES-1:0]        now_q;
  logic [CYCLES-1:0]        hit_q;
  logic [CYCLES*WIDTH-1:0]  data_q;

  always_ff @(posedge clk) begin
    addr_q <= (CYCLES*ADDR_W)'({addr_q, rd_addr});
    for (int unsigned i = 0; i < CYCLES; i++) begin
      if (i == 0) begin
        now_q[i]           <= wr_en && wr_addr == rd_addr;
        hit_q[i]           <= now_q[i];
        data_q[0 +: WIDTH] <= last_data;
      end else begin
        now_q[i]                 <= wr_en && wr_addr == addr_q[(i-1)*ADDR_W +: ADDR_W];
        hit_q[i]                 <= now_q[i] || hit_q[i-1];
        data_q[i*WIDTH +: WIDTH] <= now_q[i] ? last_data : data_q[(i-1)*WIDTH +: WIDTH];
      end
    end
    if (rst) begin
      now_q <= '0;
      hit_q <= '0;
    end
  end

  assign last_addr = addr_q[(CYCLES-1)*ADDR_W +: ADDR_W];
  assign hit       = hit_q[CYCLES-1];
  assign data      = data_q[(CYCLES-1)*WIDTH +: WIDTH];

endmodule

`resetall
