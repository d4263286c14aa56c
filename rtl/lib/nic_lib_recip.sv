// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal of a mantissa: m_recip = 2^34 / s_mant, relative error below 2^-14.7.
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

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_recip (
  input  wire logic        clk,
  input  wire logic [16:0] s_mant,
  output      logic [17:0] m_recip
);

  // The multiply is one DSP with all of its registers; the table of starts is read when
  // its product is there.

  logic [10:0] slope;
  logic [16:0] start;  // less 2^17
  logic [5:0]  p1_high_q;
  logic [9:0]  p1_low_q;
  logic [10:0] p1_slope_q;
  logic [5:0]  p2_high_q;
  logic [20:0] p2_fall_q;
  logic [16:0] p3_start_q;
  logic [11:0] p3_fall_q;
  logic [16:0] p4_recip_q;

  always_ff @(posedge clk) begin
    p1_high_q  <= s_mant[15:10];
    p1_low_q   <= s_mant[9:0];
    p1_slope_q <= slope;
    p2_high_q  <= p1_high_q;
    p2_fall_q  <= p1_slope_q * p1_low_q;
    p3_start_q <= start;
    p3_fall_q  <= p2_fall_q[20:9];
    p4_recip_q <= p3_start_q - 17'(p3_fall_q);
  end

  // Bits that are known or not needed.
  logic unused;
  assign unused = &{1'b0, s_mant[16], p2_fall_q[8:0]};

  assign m_recip = {1'b1, p4_recip_q};

  always_comb begin
    unique case (s_mant[15:10])
      6'd0:    slope = 11'd2016;
      6'd1:    slope = 11'd1955;
      6'd2:    slope = 11'd1897;
      6'd3:    slope = 11'd1841;
      6'd4:    slope = 11'd1788;
      6'd5:    slope = 11'd1737;
      6'd6:    slope = 11'd1688;
      6'd7:    slope = 11'd1641;
      6'd8:    slope = 11'd1596;
      6'd9:    slope = 11'd1553;
      6'd10:   slope = 11'd1511;
      6'd11:   slope = 11'd1472;
      6'd12:   slope = 11'd1433;
      6'd13:   slope = 11'd1397;
      6'd14:   slope = 11'd1361;
      6'd15:   slope = 11'd1327;
      6'd16:   slope = 11'd1295;
      6'd17:   slope = 11'd1263;
      6'd18:   slope = 11'd1233;
      6'd19:   slope = 11'd1203;
      6'd20:   slope = 11'd1175;
      6'd21:   slope = 11'd1148;
      6'd22:   slope = 11'd1121;
      6'd23:   slope = 11'd1096;
      6'd24:   slope = 11'd1071;
      6'd25:   slope = 11'd1047;
      6'd26:   slope = 11'd1024;
      6'd27:   slope = 11'd1002;
      6'd28:   slope = 11'd980;
      6'd29:   slope = 11'd960;
      6'd30:   slope = 11'd939;
      6'd31:   slope = 11'd920;
      6'd32:   slope = 11'd901;
      6'd33:   slope = 11'd882;
      6'd34:   slope = 11'd865;
      6'd35:   slope = 11'd847;
      6'd36:   slope = 11'd831;
      6'd37:   slope = 11'd814;
      6'd38:   slope = 11'd798;
      6'd39:   slope = 11'd783;
      6'd40:   slope = 11'd768;
      6'd41:   slope = 11'd754;
      6'd42:   slope = 11'd740;
      6'd43:   slope = 11'd726;
      6'd44:   slope = 11'd713;
      6'd45:   slope = 11'd700;
      6'd46:   slope = 11'd687;
      6'd47:   slope = 11'd675;
      6'd48:   slope = 11'd663;
      6'd49:   slope = 11'd651;
      6'd50:   slope = 11'd640;
      6'd51:   slope = 11'd629;
      6'd52:   slope = 11'd618;
      6'd53:   slope = 11'd608;
      6'd54:   slope = 11'd597;
      6'd55:   slope = 11'd587;
      6'd56:   slope = 11'd578;
      6'd57:   slope = 11'd568;
      6'd58:   slope = 11'd559;
      6'd59:   slope = 11'd550;
      6'd60:   slope = 11'd541;
      6'd61:   slope = 11'd533;
      6'd62:   slope = 11'd524;
      default: slope = 11'd516;
    endcase
  end

  always_comb begin
    unique case (p2_high_q)
      6'd0:    start = 17'd131064;
      6'd1:    start = 17'd127032;
      6'd2:    start = 17'd123121;
      6'd3:    start = 17'd119327;
      6'd4:    start = 17'd115645;
      6'd5:    start = 17'd112070;
      6'd6:    start = 17'd108597;
      6'd7:    start = 17'd105221;
      6'd8:    start = 17'd101939;
      6'd9:    start = 17'd98748;
      6'd10:   start = 17'd95642;
      6'd11:   start = 17'd92619;
      6'd12:   start = 17'd89676;
      6'd13:   start = 17'd86809;
      6'd14:   start = 17'd84016;
      6'd15:   start = 17'd81294;
      6'd16:   start = 17'd78639;
      6'd17:   start = 17'd76050;
      6'd18:   start = 17'd73524;
      6'd19:   start = 17'd71060;
      6'd20:   start = 17'd68653;
      6'd21:   start = 17'd66304;
      6'd22:   start = 17'd64009;
      6'd23:   start = 17'd61766;
      6'd24:   start = 17'd59575;
      6'd25:   start = 17'd57433;
      6'd26:   start = 17'd55339;
      6'd27:   start = 17'd53290;
      6'd28:   start = 17'd51286;
      6'd29:   start = 17'd49326;
      6'd30:   start = 17'd47407;
      6'd31:   start = 17'd45528;
      6'd32:   start = 17'd43688;
      6'd33:   start = 17'd41887;
      6'd34:   start = 17'd40122;
      6'd35:   start = 17'd38393;
      6'd36:   start = 17'd36698;
      6'd37:   start = 17'd35037;
      6'd38:   start = 17'd33409;
      6'd39:   start = 17'd31812;
      6'd40:   start = 17'd30246;
      6'd41:   start = 17'd28709;
      6'd42:   start = 17'd27202;
      6'd43:   start = 17'd25723;
      6'd44:   start = 17'd24271;
      6'd45:   start = 17'd22846;
      6'd46:   start = 17'd21447;
      6'd47:   start = 17'd20073;
      6'd48:   start = 17'd18723;
      6'd49:   start = 17'd17398;
      6'd50:   start = 17'd16095;
      6'd51:   start = 17'd14815;
      6'd52:   start = 17'd13558;
      6'd53:   start = 17'd12322;
      6'd54:   start = 17'd11107;
      6'd55:   start = 17'd9912;
      6'd56:   start = 17'd8737;
      6'd57:   start = 17'd7582;
      6'd58:   start = 17'd6445;
      6'd59:   start = 17'd5327;
      6'd60:   start = 17'd4227;
      6'd61:   start = 17'd3145;
      6'd62:   start = 17'd2079;
      default: start = 17'd1031;
    endcase
  end

endmodule

`resetall
