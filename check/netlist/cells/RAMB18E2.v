// SPDX-License-Identifier: Apache-2.0
//
// RAMB18E2 of UltraScale+ on top of nicgen_bram, which says what is modelled. A read
// width of 36 shows a read through port A on the outputs of both ports; a write
// width of 36 takes the data inputs of both for a write through port B.
module RAMB18E2 #(
    parameter [255:0] INIT_00 = 256'd0,
    parameter [255:0] INIT_01 = 256'd0,
    parameter [255:0] INIT_02 = 256'd0,
    parameter [255:0] INIT_03 = 256'd0,
    parameter [255:0] INIT_04 = 256'd0,
    parameter [255:0] INIT_05 = 256'd0,
    parameter [255:0] INIT_06 = 256'd0,
    parameter [255:0] INIT_07 = 256'd0,
    parameter [255:0] INIT_08 = 256'd0,
    parameter [255:0] INIT_09 = 256'd0,
    parameter [255:0] INIT_0A = 256'd0,
    parameter [255:0] INIT_0B = 256'd0,
    parameter [255:0] INIT_0C = 256'd0,
    parameter [255:0] INIT_0D = 256'd0,
    parameter [255:0] INIT_0E = 256'd0,
    parameter [255:0] INIT_0F = 256'd0,
    parameter [255:0] INIT_10 = 256'd0,
    parameter [255:0] INIT_11 = 256'd0,
    parameter [255:0] INIT_12 = 256'd0,
    parameter [255:0] INIT_13 = 256'd0,
    parameter [255:0] INIT_14 = 256'd0,
    parameter [255:0] INIT_15 = 256'd0,
    parameter [255:0] INIT_16 = 256'd0,
    parameter [255:0] INIT_17 = 256'd0,
    parameter [255:0] INIT_18 = 256'd0,
    parameter [255:0] INIT_19 = 256'd0,
    parameter [255:0] INIT_1A = 256'd0,
    parameter [255:0] INIT_1B = 256'd0,
    parameter [255:0] INIT_1C = 256'd0,
    parameter [255:0] INIT_1D = 256'd0,
    parameter [255:0] INIT_1E = 256'd0,
    parameter [255:0] INIT_1F = 256'd0,
    parameter [255:0] INIT_20 = 256'd0,
    parameter [255:0] INIT_21 = 256'd0,
    parameter [255:0] INIT_22 = 256'd0,
    parameter [255:0] INIT_23 = 256'd0,
    parameter [255:0] INIT_24 = 256'd0,
    parameter [255:0] INIT_25 = 256'd0,
    parameter [255:0] INIT_26 = 256'd0,
    parameter [255:0] INIT_27 = 256'd0,
    parameter [255:0] INIT_28 = 256'd0,
    parameter [255:0] INIT_29 = 256'd0,
    parameter [255:0] INIT_2A = 256'd0,
    parameter [255:0] INIT_2B = 256'd0,
    parameter [255:0] INIT_2C = 256'd0,
    parameter [255:0] INIT_2D = 256'd0,
    parameter [255:0] INIT_2E = 256'd0,
    parameter [255:0] INIT_2F = 256'd0,
    parameter [255:0] INIT_30 = 256'd0,
    parameter [255:0] INIT_31 = 256'd0,
    parameter [255:0] INIT_32 = 256'd0,
    parameter [255:0] INIT_33 = 256'd0,
    parameter [255:0] INIT_34 = 256'd0,
    parameter [255:0] INIT_35 = 256'd0,
    parameter [255:0] INIT_36 = 256'd0,
    parameter [255:0] INIT_37 = 256'd0,
    parameter [255:0] INIT_38 = 256'd0,
    parameter [255:0] INIT_39 = 256'd0,
    parameter [255:0] INIT_3A = 256'd0,
    parameter [255:0] INIT_3B = 256'd0,
    parameter [255:0] INIT_3C = 256'd0,
    parameter [255:0] INIT_3D = 256'd0,
    parameter [255:0] INIT_3E = 256'd0,
    parameter [255:0] INIT_3F = 256'd0,
    parameter [255:0] INITP_00 = 256'd0,
    parameter [255:0] INITP_01 = 256'd0,
    parameter [255:0] INITP_02 = 256'd0,
    parameter [255:0] INITP_03 = 256'd0,
    parameter [255:0] INITP_04 = 256'd0,
    parameter [255:0] INITP_05 = 256'd0,
    parameter [255:0] INITP_06 = 256'd0,
    parameter [255:0] INITP_07 = 256'd0,
    parameter integer READ_WIDTH_A = 0,
    parameter integer WRITE_WIDTH_A = 0,
    parameter WRITE_MODE_A = "NO_CHANGE",
    parameter integer DOA_REG = 1,
    parameter [17:0] INIT_A = 0,
    parameter [17:0] SRVAL_A = 0,
    parameter integer READ_WIDTH_B = 0,
    parameter integer WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_B = "NO_CHANGE",
    parameter integer DOB_REG = 1,
    parameter [17:0] INIT_B = 0,
    parameter [17:0] SRVAL_B = 0
) (
    output [15:0] DOUTADOUT, DOUTBDOUT,
    output [1:0] DOUTPADOUTP, DOUTPBDOUTP,
    input [15:0] DINADIN, DINBDIN,
    input [1:0] DINPADINP, DINPBDINP,
    input [13:0] ADDRARDADDR, ADDRBWRADDR,
    input CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN,
    input RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB, REGCEAREGCE, REGCEB,
    input ADDRENA, ADDRENB, SLEEP,
    input [1:0] WEA,
    input [3:0] WEBWE
);
  localparam PAIR_R = READ_WIDTH_A == 36 ? 1 : 0;
  localparam PAIR_W = WRITE_WIDTH_B == 36 ? 1 : 0;
  // The value of the output registers of a port that is so wide: parity bits lie right
  // above the data bits in a and in b, and above all data bits in the result.
  function [71:0] word(input integer width, input [17:0] a, input [17:0] b);
    case (width)
      9: word = {7'd0, a[8], 56'd0, a[7:0]};
      18: word = {6'd0, a[17:16], 48'd0, a[15:0]};
      36: word = {4'd0, b[17:16], a[17:16], 32'd0, b[15:0], a[15:0]};
      default: word = {68'd0, a[3:0]};
    endcase
  endfunction

  wire [63:0] do_a, do_b;
  wire [7:0] dop_a, dop_b;
  nicgen_bram #(
      .AW(14),
      .RA(READ_WIDTH_A), .WA(WRITE_WIDTH_A), .RB(READ_WIDTH_B), .WB(WRITE_WIDTH_B),
      .RF_A(WRITE_MODE_A == "READ_FIRST" ? 1 : 0), .WF_A(WRITE_MODE_A == "WRITE_FIRST" ? 1 : 0),
      .RF_B(WRITE_MODE_B == "READ_FIRST" ? 1 : 0), .WF_B(WRITE_MODE_B == "WRITE_FIRST" ? 1 : 0),
      .INIT_A(word(READ_WIDTH_A, INIT_A, INIT_B)), .SRVAL_A(word(READ_WIDTH_A, SRVAL_A, SRVAL_B)),
      .INIT_B(word(READ_WIDTH_B, INIT_B, 0)), .SRVAL_B(word(READ_WIDTH_B, SRVAL_B, 0)),
      .INIT({
          INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38,
          INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
          INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
          INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20,
          INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
          INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
          INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
          INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
      }),
      .INITP({
          INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
      })
  ) bram (
      // Both ports have the same clock; the one of an unused port may be a constant.
      .clk(READ_WIDTH_A != 0 || WRITE_WIDTH_A != 0 ? CLKARDCLK : CLKBWRCLK),
      .en_a(ENARDEN), .rst_a(RSTRAMARSTRAM), .we_a({6'd0, WEA}), .addr_a(ADDRARDADDR),
      .di_a({48'd0, DINADIN}), .dip_a({6'd0, DINPADINP}), .do_a(do_a), .dop_a(dop_a),
      .en_b(ENBWREN), .rst_b(RSTRAMB), .we_b({4'd0, WEBWE}), .addr_b(ADDRBWRADDR),
      .di_b(PAIR_W != 0 ? {32'd0, DINBDIN, DINADIN} : {48'd0, DINBDIN}),
      .dip_b(PAIR_W != 0 ? {4'd0, DINPBDINP, DINPADINP} : {6'd0, DINPBDINP}),
      .do_b(do_b), .dop_b(dop_b)
  );
  assign DOUTADOUT = do_a[15:0];
  assign DOUTPADOUTP = dop_a[1:0];
  assign DOUTBDOUT = PAIR_R != 0 ? do_a[16+:16] : do_b[15:0];
  assign DOUTPBDOUTP = PAIR_R != 0 ? dop_a[2+:2] : dop_b[1:0];
endmodule
