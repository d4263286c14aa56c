// SPDX-License-Identifier: Apache-2.0
//
// Leading-one normaliser: a whole number to a mantissa of 17 bits and an exponent.
//
//   s_data = m_mant * 2^(m_exp - 16), low bits cut
//
// m_mant has its leading one at bit 16, or at bit 15 or 16 where EVEN is set: m_exp
// is then odd. A zero gives mantissa 0. One number a cycle; the result
// stands LATENCY = 5 - EVEN + (WIDTH > 32 ? 2 : 0) cycles after s_data.
//
// The number is shifted by 32, by 8, by 2 and by 1. Each shift has a cycle of its own
// before it, in which its amount becomes a register: so a shift is one LUT for each bit.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_normalise #(
  parameter int unsigned WIDTH = 24,  // bits of the number, 1 to 64
  parameter int unsigned EVEN  = 0    // 1: without the shift by 1
) (
  input  wire logic             clk,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic [16:0]      m_mant,
  output      logic [5:0]       m_exp
);

  if (WIDTH < 1 || WIDTH > 64) begin : g_check_width
    $error("WIDTH must be 1 to 64");
  end

  // ---------------------------------------------------------------- by 32
  //
  // From here on the number stands at the top: bit 47 is worth 2^63, or 2^31.

  logic [47:0] word;
  logic        high;  // it is worth 2^63

  if (WIDTH > 32) begin : g_wide
    logic [63:0] data_q;
    logic        data_high_q;
    logic [47:0] word_q;
    logic        high_q;

    always_ff @(posedge clk) begin
      data_q      <= 64'(s_data);
      data_high_q <= s_data[WIDTH-1:32] != '0;
      word_q      <= data_high_q ? data_q[63:16] : {data_q[31:0], 16'd0};
      high_q      <= data_high_q;
    end

    assign word = word_q;
    assign high = high_q;
  end else begin : g_narrow
    assign word = {32'(s_data), 16'd0};
    assign high = 1'b0;
  end

  // ---------------------------------------------------------------- by 8

  logic [47:0] p1_word_q;
  logic [1:0]  p1_by8_q;   // groups of 8 zeros at the top
  logic        p1_high_q;
  logic [23:0] p2_word_q;
  logic [2:0]  p2_exp_q;

  always_ff @(posedge clk) begin
    p1_word_q <= word;
    p1_high_q <= high;
    p1_by8_q  <= (word[47:40] != '0) ? 2'd0 :
                 (word[39:32] != '0) ? 2'd1 :
                 (word[31:24] != '0) ? 2'd2 : 2'd3;

    p2_exp_q <= {p1_high_q, ~p1_by8_q};
    unique case (p1_by8_q)
      2'd0:    p2_word_q <= p1_word_q[47:24];
      2'd1:    p2_word_q <= p1_word_q[39:16];
      2'd2:    p2_word_q <= p1_word_q[31:8];
      default: p2_word_q <= p1_word_q[23:0];
    endcase
  end

  // ---------------------------------------------------------------- by 2

  logic [23:0] p3_word_q;
  logic [1:0]  p3_by2_q;   // groups of 2 zeros at the top
  logic [2:0]  p3_exp_q;
  logic [17:0] p4_word_q;
  logic [4:0]  p4_exp_q;

  always_ff @(posedge clk) begin
    p3_word_q <= p2_word_q;
    p3_exp_q  <= p2_exp_q;
    p3_by2_q  <= (p2_word_q[23:22] != '0) ? 2'd0 :
                 (p2_word_q[21:20] != '0) ? 2'd1 :
                 (p2_word_q[19:18] != '0) ? 2'd2 : 2'd3;

    p4_exp_q <= {p3_exp_q, ~p3_by2_q};
    unique case (p3_by2_q)
      2'd0:    p4_word_q <= p3_word_q[23:6];
      2'd1:    p4_word_q <= p3_word_q[21:4];
      2'd2:    p4_word_q <= p3_word_q[19:2];
      default: p4_word_q <= p3_word_q[17:0];
    endcase
  end

  // ---------------------------------------------------------------- by 1

  if (EVEN != 0) begin : g_even
    logic unused;
    assign unused = p4_word_q[0];
    assign m_mant = p4_word_q[17:1];
    assign m_exp  = {p4_exp_q, 1'b1};
  end else begin : g_full
    logic [16:0] p5_mant_q;
    logic [5:0]  p5_exp_q;

    always_ff @(posedge clk) begin
      p5_mant_q <= p4_word_q[17] ? p4_word_q[17:1] : p4_word_q[16:0];
      p5_exp_q  <= {p4_exp_q, p4_word_q[17]};
    end

    assign m_mant = p5_mant_q;
    assign m_exp  = p5_exp_q;
  end

endmodule

`resetall
