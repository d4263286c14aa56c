// SPDX-License-Identifier: Apache-2.0
//
// Completions of a port: those that the block gives when a packet enters a queue, and the MAC's.
//
//   s_own ─────────────────────────────► queue ─► m_cpl
//   s_mac ─► top bit of the tag set? ──────┘
//                   └─ not: dropped. It is of a packet of the block's own, or of one that was queued
//
// s_own cannot wait and goes first; its time stamp is s_ts, of that cycle. DEPTH is the number of packets
// that the sender may have under way, at least: then nothing is lost.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_cpl #(
  parameter int unsigned TAG_W = 16,
  parameter int unsigned TS_W  = 96,
  parameter int unsigned DEPTH = 64  // a power of two
) (
  input  wire logic             clk,
  input  wire logic             rst,
  input  wire logic             s_own_valid,
  input  wire logic [TAG_W-1:0] s_own_tag,
  input  wire logic [TS_W-1:0]  s_ts,
  input  wire logic             s_mac_valid,
  output      logic             s_mac_ready,
  input  wire logic [TAG_W-1:0] s_mac_tag,
  input  wire logic [TS_W-1:0]  s_mac_ts,
  output      logic             m_cpl_valid,
  input  wire logic             m_cpl_ready,
  output      logic [TAG_W-1:0] m_cpl_tag,
  output      logic [TS_W-1:0]  m_cpl_ts,
  output      logic             evt_passed,  // one of the MAC's goes on
  output      logic             evt_own,     // one of the MAC's is dropped
  output      logic             evt_lost     // one of s_own found no room
);

  logic                  room;
  logic                  theirs;
  logic                  in_valid;
  logic [TS_W+TAG_W-1:0] in_data;

  assign theirs      = s_mac_tag[TAG_W-1];
  assign s_mac_ready = !theirs || (!s_own_valid && room);
  assign in_valid    = s_own_valid || (s_mac_valid && theirs);
  assign in_data     = s_own_valid ? {s_ts, s_own_tag} : {s_mac_ts, s_mac_tag};
  assign evt_passed  = s_mac_valid && s_mac_ready && theirs;
  assign evt_own     = s_mac_valid && !theirs;
  assign evt_lost    = s_own_valid && !room;

  nic_lib_fifo_lut #(
    .WIDTH (TS_W + TAG_W),
    .DEPTH (DEPTH)
  ) queue (
    .clk     (clk),
    .rst     (rst),
    .s_valid (in_valid),
    .s_ready (room),
    .s_data  (in_data),
    .m_valid (m_cpl_valid),
    .m_ready (m_cpl_ready),
    .m_data  ({m_cpl_ts, m_cpl_tag})
  );

endmodule

`resetall
