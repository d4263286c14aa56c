// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_edit: the places that are written in a beat.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_edit_sva (
  input wire logic       clk,
  input wire logic       rst,
  input wire logic       valid,
  input wire logic [5:0] port,
  input wire logic [2:0] high,
  input wire logic [2:0] dscp,
  input wire logic [2:0] mark,
  input wire logic [2:0] mark_then,
  input wire logic [3:0] zero,
  input wire logic [1:0] zero_then
);

  one_port : assert property (@(posedge clk) disable iff (rst)
    $onehot0(port))
    else $error("source ports in two places");

  one_class : assert property (@(posedge clk) disable iff (rst)
    $onehot0(dscp) && (high == 3'd0 || high == dscp))
    else $error("traffic classes in two places");

  one_checksum : assert property (@(posedge clk) disable iff (rst)
    $onehot0({zero, zero_then}))
    else $error("UDP checksums in two places");

  one_becn : assert property (@(posedge clk) disable iff (rst)
    $onehot0({mark, mark_then}))
    else $error("BECN in two places");

  only_beats : assert property (@(posedge clk) disable iff (rst)
    {port, high, dscp, mark, mark_then, zero, zero_then} != '0 |-> valid || $past(rst))
    else $error("something is written where no beat is");

endmodule

bind nic_edit nic_nic_edit_sva sva (
  .clk       (clk),
  .rst       (rst),
  .valid     (p5_valid_q),
  .port      (p5_port_q),
  .high      (p5_high_q),
  .dscp      (p5_dscp_q),
  .mark      (p5_mark_q),
  .mark_then (p5_mark2_q),
  .zero      (p5_zero_q),
  .zero_then (p5_zero2_q)
);

`resetall
