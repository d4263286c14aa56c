// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_laps_paths: how its outputs belong together, and what its
// write bus relies on.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_laps_paths_sva #(
  parameter int unsigned BANKS = 32
) (
  input wire logic             clk,
  input wire logic             rst,
  input wire logic             ready,
  input wire logic             probe_valid,
  input wire logic             cand_valid,
  input wire logic [BANKS-1:0] cand_usable,
  input wire logic             path_valid,
  input wire logic             route_valid,
  input wire logic             change_writes,
  input wire logic             probe_writes,
  input wire logic             probe_selected,
  input wire logic             hold,
  input wire logic             taken,
  input wire logic             fifth,
  input wire logic             waits
);

  probe_of_packet : assert property (@(posedge clk) disable iff (rst)
    probe_valid |-> cand_valid && cand_usable != '0)
    else $error("a probe without a packet that has candidates");

  one_answer : assert property (@(posedge clk) disable iff (rst)
    !(path_valid && route_valid))
    else $error("a pick and a route request answered in one cycle");

  one_write : assert property (@(posedge clk) disable iff (rst)
    !(change_writes && (probe_writes || probe_selected)))
    else $error("a change and a probe on the write bus in one cycle");

  hold_of_packet : assert property (@(posedge clk) disable iff (rst)
    hold |-> fifth)
    else $error("the write bus is kept free, but not 5 cycles after a packet");

  hold_takes_nothing : assert property (@(posedge clk) disable iff (rst)
    hold |-> !taken)
    else $error("a measurement or a path is taken while the write bus is kept free");

  hold_serves : assert property (@(posedge clk) disable iff (rst)
    waits |-> !$past(hold, 8))
    else $error("a probe waits although the write bus was kept free for it");

  quiet_when_unready : assert property (@(posedge clk) disable iff (rst)
    !ready |-> !change_writes)
    else $error("a path is written while the tables are emptied");

endmodule

bind nic_laps_paths nic_laps_paths_sva #(
  .BANKS (BANK_N)
) sva (
  .clk            (clk),
  .rst            (rst || rst_q),
  .ready          (ready),
  .probe_valid    (m_probe_valid),
  .cand_valid     (m_cand_valid),
  .cand_usable    (m_cand_usable),
  .path_valid     (m_path_valid),
  .route_valid    (m_route_valid),
  .change_writes  (u8_write),
  .probe_writes   (p13_write),
  .probe_selected (p13_probe),
  .hold           (sts_hold),
  .taken          ((s_ack_valid && s_ack_ready) || (s_cfg_valid && s_cfg_ready && s_cfg_op == OP_PATH)),
  .fifth          (p_packet_q[4]),
  .waits          (p12_wait)
);

`resetall
