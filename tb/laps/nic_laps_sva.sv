// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps: what its parts rely on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_sva #(
  parameter int unsigned BANKS  = 32,
  parameter int unsigned BANK_W = 5
) (
  input wire logic              clk,
  input wire logic              rst,
  input wire logic              ready,
  input wire logic              packet_valid,
  input wire logic              measured,
  input wire logic              slot,
  input wire logic              tables_ready,
  input wire logic              ack_ready,
  input wire logic              answer_ready,
  input wire logic              answer_valid,
  input wire logic              cand_valid,
  input wire logic              pick_valid,
  input wire logic              pick_none,
  input wire logic [BANK_W-1:0] pick_index,
  input wire logic              path_valid,
  input wire logic              operands_valid
);

  // Packets that are between the path tables and the picker's answer.
  logic [7:0] waiting_q;

  always_ff @(posedge clk) begin
    waiting_q <= waiting_q + 8'(cand_valid) - 8'(pick_valid);
    if (rst) begin
      waiting_q <= '0;
    end
  end

  one_pick : assert property (@(posedge clk) disable iff (rst)
    pick_valid |-> waiting_q != '0)
    else $error("a pick without candidates");

  pick_exists : assert property (@(posedge clk) disable iff (rst)
    pick_valid && !pick_none |-> 32'(pick_index) < BANKS)
    else $error("a pick of a bank that does not exist");

  quiet_when_unready : assert property (@(posedge clk) disable iff (rst)
    !ready |-> !packet_valid && !measured && !ack_ready && !answer_ready && !path_valid)
    else $error("something is taken while a part is not ready");

  slot_is_ready : assert property (@(posedge clk) disable iff (rst)
    ready |-> slot == tables_ready)
    else $error("a slot for a measurement that the path tables do not have");

  answer_first : assert property (@(posedge clk) disable iff (rst)
    answer_valid |-> !ack_ready)
    else $error("an ACK is taken in the place of a probe's answer");

  operands_find_rates : assert property (@(posedge clk) disable iff (rst)
    operands_valid |-> ready)
    else $error("operands while flows are opened");

endmodule

bind nic_laps nic_laps_sva #(
  .BANKS  (BANKS),
  .BANK_W (BANK_W)
) sva (
  .clk            (clk),
  .rst            (rst || rst_q),
  .ready          (sts_ready),
  .packet_valid   (packet_valid),
  .measured       (measured),
  .slot           (slot),
  .tables_ready   (unused_measured_ready),
  .ack_ready      (s_ack_ready),
  .answer_ready   (s_answer_ready),
  .answer_valid   (s_answer_valid),
  .cand_valid     (cand_valid),
  .pick_valid     (pick_valid),
  .pick_none      (pick_none),
  .pick_index     (pick_index),
  .path_valid     (m_path_valid),
  .operands_valid (operands_valid)
);

`resetall
