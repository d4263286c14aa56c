// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps_loss: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_loss_sva #(
  parameter int unsigned PID_BITS  = 13,
  parameter int unsigned PATHS     = 8192,
  parameter int unsigned WORD_W    = 34,
  parameter int unsigned IDX_W     = 13,
  parameter int unsigned PTR_W     = 9,
  parameter int unsigned SLOTS     = 9
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
  input wire logic                  lost_room,
  input wire logic                  e1_enters,  // an ACK goes from e1 to stage 0
  input wire logic [PID_BITS-1:0]   e1_path,
  input wire logic [SLOTS-2:0]      e1_same,
  input wire logic [SLOTS-1:0]      ahead,
  input wire logic [SLOTS-1:0]      busy,
  input wire logic [SLOTS*PID_BITS-1:0] slot_paths,  // by stage
  input wire logic                  head_wr_en,
  input wire logic [IDX_W-1:0]      head_wr_idx,
  input wire logic [PTR_W-1:0]      head_wr_data,
  input wire logic                  in_order,   // in the last stage an ACK is done in its first pass
  input wire logic [PTR_W-1:0]      in_head     // with this head
);

  // The paths in the barrel and in e1, compared anew.
  logic [SLOTS-2:0] same;

  always_comb begin
    for (int unsigned i = 0; i < SLOTS - 1; i++) begin
      same[i] = slot_paths[i*PID_BITS +: PID_BITS] == e1_path;
    end
  end

  same_is_right : assert property (@(posedge clk) disable iff (rst)
    e1_enters |-> ((e1_same ^ same) & (ahead[SLOTS-2:0] | busy[SLOTS-2:0])) == '0)
    else $error("an ACK has not kept up with what is in the barrel of its path");

  enters_alone : assert property (@(posedge clk) disable iff (rst)
    e1_enters |-> (same & busy[SLOTS-2:0]) == '0)
    else $error("an ACK enters while something else of its path is in the barrel");

  slot_is_one : assert property (@(posedge clk) disable iff (rst)
    (ahead & busy) == '0)
    else $error("a slot has two contents");

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

  // The heads, as they are when every ACK ahead is done.
  logic [PTR_W-1:0] heads [2**IDX_W];
  logic [PTR_W-1:0] head;

  assign head = heads[head_wr_idx];

  always_ff @(posedge clk) begin
    if (head_wr_en) begin
      heads[head_wr_idx] <= head_wr_data;
    end
  end

  head_is_right : assert property (@(posedge clk) disable iff (rst)
    in_order |-> in_head == head)
    else $error("what an ACK in order took for the head is not the head");

endmodule

bind nic_laps_loss nic_laps_loss_sva #(
  .PID_BITS  (PID_BITS),
  .PATHS     (PATHS),
  .WORD_W    (WORD_W + 1),
  .IDX_W     (IDX_W),
  .PTR_W     (PTR_W),
  .SLOTS     (SLOTS)
) sva (
  .clk         (clk),
  .rst         (rst || rst_q),
  .send_valid  (m_send_valid),
  .send_stored (m_send_stored),
  .ack_valid   (m_ack_valid),
  .ack_path    (m_ack_pid),
  .ack_cause   (m_ack_cause),
  .lost_valid  (m_lost_valid),
  .lost_ready  (m_lost_ready),
  .lost_path   (m_lost_pid),
  .lost_word   ({m_lost_flow, m_lost_seq, m_lost_timeout}),
  .lost_push   (lost_push),
  .lost_room   (unused_lost_ready),
  .e1_enters   (ack_enters),
  .e1_path     (ack_path),
  .e1_same     (ack_same),
  .ahead       (ahead),
  .busy        (busy),
  .slot_paths  (slot_paths),

  .head_wr_en   (head_wr_en),
  .head_wr_idx  (head_wr_idx),
  .head_wr_data (head_wr_data),
  .in_order     (ahead[SLOTS-1] && barrel.found),
  .in_head      (barrel.last_head)
);

`resetall
