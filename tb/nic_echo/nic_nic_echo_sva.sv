// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_echo: the lane does one thing a cycle, and what goes out stays.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_echo_sva (
  input wire logic clk,
  input wire logic rst,
  input wire logic data,
  input wire logic clear,
  input wire logic empty,
  input wire logic ready,
  input wire logic flush_ready,
  input wire logic taken
);

  // Before the first reset nothing holds.
  logic known_q;

  initial known_q = 1'b0;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    known_q <= known_q || rst;
  end

  one_thing : assert property (@(posedge clk) disable iff (rst || !known_q)
    !(data && taken && (clear || empty)))
    else $error("a packet and a step of a flush in one cycle");

  flush_when_ready : assert property (@(posedge clk) disable iff (rst || !known_q)
    flush_ready |-> ready)
    else $error("a flush is done before the unit is ready");

endmodule

bind nic_echo nic_nic_echo_sva sva (
  .clk         (clk),
  .rst         (rst_q),
  .data        (p0_data_q),
  .clear       (p0_clear_q),
  .empty       (p0_empty_q),
  .ready       (sts_ready),
  .flush_ready (s_flush_ready),
  .taken       (p0_taken_q)
);

`resetall
