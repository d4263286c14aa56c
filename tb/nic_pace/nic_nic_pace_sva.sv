// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_pace: the lane does one thing a cycle, and what is offered stays.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_pace_sva #(
  parameter int unsigned CONN_BITS = 16
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 done,
  input wire logic                 flush,
  input wire logic                 scan,
  input wire logic                 take,
  input wire logic                 look,
  input wire logic                 push,
  input wire logic                 due,
  input wire logic                 due_valid,
  input wire logic                 due_ready,
  input wire logic [CONN_BITS-1:0] due_conn
);

  // Before the first reset nothing holds.
  logic known_q;

  initial known_q = 1'b0;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    known_q <= known_q || rst;
  end

  one_thing : assert property (@(posedge clk) disable iff (rst || !known_q)
    $onehot0({done, flush, scan, take, look, push}))
    else $error("two things in the lane in one cycle");

  turn_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    due_valid && !due_ready |=> due_valid && $stable(due_conn))
    else $error("a turn that was offered is gone");

  due_or_wheel : assert property (@(posedge clk) disable iff (rst || !known_q)
    due |-> !$past(take))
    else $error("a slot that was taken is due");

endmodule

bind nic_pace nic_nic_pace_sva #(
  .CONN_BITS (CONN_BITS)
) sva (
  .clk       (clk),
  .rst       (rst_q),
  .done      (p0_done_q),
  .flush     (p0_flush_q),
  .scan      (p0_scan_q),
  .take      (p0_take_q),
  .look      (p0_look_q),
  .push      (p0_push_q),
  .due       (p6_due_q && p6_take_q),
  .due_valid (m_due_valid),
  .due_ready (m_due_ready),
  .due_conn  (m_due_conn)
);

`resetall
