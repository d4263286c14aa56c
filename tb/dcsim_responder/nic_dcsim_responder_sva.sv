// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_dcsim_responder: offers stand, DATA-ACKs count down to their last
// tag, queues have room, pointers of a flow are in order.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_dcsim_responder_sva #(
  parameter int unsigned FLOW_BITS = 16,
  parameter int unsigned FLOWS     = 256,
  parameter int unsigned PORT_BITS = 14,
  parameter int unsigned TAG_BITS  = 16,
  parameter int unsigned LEFT_W    = 4,
  parameter int unsigned PTR_W     = 6
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 sim_valid,
  input wire logic                 sim_ready,
  input wire logic [FLOW_BITS-1:0] sim_flow,
  input wire logic [PORT_BITS-1:0] sim_port,
  input wire logic                 tag_valid,
  input wire logic                 tag_ready,
  input wire logic [FLOW_BITS-1:0] tag_flow,
  input wire logic [TAG_BITS-1:0]  tag_tag,
  input wire logic [LEFT_W-1:0]    tag_left,
  input wire logic                 tag_last,
  input wire logic                 out_push,
  input wire logic                 out_room,
  input wire logic                 pd_data,
  input wire logic [PTR_W-1:0]     pd_tail,
  input wire logic [PTR_W-1:0]     pd_head,
  input wire logic [PTR_W-1:0]     pd_read
);

  logic [PTR_W-1:0] recorded;
  logic [PTR_W-1:0] made;

  assign recorded = pd_tail - pd_read;
  assign made     = pd_head - pd_read;

  sim_stands : assert property (@(posedge clk) disable iff (rst)
    sim_valid && !sim_ready |=> sim_valid && $stable(sim_flow) && $stable(sim_port))
    else $error("an offered SIM-ACK changed");

  tag_stands : assert property (@(posedge clk) disable iff (rst)
    tag_valid && !tag_ready |=>
    tag_valid && $stable(tag_flow) && $stable(tag_tag) && $stable(tag_left) && $stable(tag_last))
    else $error("an offered tag changed");

  flows_exist : assert property (@(posedge clk) disable iff (rst)
    (!sim_valid || 32'(sim_flow) < FLOWS) && (!tag_valid || 32'(tag_flow) < FLOWS))
    else $error("an answer to a flow that does not exist");

  // The tag before the one that is offered: how many were to follow it, and its flow.
  logic [LEFT_W-1:0]    left_q;
  logic [FLOW_BITS-1:0] flow_q;

  always_ff @(posedge clk) begin
    if (tag_valid && tag_ready) begin
      left_q <= tag_left;
      flow_q <= tag_flow;
    end
    if (rst) begin
      left_q <= '0;
    end
  end

  counts_down : assert property (@(posedge clk) disable iff (rst)
    tag_valid && left_q != '0 |-> tag_left == left_q - 1'b1 && tag_flow == flow_q)
    else $error("a DATA-ACK is not what its first tag said");

  tags_have_room : assert property (@(posedge clk) disable iff (rst)
    out_push |-> out_room)
    else $error("a tag is lost");

  pointers_in_order : assert property (@(posedge clk) disable iff (rst)
    pd_data |-> recorded <= PTR_W'(1 << (PTR_W - 1)) && made <= recorded)
    else $error("the pointers of a flow have passed each other");

endmodule

bind nic_dcsim_responder nic_dcsim_responder_sva #(
  .FLOW_BITS (FLOW_BITS),
  .FLOWS     (FLOWS),
  .PORT_BITS (PORT_BITS),
  .TAG_BITS  (TAG_BITS),
  .LEFT_W    (LEFT_W),
  .PTR_W     (PTR_W)
) sva (
  .clk       (clk),
  .rst       (rst || rst_q),
  .sim_valid (m_sim_ack_valid),
  .sim_ready (m_sim_ack_ready),
  .sim_flow  (m_sim_ack_flow),
  .sim_port  (m_sim_ack_port),
  .tag_valid (m_data_ack_valid),
  .tag_ready (m_data_ack_ready),
  .tag_flow  (m_data_ack_flow),
  .tag_tag   (m_data_ack_tag),
  .tag_left  (m_data_ack_left),
  .tag_last  (m_data_ack_last),
  .out_push  (tags.went_q[RAM_LATENCY-1]),
  .out_room  (tags.unused_ready),
  .pd_data   (tags.pd_data),
  .pd_tail   (tags.pd_tail),
  .pd_head   (tags.pd_head),
  .pd_read   (tags.pd_read)
);

`resetall
