// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_dcsim_port: offers stand, the queues stay within their rows, and a
// SIM has a token.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_dcsim_port_sva #(
  parameter int unsigned LEN_W   = 14,
  parameter int unsigned TAG_W   = 16,
  parameter int unsigned ROW_W   = 9,
  parameter int unsigned ROWS    = 416,
  parameter int unsigned DEPTH_W = 5,
  parameter int unsigned TOKEN_W = 24
) (
  input wire logic               clk,
  input wire logic               rst,
  input wire logic               valid,
  input wire logic               ready,
  input wire logic [1:0]         frame_class,
  input wire logic [LEN_W-1:0]   frame_len,
  input wire logic [TAG_W-1:0]   frame_tag,
  input wire logic [TOKEN_W-1:0] gain,
  input wire logic [TOKEN_W-1:0] cost,
  input wire logic               token,
  input wire logic [3:0]         some,
  input wire logic               pick,
  input wire logic [1:0]         winner,
  input wire logic [DEPTH_W:0]   fill,
  input wire logic [ROW_W-1:0]   packets
);

  // The settings of the bucket were legal since the reset.
  logic legal_q;

  initial legal_q = 1'b0;

  always @(posedge clk) begin  // not always_ff: initial writes it too
    legal_q <= (rst || legal_q) && cost != '0 && gain <= cost;
  end

  offer_stands : assert property (@(posedge clk) disable iff (rst)
    valid && !ready |=> valid && $stable(frame_class) && $stable(frame_len) && $stable(frame_tag))
    else $error("an offered frame changed");

  not_every_cycle : assert property (@(posedge clk) disable iff (rst)
    valid && ready |=> !valid)
    else $error("frames in consecutive cycles");

  sim_has_token : assert property (@(posedge clk) disable iff (rst)
    valid && frame_class == 2'd0 && legal_q |-> token)
    else $error("a SIM without a token");

  length_is_legal : assert property (@(posedge clk) disable iff (rst)
    valid |-> frame_len != '0)
    else $error("a frame of length 0");

  strict_priority : assert property (@(posedge clk) disable iff (rst)
    pick |-> some[winner] &&
             !(winner > 2'd0 && some[0] && token) &&
             !(winner > 2'd1 && some[1]) && !(winner > 2'd2 && some[2]))
    else $error("a frame of a higher class waits");

  small_fits : assert property (@(posedge clk) disable iff (rst)
    !(fill[DEPTH_W] && fill[DEPTH_W-1:0] != '0))
    else $error("a small queue with more packets than rows");

  data_fits : assert property (@(posedge clk) disable iff (rst)
    32'(packets) <= ROWS)
    else $error("more DATAs than rows");

endmodule

bind nic_dcsim_port nic_dcsim_port_sva #(
  .LEN_W   (LEN_W),
  .TAG_W   (TAG_W),
  .ROW_W   (ROW_W),
  .ROWS    (DESCRIPTORS - 3 * QUEUE_DEPTH),
  .DEPTH_W (DEPTH_W),
  .TOKEN_W (TOKEN_W)
) sva (
  .clk         (clk),
  .rst         (rst || rst_q),
  .valid       (m_frame_valid),
  .ready       (m_frame_ready),
  .frame_class (m_frame_class),
  .frame_len   (m_frame_len),
  .frame_tag   (m_frame_tag),
  .gain        (cfg_token_gain),
  .cost        (cfg_token_cost),
  .token       (token_ready),
  .some        ({data_some, small_some}),
  .pick        (pick),
  .winner      (winner),
  .fill        ((p1_data || !p1_valid_q) ? '0 : small_queues.fill),
  .packets     (sts_data_packets)
);

`resetall
