// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps_loss: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_loss_sva #(
  parameter int unsigned PID_BITS  = 13,
  parameter int unsigned PATHS     = 8192,
  parameter int unsigned WORD_W    = 34
) (
  input wire logic                  clk,
  input wire logic                  rst,
  input wire logic                  send_valid,
  input wire logic                  send_stored,
  input wire logic                  ack_valid,
  input wire logic [PID_BITS-1:0]   ack_path,
  input wire logic [1:0]            ack_cause,
  input wire logic                  lost_valid,
  input wire logic                  lost_ready,
  input wire logic [PID_BITS-1:0]   lost_path,
  input wire logic [WORD_W-1:0]     lost_word,
  input wire logic                  lost_push,
  input wire logic                  lost_room
);

  lost_holds : assert property (@(posedge clk) disable iff (rst)
    lost_valid && !lost_ready |=> lost_valid && $stable(lost_path) && $stable(lost_word))
    else $error("a lost segment goes away before it is taken");

  lost_is_legal : assert property (@(posedge clk) disable iff (rst)
    lost_valid |-> 32'(lost_path) < PATHS)
    else $error("a segment is lost on a path that does not exist");

  lost_fits : assert property (@(posedge clk) disable iff (rst)
    lost_push |-> lost_room)
    else $error("a lost segment falls off a full queue");

  stored_is_answer : assert property (@(posedge clk) disable iff (rst)
    send_stored |-> send_valid)
    else $error("a segment is stored that was not sent");

  cause_is_legal : assert property (@(posedge clk) disable iff (rst)
    ack_valid |-> (ack_cause == 2'd3) == (32'(ack_path) >= PATHS))
    else $error("an ACK of a path that does not exist has an effect, or the other way round");

endmodule

bind nic_laps_loss nic_laps_loss_sva #(
  .PID_BITS  (PID_BITS),
  .PATHS     (PATHS),
  .WORD_W    (WORD_W + 1)
) sva (
  .clk         (clk),
  .rst         (rst),
  .send_valid  (m_send_valid),
  .send_stored (m_send_stored),
  .ack_valid   (m_ack_valid),
  .ack_path    (m_ack_pid),
  .ack_cause   (m_ack_cause),
  .lost_valid  (m_lost_valid),
  .lost_ready  (m_lost_ready),
  .lost_path   (m_lost_pid),
  .lost_word   ({m_lost_flow, m_lost_seq, m_lost_timeout}),
  .lost_push   (b6_push),
  .lost_room   (unused_lost_ready)
);

`resetall
