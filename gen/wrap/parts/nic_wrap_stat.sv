// SPDX-License-Identifier: Apache-2.0
//
// Counts events and gives the counts away, one counter after another: m_axis_stat is {how many since the
// last time, number of the counter}. A counter that has not moved is passed over.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_stat #(
  parameter int unsigned COUNTERS = 16,
  parameter int unsigned BASE     = 0,   // number of the first one
  parameter int unsigned INC_W    = 24,
  parameter int unsigned ID_W     = 12
) (
  input  wire logic                clk,
  input  wire logic                rst,
  input  wire logic [COUNTERS-1:0] s_event,
  output      logic [INC_W-1:0]    m_axis_stat_tdata,
  output      logic [ID_W-1:0]     m_axis_stat_tid,
  output      logic                m_axis_stat_tvalid,
  input  wire logic                m_axis_stat_tready
);

  localparam int unsigned SUM_W = (INC_W < 16) ? INC_W : 16;
  localparam int unsigned IDX_W = (COUNTERS > 1) ? $clog2(COUNTERS) : 1;

  if (BASE + COUNTERS > 2**ID_W) begin : g_check_base
    $error("ID_W: a number of a counter is too large");
  end

  logic [COUNTERS*SUM_W-1:0] sums;
  logic [IDX_W-1:0]          idx_q;
  logic [SUM_W-1:0]          sum;
  logic                      take;   // the counter at idx_q begins anew

  assign take = !m_axis_stat_tvalid || m_axis_stat_tready;
  assign sum  = sums[SUM_W*idx_q +: SUM_W];

  for (genvar g = 0; g < COUNTERS; g++) begin : g_counter
    logic [SUM_W-1:0] sum_q;

    assign sums[SUM_W*g +: SUM_W] = sum_q;

    always_ff @(posedge clk) begin
      if (take && idx_q == IDX_W'(g)) begin
        sum_q <= SUM_W'(s_event[g]);
      end else begin
        sum_q <= sum_q + SUM_W'(s_event[g]);
      end
      if (rst) begin
        sum_q <= '0;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (take) begin
      m_axis_stat_tvalid <= sum != '0;
      m_axis_stat_tdata  <= INC_W'(sum);
      m_axis_stat_tid    <= ID_W'(BASE) + ID_W'(idx_q);
      idx_q              <= (idx_q == IDX_W'(COUNTERS - 1)) ? '0 : idx_q + 1'b1;
    end
    if (rst) begin
      m_axis_stat_tvalid <= 1'b0;
      idx_q              <= '0;
    end
  end

endmodule

`resetall
