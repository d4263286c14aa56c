// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_lookup: who has port B, and how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_lookup_sva #(
  parameter int unsigned CONN_BITS   = 16,
  parameter int unsigned CONNECTIONS = 256,
  parameter int unsigned STAGES      = 5
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 open,
  input wire logic                 waits,
  input wire logic                 begins,
  input wire logic                 b_search,
  input wire logic [STAGES-1:0]    stages,
  input wire logic                 done,
  input wire logic                 failed,
  input wire logic                 illegal,
  input wire logic                 a_valid,
  input wire logic                 a_hit,
  input wire logic [CONN_BITS-1:0] a_conn,
  input wire logic                 a_conflict,
  input wire logic                 b_valid,
  input wire logic                 b_hit,
  input wire logic [CONN_BITS-1:0] b_conn,
  input wire logic                 b_conflict
);

  one_user_of_port_b : assert property (@(posedge clk) disable iff (rst)
    !(begins && b_search))
    else $error("an operation and a search use port b in one cycle");

  one_operation : assert property (@(posedge clk) disable iff (rst)
    $onehot0({open, waits, stages}))
    else $error("two operations at a time");

  open_again : assert property (@(posedge clk) disable iff (rst)
    done |-> open)
    else $error("an operation is answered and the next one is not taken");

  illegal_is_answered : assert property (@(posedge clk) disable iff (rst)
    illegal == (done && failed))
    else $error("evt_illegal without the answer that says so, or the other way round");

  connections_exist : assert property (@(posedge clk) disable iff (rst)
    (!(a_valid && a_hit) || 32'(a_conn) < CONNECTIONS) && (!(b_valid && b_hit) || 32'(b_conn) < CONNECTIONS))
    else $error("a search finds a connection that does not exist");

  conflict_of_a_hit : assert property (@(posedge clk) disable iff (rst)
    (!a_conflict || $past(a_valid && a_hit)) && (!b_conflict || $past(b_valid && b_hit)))
    else $error("a conflict without a hit");

endmodule

bind nic_lookup nic_nic_lookup_sva #(
  .CONN_BITS   (CONN_BITS),
  .CONNECTIONS (CONNECTIONS),
  .STAGES      (MEMORY + 4)
) sva (
  .clk        (clk),
  .rst        (rst),
  .open       (open_q),
  .waits      (waits_q),
  .begins     (p1_op),
  .b_search   (p1_b_valid),
  .stages     (op_q),
  .done       (m_write_valid),
  .failed     (m_write_error),
  .illegal    (evt_illegal),
  .a_valid    (m_a_valid),
  .a_hit      (m_a_hit),
  .a_conn     (m_a_conn),
  .a_conflict (evt_a_conflict),
  .b_valid    (m_b_valid),
  .b_hit      (m_b_hit),
  .b_conn     (m_b_conn),
  .b_conflict (evt_b_conflict)
);

`resetall
