// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_gate: queues do not overflow, what is offered stays, places are counted.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_gate_sva #(
  parameter int unsigned CONN_BITS = 16,
  parameter int unsigned IDX_W     = 8
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 push_valid,
  input wire logic                 push_ready,
  input wire logic [CONN_BITS-1:0] push_conn,
  input wire logic                 open,
  input wire logic [4:0]           open_fill,
  input wire logic [IDX_W:0]       first_wr,
  input wire logic [IDX_W:0]       first_rd,
  input wire logic                 pop_valid,
  input wire logic                 pop_ready,
  input wire logic [CONN_BITS-1:0] pop_conn,
  input wire logic                 pop,
  input wire logic [3:0]           pop_fill,
  input wire logic                 place,
  input wire logic                 due,
  input wire logic                 flush,
  input wire logic                 look,
  input wire logic                 scan
);

  // Before the first reset nothing holds.
  logic known_q;

  initial known_q = 1'b0;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    known_q <= known_q || rst;
  end

  push_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    push_valid && !push_ready |=> push_valid && $stable(push_conn))
    else $error("a PUSH that was offered is gone");

  pop_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    pop_valid && !pop_ready |=> pop_valid && $stable(pop_conn))
    else $error("a POP that was offered is gone");

  one_thing : assert property (@(posedge clk) disable iff (rst || !known_q)
    $onehot0({due, flush, look, scan}))
    else $error("two connections in one cycle");

  pop_has_room : assert property (@(posedge clk) disable iff (rst || !known_q)
    pop |-> pop_fill < 4'd8)
    else $error("a POP without a place");

  place_is_there : assert property (@(posedge clk) disable iff (rst || !known_q)
    place |-> pop_fill < 4'd8)
    else $error("a place that is not there");

  open_has_room : assert property (@(posedge clk) disable iff (rst || !known_q)
    open |-> open_fill < 5'd16)
    else $error("no room for a connection that was found open");

  each_once : assert property (@(posedge clk) disable iff (rst || !known_q)
    (IDX_W+1)'(first_wr - first_rd) <= (IDX_W+1)'(2 ** IDX_W))
    else $error("more connections on their way than there are");

endmodule

bind nic_gate nic_nic_gate_sva #(
  .CONN_BITS (CONN_BITS),
  .IDX_W     (IDX_W)
) sva (
  .clk        (clk),
  .rst        (rst_q),
  .push_valid (m_push_valid),
  .push_ready (m_push_ready),
  .push_conn  (m_push_conn),
  .open       (open),
  .open_fill  (push.open_fill),
  .first_wr   (push.wr_q),
  .first_rd   (push.rd_q),
  .pop_valid  (m_pop_valid),
  .pop_ready  (m_pop_ready),
  .pop_conn   (m_pop_conn),
  .pop        (turn.g3_pop_q),
  .pop_fill   (turn.pops_fill),
  .place      (turn.place_q),
  .due        (turn.g1_due_q),
  .flush      (turn.g1_flush_q),
  .look       (turn.g1_look_q),
  .scan       (turn.g1_scan_q)
);

`resetall
