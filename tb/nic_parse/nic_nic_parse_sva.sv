// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_parse: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_parse_sva (
  input wire logic        clk,
  input wire logic        rst,
  input wire logic        hdr_valid,
  input wire logic [3:0]  hdr_kind,
  input wire logic [3:0]  hdr_reason,
  input wire logic        hdr_placed,
  input wire logic [3:0]  hdr_lane,
  input wire logic [15:0] hdr_udp_len,
  input wire logic [23:0] hdr_qp,
  input wire logic        end_valid,
  input wire logic        illegal
);

  // Header records that have no end record yet.
  int open_q;

  always_ff @(posedge clk) begin
    open_q <= open_q + 32'(hdr_valid) - 32'(end_valid);
    if (rst) begin
      open_q <= 0;
    end
  end

  other_has_reason : assert property (@(posedge clk) disable iff (rst)
    hdr_valid |-> (hdr_kind == 4'd0) == (hdr_reason != 4'd0))
    else $error("a packet is other without reason, or has a reason and is not");

  kind_is_known : assert property (@(posedge clk) disable iff (rst)
    hdr_valid |-> hdr_kind <= 4'd8 || hdr_kind >= 4'd14)
    else $error("a kind that does not exist");

  illegal_is_told : assert property (@(posedge clk) disable iff (rst)
    illegal == (hdr_valid && hdr_kind >= 4'd14))
    else $error("a truncated or malformed packet is not told, or another one is");

  no_udp_no_fields : assert property (@(posedge clk) disable iff (rst)
    hdr_valid && hdr_lane == 4'd0 |-> hdr_udp_len == '0)
    else $error("fields of a packet that is not UDP");

  not_ours_no_fields : assert property (@(posedge clk) disable iff (rst)
    hdr_valid && !hdr_placed |-> hdr_qp == '0)
    else $error("transport fields of a packet without them");

  known_is_placed : assert property (@(posedge clk) disable iff (rst)
    hdr_valid && hdr_kind != 4'd0 && hdr_kind < 4'd14 |-> hdr_placed)
    else $error("a packet of a known kind without its number");

  end_behind_header : assert property (@(posedge clk) disable iff (rst)
    end_valid |-> open_q == 1)
    else $error("a frame ends without a header record, or another one came between");

endmodule

bind nic_parse nic_nic_parse_sva sva (
  .clk         (clk),
  .rst         (rst),
  .hdr_valid   (m_hdr_valid),
  .hdr_kind    (m_hdr_kind),
  .hdr_reason  (m_hdr_reason),
  .hdr_placed  (m_hdr_placed),
  .hdr_lane    (m_hdr_lane),
  .hdr_udp_len (m_hdr_udp_len),
  .hdr_qp      (m_hdr_qp),
  .end_valid   (m_end_valid),
  .illegal     (evt_illegal)
);

`resetall
