// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_probe: what is offered stays, and one thing happens to a probe at a time.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_probe_sva #(
  parameter int unsigned PID_BITS = 16
) (
  input wire logic                clk,
  input wire logic                rst,
  input wire logic                frame_valid,
  input wire logic                frame_ready,
  input wire logic [319:0]        frame_data,
  input wire logic                answer_valid,
  input wire logic                answer_ready,
  input wire logic [PID_BITS-1:0] answer_pid,
  input wire logic [31:0]         answer_delay,
  input wire logic                route_valid,
  input wire logic                route_ready,
  input wire logic [PID_BITS-1:0] route_pid,
  input wire logic                look,
  input wire logic                waits,
  input wire logic                made,
  input wire logic                goes_probe,
  input wire logic                goes_answer
);

  // Before the first reset nothing holds.
  logic known_q;

  initial known_q = 1'b0;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    known_q <= known_q || rst;
  end

  frame_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    frame_valid && !frame_ready |=> frame_valid && $stable(frame_data))
    else $error("a frame that waits has changed");

  answer_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    answer_valid && !answer_ready |=> answer_valid && $stable(answer_pid) && $stable(answer_delay))
    else $error("a delay that waits has changed");

  route_stays : assert property (@(posedge clk) disable iff (rst || !known_q)
    route_valid && !route_ready |=> route_valid && $stable(route_pid))
    else $error("a request that waits has changed");

  one_step : assert property (@(posedge clk) disable iff (rst || !known_q)
    $onehot0({look, route_valid, waits, made}))
    else $error("a probe is at two steps");

  one_goes : assert property (@(posedge clk) disable iff (rst || !known_q)
    !(goes_probe && goes_answer))
    else $error("two frames would leave at once");

endmodule

bind nic_probe nic_nic_probe_sva #(
  .PID_BITS (PID_BITS)
) sva (
  .clk          (clk),
  .rst          (rst_q),
  .frame_valid  (m_frame_valid),
  .frame_ready  (m_frame_ready),
  .frame_data   (m_frame_data),
  .answer_valid (m_answer_valid),
  .answer_ready (m_answer_ready),
  .answer_pid   (m_answer_pid),
  .answer_delay (m_answer_delay_ns),
  .route_valid  (m_route_valid),
  .route_ready  (m_route_ready),
  .route_pid    (m_route_pid),
  .look         (look_q),
  .waits        (wait_q),
  .made         (made_q),
  .goes_probe   (goes_probe),
  .goes_answer  (goes_answer)
);

`resetall
