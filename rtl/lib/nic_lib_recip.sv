// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal of a mantissa: m_recip = 2^34 / s_mant, relative error below 2^-14.8.
//
// s_mant is 1.16, 2^16 to 2^17-1; bit 16 is taken as set. The result has 18 bits, bit
// 17 always set. One mantissa a cycle; the result stands 4 cycles after s_mant.
//
// The upper 6 fraction bits i choose a chord of 1/x over [a, b], where a = 1 + i/64
// and b = a + 1/64:
//
//   m_recip = start(i) - (slope(i) * lower 10 bits) / 2^9
//   start   = round(2^18 * (1/a - (1/sqrt(a) - 1/sqrt(b))^2 / 2))
//   slope   = round(2^17 * (1/a - 1/b))
//
// A chord lies above the curve by at most (1/sqrt(a) - 1/sqrt(b))^2; half of that is
// taken off, so that the error is the same on both sides. The table holds start - 2^17
// and slope; a test compares it with the formula.

`ifndef NIC_LIB_RECIP_SV
`define NIC_LIB_RECIP_SV

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_recip (
  input  wire logic        clk,
  input  wire logic [16:0] s_mant,
  output      logic [17:0] m_recip
);

  logic [27:0] line;  // start - 2^17, slope

  always_comb begin
    unique case (s_mant[15:10])
      6'd0:  line = {17'd131064, 11'd2016};
      6'd1:  line = {17'd127032, 11'd1955};
      6'd2:  line = {17'd123121, 11'd1897};
      6'd3:  line = {17'd119327, 11'd1841};
      6'd4:  line = {17'd115645, 11'd1788};
      6'd5:  line = {17'd112070, 11'd1737};
      6'd6:  line = {17'd108597, 11'd1688};
      6'd7:  line = {17'd105221, 11'd1641};
      6'd8:  line = {17'd101939, 11'd1596};
      6'd9:  line = {17'd98748, 11'd1553};
      6'd10: line = {17'd95642, 11'd1511};
      6'd11: line = {17'd92619, 11'd1472};
      6'd12: line = {17'd89676, 11'd1433};
      6'd13: line = {17'd86809, 11'd1397};
      6'd14: line = {17'd84016, 11'd1361};
      6'd15: line = {17'd81294, 11'd1327};
      6'd16: line = {17'd78639, 11'd1295};
      6'd17: line = {17'd76050, 11'd1263};
      6'd18: line = {17'd73524, 11'd1233};
      6'd19: line = {17'd71060, 11'd1203};
      6'd20: line = {17'd68653, 11'd1175};
      6'd21: line = {17'd66304, 11'd1148};
      6'd22: line = {17'd64009, 11'd1121};
      6'd23: line = {17'd61766, 11'd1096};
      6'd24: line = {17'd59575, 11'd1071};
      6'd25: line = {17'd57433, 11'd1047};
      6'd26: line = {17'd55339, 11'd1024};
      6'd27: line = {17'd53290, 11'd1002};
      6'd28: line = {17'd51286, 11'd980};
      6'd29: line = {17'd49326, 11'd960};
      6'd30: line = {17'd47407, 11'd939};
      6'd31: line = {17'd45528, 11'd920};
      6'd32: line = {17'd43688, 11'd901};
      6'd33: line = {17'd41887, 11'd882};
      6'd34: line = {17'd40122, 11'd865};
      6'd35: line = {17'd38393, 11'd847};
      6'd36: line = {17'd36698, 11'd831};
      6'd37: line = {17'd35037, 11'd814};
      6'd38: line = {17'd33409, 11'd798};
      6'd39: line = {17'd31812, 11'd783};
      6'd40: line = {17'd30246, 11'd768};
      6'd41: line = {17'd28709, 11'd754};
      6'd42: line = {17'd27202, 11'd740};
      6'd43: line = {17'd25723, 11'd726};
      6'd44: line = {17'd24271, 11'd713};
      6'd45: line = {17'd22846, 11'd700};
      6'd46: line = {17'd21447, 11'd687};
      6'd47: line = {17'd20073, 11'd675};
      6'd48: line = {17'd18723, 11'd663};
      6'd49: line = {17'd17398, 11'd651};
      6'd50: line = {17'd16095, 11'd640};
      6'd51: line = {17'd14815, 11'd629};
      6'd52: line = {17'd13558, 11'd618};
      6'd53: line = {17'd12322, 11'd608};
      6'd54: line = {17'd11107, 11'd597};
      6'd55: line = {17'd9912, 11'd587};
      6'd56: line = {17'd8737, 11'd578};
      6'd57: line = {17'd7582, 11'd568};
      6'd58: line = {17'd6445, 11'd559};
      6'd59: line = {17'd5327, 11'd550};
      6'd60: line = {17'd4227, 11'd541};
      6'd61: line = {17'd3145, 11'd533};
      6'd62: line = {17'd2079, 11'd524};
      default: line = {17'd1031, 11'd516};
    endcase
  end

  logic unused_one;
  assign unused_one = s_mant[16];

  // The multiply is one DSP with all of its registers.

  logic [16:0] p1_start_q;
  logic [10:0] p1_slope_q;
  logic [9:0]  p1_low_q;
  logic [16:0] p2_start_q;
  logic [20:0] p2_fall_q;
  logic [16:0] p3_start_q;
  logic [11:0] p3_fall_q;
  logic [16:0] p4_recip_q;

  always_ff @(posedge clk) begin
    p1_start_q <= line[27:11];
    p1_slope_q <= line[10:0];
    p1_low_q   <= s_mant[9:0];
    p2_start_q <= p1_start_q;
    p2_fall_q  <= p1_slope_q * p1_low_q;
    p3_start_q <= p2_start_q;
    p3_fall_q  <= p2_fall_q[20:9];
    p4_recip_q <= p3_start_q - 17'(p3_fall_q);
  end

  logic unused_fall;
  assign unused_fall = p2_fall_q[8:0] == '0;

  assign m_recip = {1'b1, p4_recip_q};

endmodule

`resetall

`endif
