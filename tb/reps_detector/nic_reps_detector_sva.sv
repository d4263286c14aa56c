// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_reps_detector: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_reps_detector_sva #(
  parameter int unsigned CONN_BITS    = 16,
  parameter int unsigned CONNECTIONS  = 256,
  parameter int unsigned COUNTER_BITS = 32
) (
  input wire logic                    clk,
  input wire logic                    rst,
  input wire logic                    timeout_valid,
  input wire logic [CONN_BITS-1:0]    timeout_conn,
  input wire logic [1:0]              timeout_cause,
  input wire logic                    fail_valid,
  input wire logic [COUNTER_BITS-1:0] timeouts,
  input wire logic [COUNTER_BITS-1:0] failures,
  input wire logic [COUNTER_BITS-1:0] congestions
);

  cause_known : assert property (@(posedge clk) disable iff (rst)
    timeout_valid |-> timeout_cause <= 2'd2)
    else $error("a verdict that has no name");

  fail_is_verdict : assert property (@(posedge clk) disable iff (rst)
    fail_valid == (timeout_valid && timeout_cause == 2'd0))
    else $error("a failure without its verdict, or the other way round");

  fail_is_legal : assert property (@(posedge clk) disable iff (rst)
    fail_valid |-> 32'(timeout_conn) < CONNECTIONS)
    else $error("a failure of a connection that does not exist");

  // A verdict is counted four cycles after its timeout is.
  counters_agree : assert property (@(posedge clk) disable iff (rst)
    timeouts - failures - congestions <= COUNTER_BITS'(4))
    else $error("verdicts and timeouts do not add up");

endmodule

bind nic_reps_detector nic_reps_detector_sva #(
  .CONN_BITS    (CONN_BITS),
  .CONNECTIONS  (CONNECTIONS),
  .COUNTER_BITS (COUNTER_BITS)
) sva (
  .clk           (clk),
  .rst           (rst || rst_q),
  .timeout_valid (m_timeout_valid),
  .timeout_conn  (m_timeout_conn),
  .timeout_cause (m_timeout_cause),
  .fail_valid    (m_fail_valid),
  .timeouts      (sts_timeout_cnt),
  .failures      (sts_fail_cnt),
  .congestions   (sts_congestion_cnt)
);

`resetall
