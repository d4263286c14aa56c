// SPDX-License-Identifier: Apache-2.0
//
// The time of day, {seconds, ns}, as ns modulo 2^48: the same in all NICs whose clocks agree.
//
// m_ns is two cycles late. It is not valid in the first cycle of a second, nor for the 50 cycles in which
// the seconds are multiplied, a bit at a time, after they were set to others.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_tod (
  input  wire logic        clk,
  input  wire logic [47:0] s_sec,
  input  wire logic [29:0] s_ns,
  output      logic        m_valid,
  output      logic [47:0] m_ns
);

  localparam logic [47:0] SECOND = 48'd1_000_000_000;

  logic [47:0] p0_sec_q;
  logic [29:0] p0_ns_q;
  logic [47:0] sec_q;
  logic [47:0] base_q;  // of sec_q, when not busy
  logic [47:0] rest_q;  // bits of sec_q that are still to be multiplied
  logic [47:0] unit_q;  // the lowest of them in ns
  logic        busy_q;
  logic        valid_q;
  logic [47:0] ns_q;

  assign m_valid = valid_q;
  assign m_ns    = ns_q;

  initial begin
    p0_sec_q = '0;
    p0_ns_q  = '0;
    sec_q    = '0;
    base_q   = '0;
    rest_q   = '0;
    unit_q   = '0;
    busy_q   = 1'b0;
    valid_q  = 1'b0;
    ns_q     = '0;
  end

  always @(posedge clk) begin  // not always_ff: initial writes registers too
    p0_sec_q <= s_sec;
    p0_ns_q  <= s_ns;
    valid_q  <= !busy_q && p0_sec_q == sec_q;
    ns_q     <= base_q + 48'(p0_ns_q);
    if (busy_q) begin
      if (rest_q[0]) begin
        base_q <= base_q + unit_q;
      end
      rest_q <= rest_q >> 1;
      unit_q <= unit_q << 1;
      busy_q <= rest_q != '0;
    end else if (p0_sec_q != sec_q) begin
      sec_q <= p0_sec_q;
      if (p0_sec_q == sec_q + 1'b1) begin
        base_q <= base_q + SECOND;
      end else begin
        base_q <= '0;
        rest_q <= p0_sec_q;
        unit_q <= SECOND;
        busy_q <= 1'b1;
      end
    end
  end

endmodule

`resetall
