// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps_rate: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_rate_sva #(
  parameter int unsigned FLOW_BITS = 16,
  parameter int unsigned FLOWS     = 1024,
  parameter int unsigned RATE_W    = 25
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 valid,
  input wire logic [FLOW_BITS-1:0] flow,
  input wire logic [2:0]           cause,
  input wire logic [RATE_W-1:0]    current,
  input wire logic [RATE_W-1:0]    expected,
  input wire logic                 illegal
);

  cause_known : assert property (@(posedge clk) disable iff (rst)
    valid |-> cause <= 3'd6)
    else $error("an answer that has no name");

  illegal_is_answer : assert property (@(posedge clk) disable iff (rst)
    illegal == (valid && cause == 3'd6))
    else $error("an illegal event without its answer, or the other way round");

  illegal_is_illegal : assert property (@(posedge clk) disable iff (rst)
    valid |-> (cause == 3'd6) == (32'(flow) >= FLOWS))
    else $error("an answer of a flow that does not exist, or none of one that does");

  illegal_is_nothing : assert property (@(posedge clk) disable iff (rst)
    illegal |-> current == '0 && expected == '0)
    else $error("a rate of a flow that does not exist");

  open_is_equal : assert property (@(posedge clk) disable iff (rst)
    valid && cause == 3'd4 |-> current == expected)
    else $error("a flow that is opened with two rates");

endmodule

bind nic_laps_rate nic_laps_rate_sva #(
  .FLOW_BITS (FLOW_BITS),
  .FLOWS     (FLOWS),
  .RATE_W    (RATE_W)
) sva (
  .clk       (clk),
  .rst       (rst || rst_q),
  .valid     (m_rate_valid),
  .flow      (m_rate_flow),
  .cause     (m_rate_cause),
  .current   (m_rate_current),
  .expected  (m_rate_expected),
  .illegal   (evt_illegal)
);

`resetall
