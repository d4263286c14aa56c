// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_feedback: what is offered stays, a frame has two beats, and a word goes to
// one place of a beat.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_feedback_sva #(
  parameter int unsigned CONN_BITS = 16
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic [511:0]         data,
  input wire logic [63:0]          keep,
  input wire logic                 valid,
  input wire logic                 ready,
  input wire logic                 last,
  input wire logic [16:0]          token,
  input wire logic                 back_valid,
  input wire logic                 back_ready,
  input wire logic [CONN_BITS-1:0] back_conn,
  input wire logic [15:0]          back_ev,
  input wire logic                 back_mark
);

  // Before the first reset nothing holds.
  logic known_q;

  initial known_q = 1'b0;
  logic second_q;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    known_q <= known_q || rst;
    if (valid && ready) begin
      second_q <= !second_q;
    end
    if (rst) begin
      second_q <= 1'b0;
    end
  end

  beat_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    valid && !ready |=> valid && $stable(data) && $stable(keep) && $stable(last))
    else $error("a beat that waits has changed");

  two_beats : assert property (@(posedge clk) disable iff (rst || !known_q)
    valid |-> last == second_q)
    else $error("a frame that has not two beats");

  whole : assert property (@(posedge clk) disable iff (rst || !known_q)
    valid |-> (keep & (keep + 64'd1)) == '0 && keep[0] && (last || keep == '1))
    else $error("bytes are missing");

  one_place : assert property (@(posedge clk) disable iff (rst || !known_q)
    $onehot0(token) && !(valid && token != '0))
    else $error("a word goes to two places, or to a beat that leaves");

  value_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    back_valid && !back_ready |=> back_valid && $stable(back_conn) && $stable(back_ev) && $stable(back_mark))
    else $error("an entropy value that waits has changed");

endmodule

bind nic_feedback nic_nic_feedback_sva #(
  .CONN_BITS (CONN_BITS)
) sva (
  .clk        (clk),
  .rst        (rst_q),
  .data       (m_axis_tdata),
  .keep       (m_axis_tkeep),
  .valid      (m_axis_tvalid),
  .ready      (m_axis_tready),
  .last       (m_axis_tlast),
  .token      (make.token_q),
  .back_valid (m_back_valid),
  .back_ready (m_back_ready),
  .back_conn  (m_back_conn),
  .back_ev    (m_back_ev),
  .back_mark  (m_back_mark)
);

`resetall
