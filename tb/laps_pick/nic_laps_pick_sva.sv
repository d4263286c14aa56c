// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps_pick: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_pick_sva #(
  parameter int unsigned PATHS        = 32,
  parameter int unsigned INDEX_W      = 5,
  parameter int unsigned COUNTER_BITS = 32
) (
  input wire logic                    clk,
  input wire logic                    rst,
  input wire logic                    valid,
  input wire logic                    none,
  input wire logic                    saturated,
  input wire logic [INDEX_W-1:0]      index,
  input wire logic [COUNTER_BITS-1:0] picks,
  input wire logic [COUNTER_BITS-1:0] nones,
  input wire logic [COUNTER_BITS-1:0] saturations
);

  index_in_range : assert property (@(posedge clk) disable iff (rst)
    valid |-> 32'(index) < PATHS)
    else $error("a path that does not exist");

  none_is_zero : assert property (@(posedge clk) disable iff (rst)
    valid && none |-> index == '0)
    else $error("no path, but a number other than 0");

  one_reason : assert property (@(posedge clk) disable iff (rst)
    valid |-> !(none && saturated))
    else $error("no usable path, and all of them saturated");

  pick_counted : assert property (@(posedge clk) disable iff (rst)
    valid |=> picks == $past(picks) + 1'b1)
    else $error("an answer is not counted");

  exceptions_counted : assert property (@(posedge clk) disable iff (rst)
    1'b1 |=> (nones + saturations) - ($past(nones) + $past(saturations)) ==
        COUNTER_BITS'($past(valid && (none || saturated))))
    else $error("answers out of the ordinary are not counted once");

endmodule

bind nic_laps_pick nic_laps_pick_sva #(
  .PATHS        (PATHS),
  .INDEX_W      ($bits(m_pick_index)),
  .COUNTER_BITS (COUNTER_BITS)
) sva (
  .clk         (clk),
  .rst         (rst || rst_q),
  .valid       (m_pick_valid),
  .none        (m_pick_none),
  .saturated   (m_pick_saturated),
  .index       (m_pick_index),
  .picks       (sts_pick_cnt),
  .nones       (sts_none_cnt),
  .saturations (sts_saturated_cnt)
);

`resetall
