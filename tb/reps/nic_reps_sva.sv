// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_reps: invariants of the state that each lane sees.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_reps_sva #(
  parameter int unsigned BUFFER_DEPTH = 8,
  parameter int unsigned SLOT_W       = 3
) (
  input wire logic            clk,
  input wire logic            rst,
  input wire logic            ready,
  input wire logic            ack_seen,
  input wire logic [SLOT_W:0] ack_valid_evs,
  input wire logic            send_seen,
  input wire logic [SLOT_W:0] send_valid_evs,
  input wire logic            ev_valid,
  input wire logic [2:0]      ev_source
);

  // numberOfValidEVs never exceeds the depth (REPS Algorithm 1 line 9).
  valid_evs_ack : assert property (@(posedge clk) disable iff (rst || !ready)
    ack_seen |-> 32'(ack_valid_evs) <= BUFFER_DEPTH)
    else $error("ACK lane: more valid EVs than the buffer holds");

  valid_evs_send : assert property (@(posedge clk) disable iff (rst || !ready)
    send_seen |-> 32'(send_valid_evs) <= BUFFER_DEPTH)
    else $error("SEND lane: more valid EVs than the buffer holds");

  source_known : assert property (@(posedge clk) disable iff (rst)
    ev_valid |-> ev_source <= 3'd5)
    else $error("an EV comes from nowhere");

endmodule

bind nic_reps nic_reps_sva #(
  .BUFFER_DEPTH (BUFFER_DEPTH),
  .SLOT_W       (SLOT_W)
) sva (
  .clk            (clk),
  .rst            (rst || rst_q),
  .ready          (ready_q),
  .ack_seen       (p2_good_q),
  .ack_valid_evs  (lanes.ack_ack.pushes - lanes.ack_pops),
  .send_seen      (p2_reps_q),
  .send_valid_evs (lanes.send_ack.pushes - lanes.send_send.pops),
  .ev_valid       (m_ev_valid),
  .ev_source      (m_ev_source)
);

`resetall
