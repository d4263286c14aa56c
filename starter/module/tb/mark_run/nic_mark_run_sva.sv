// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_mark_run: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_mark_run_sva #(
  parameter int unsigned CONN_BITS   = 16,
  parameter int unsigned CONNECTIONS = 256
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 ack_valid,
  input wire logic [CONN_BITS-1:0] ack_conn,
  input wire logic                 illegal
);

  answer_is_legal : assert property (@(posedge clk) disable iff (rst)
    ack_valid |-> 32'(ack_conn) < CONNECTIONS)
    else $error("an answer for a connection that does not exist");

  answer_or_illegal : assert property (@(posedge clk) disable iff (rst)
    !(ack_valid && illegal))
    else $error("an ACK is both answered and illegal");

endmodule

bind nic_mark_run nic_mark_run_sva #(
  .CONN_BITS   (CONN_BITS),
  .CONNECTIONS (CONNECTIONS)
) sva (
  .clk       (clk),
  .rst       (rst),
  .ack_valid (m_ack_valid),
  .ack_conn  (m_ack_conn),
  .illegal   (evt_illegal)
);

`resetall
