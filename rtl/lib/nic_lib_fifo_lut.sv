// SPDX-License-Identifier: Apache-2.0
//
// Queue in LUT RAM, first word fall-through: m_data is the oldest word as soon as
// m_valid is high, one cycle after it was written. One write and one read a cycle;
// both handshakes are registered, and neither ready waits for its valid.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_fifo_lut #(
  parameter int unsigned WIDTH = 8,  // bits in a word
  parameter int unsigned DEPTH = 16  // words; a power of two, at least 2
) (
  input  wire logic             clk,
  input  wire logic             rst,
  input  wire logic             s_valid,
  output      logic             s_ready,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic             m_valid,
  input  wire logic             m_ready,
  output      logic [WIDTH-1:0] m_data
);

  localparam int unsigned ADDR_W = $clog2(DEPTH);

  if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
    $error("DEPTH must be a power of two, at least 2");
  end

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0] mem [DEPTH];

  // One bit more than an address: full and empty differ in it.
  logic [ADDR_W:0] wr_q;
  logic [ADDR_W:0] rd_q;

  assign s_ready = wr_q != {~rd_q[ADDR_W], rd_q[ADDR_W-1:0]};
  assign m_valid = wr_q != rd_q;
  assign m_data  = mem[rd_q[ADDR_W-1:0]];

  always_ff @(posedge clk) begin
    if (s_valid && s_ready) begin
      mem[wr_q[ADDR_W-1:0]] <= s_data;
      wr_q                  <= wr_q + 1'b1;
    end
    if (m_valid && m_ready) begin
      rd_q <= rd_q + 1'b1;
    end
    if (rst) begin
      wr_q <= '0;
      rd_q <= '0;
    end
  end

endmodule

`resetall
