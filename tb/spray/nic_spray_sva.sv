// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_spray.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_spray_sva #(
  parameter int unsigned EVS_BITS = 16,
  parameter int unsigned ENTRIES  = 256,
  parameter int unsigned ENTRY_W  = 8
) (
  input wire logic                clk,
  input wire logic                rst,
  input wire logic                legal,
  input wire logic                clear,
  input wire logic [ENTRY_W-1:0]  entry,
  input wire logic [EVS_BITS:0]   evs,
  input wire logic [EVS_BITS-1:0] ev,
  input wire logic                valid,
  input wire logic [2:0]          source,
  input wire logic [2:0]          cur,
  input wire logic [2:0]          last
);

  entry_exists : assert property (@(posedge clk) disable iff (rst)
    legal || clear |-> 32'(entry) < ENTRIES)
    else $error("an entry that does not exist");

  ev_in_use : assert property (@(posedge clk) disable iff (rst)
    legal && evs != '0 |=> {1'b0, ev} < $past(evs))
    else $error("an EV that is not in use");

  source_known : assert property (@(posedge clk) disable iff (rst)
    valid |-> source != 3'd1 && source != 3'd7)
    else $error("a source that does not exist");

  banks_differ : assert property (@(posedge clk) disable iff (rst)
    $onehot(cur) && last == {cur[0], cur[2:1]})
    else $error("banks out of order");

endmodule

bind nic_spray nic_spray_sva #(
  .EVS_BITS (EVS_BITS),
  .ENTRIES  (ENTRIES),
  .ENTRY_W  (ENTRY_W)
) sva (
  .clk    (clk),
  .rst    (rst || rst_q),
  .legal  (p4_legal_q),
  .clear  (p4_clear_q),
  .entry  (p4_entry_q),
  .evs    (p4_evs_q),
  .ev     (p5_ev_q),
  .valid  (m_ev_valid),
  .source (m_ev_source),
  .cur    (flowlet_table.aging.cur_q),
  .last   (flowlet_table.aging.last_q)
);

`resetall
