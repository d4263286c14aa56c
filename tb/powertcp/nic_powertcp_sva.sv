// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_powertcp: what its answers and handshakes have in common
// in every variant.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_powertcp_sva #(
  parameter int unsigned CONN_BITS   = 16,
  parameter int unsigned CONNECTIONS = 256
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 ready,
  input wire logic                 ack_valid,
  input wire logic                 ack_ready,
  input wire logic                 flush_ready,
  input wire logic                 win_valid,
  input wire logic [CONN_BITS-1:0] win_conn,
  input wire logic [24:0]          win_bytes,
  input wire logic [23:0]          win_rate,
  input wire logic [25:0]          win_norm,
  input wire logic [25:0]          win_power,
  input wire logic [2:0]           win_cause,
  input wire logic [24:0]          min_window,
  input wire logic [24:0]          max_window
);

  localparam logic [2:0] CAUSE_ILLEGAL = 3'd6;

  // Bounds in force for longer than an ACK is on its way.
  logic [24:0] min_q;
  logic [24:0] max_q;
  logic [6:0]  still_q;

  initial begin
    min_q   = '0;
    max_q   = '0;
    still_q = '0;
  end

  always @(posedge clk) begin  // not always_ff: initial writes them too
    min_q <= min_window;
    max_q <= max_window;
    if (min_window != min_q || max_window != max_q || rst)
      still_q <= '0;
    else if (still_q != '1)
      still_q <= still_q + 1'b1;
  end

  // These hold whatever comes in, and from any state (P16).
  window_bounded : assert property (@(posedge clk) disable iff (rst)
    win_valid && win_cause != CAUSE_ILLEGAL && still_q == '1 && min_q <= max_q
      |-> win_bytes >= min_q && win_bytes <= max_q)
    else $error("a window outside of its bounds");

  cause_known : assert property (@(posedge clk) disable iff (rst)
    win_valid |-> win_cause <= CAUSE_ILLEGAL)
    else $error("an answer whose cause has no name");

  illegal_is_illegal : assert property (@(posedge clk) disable iff (rst)
    win_valid |-> (win_cause == CAUSE_ILLEGAL) == (32'(win_conn) >= CONNECTIONS))
    else $error("a legal connection is called illegal, or the other way round");

  illegal_is_zero : assert property (@(posedge clk) disable iff (rst)
    win_valid && win_cause == CAUSE_ILLEGAL |-> {win_bytes, win_rate, win_norm, win_power} == '0)
    else $error("a connection that does not exist has a window");

  ready_after_clear : assert property (@(posedge clk) disable iff (rst)
    ack_ready || flush_ready |-> ready)
    else $error("an event is taken while connections are made new");

  ack_before_flush : assert property (@(posedge clk) disable iff (rst)
    flush_ready |-> !ack_valid)
    else $error("a flush is taken in the cycle of an ACK");

endmodule

bind nic_powertcp nic_powertcp_sva #(
  .CONN_BITS   (CONN_BITS),
  .CONNECTIONS (CONNECTIONS)
) sva (
  .clk         (clk),
  .rst         (rst || rst_q),
  .ready       (sts_ready),
  .ack_valid   (s_ack_valid),
  .ack_ready   (s_ack_ready),
  .flush_ready (s_flush_ready),
  .win_valid   (m_win_valid),
  .win_conn    (m_win_conn),
  .win_bytes   (m_win_bytes),
  .win_rate    (m_win_rate),
  .win_norm    (m_win_norm),
  .win_power   (m_win_power),
  .win_cause   (m_win_cause),
  .min_window  (cfg_min_window),
  .max_window  (cfg_max_window)
);

`resetall
