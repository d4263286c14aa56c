// SPDX-License-Identifier: Apache-2.0
//
// Takes a word of settings from the clock of software to that of a unit, whole.
//
// src_clk  s_valid with s_ready  ->  word_q, which then keeps still, and req_q toggles
// clk      req_q, synchronised   ->  cfg_data takes word_q, and ack_q follows req_q
// src_clk  ack_q, synchronised   ->  s_ready: the word has arrived, the next may come
//
// No reset: were one side reset alone, a word could be lost or taken while it changes.
// settings_cross.tcl constrains the paths between the clocks.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module settings_cross #(
  parameter int unsigned      WIDTH   = 32,
  parameter logic [WIDTH-1:0] INITIAL = '0  // until the first word arrives
) (
  input  wire logic             src_clk,
  input  wire logic             s_valid,
  output      logic             s_ready,
  input  wire logic [WIDTH-1:0] s_data,
  input  wire logic             clk,
  output      logic [WIDTH-1:0] cfg_data
);

  logic             req_q;
  logic             ack_q;
  logic [WIDTH-1:0] word_q;
  logic [WIDTH-1:0] cfg_q;

  (* ASYNC_REG = "TRUE" *) logic [1:0] ack_sync_q;
  (* ASYNC_REG = "TRUE" *) logic [1:0] req_sync_q;

  assign s_ready  = ack_sync_q[1] == req_q;
  assign cfg_data = cfg_q;

  initial begin
    req_q      = 1'b0;
    ack_q      = 1'b0;
    word_q     = INITIAL;
    cfg_q      = INITIAL;
    ack_sync_q = 2'b00;
    req_sync_q = 2'b00;
  end

  always @(posedge src_clk) begin  // not always_ff: initial writes registers too
    ack_sync_q <= {ack_sync_q[0], ack_q};
    if (s_valid && s_ready) begin
      word_q <= s_data;
      req_q  <= !req_q;
    end
  end

  always @(posedge clk) begin  // not always_ff: initial writes registers too
    req_sync_q <= {req_sync_q[0], req_q};
    if (req_sync_q[1] != ack_q) begin
      cfg_q <= word_q;
      ack_q <= req_sync_q[1];
    end
  end

endmodule

`resetall
