// SPDX-License-Identifier: Apache-2.0
//
// The block RAM of UltraScale+ as RAMB18E2 and RAMB36E2 share it, as far as the
// netlists of nicgen use it: one clock for both ports, no output registers, no
// cascade, no ECC, equal widths for reading and writing in a port that does both.
// Package netlist refuses a cell that is set otherwise.
//
//   bits   data are in bytes, each with a parity bit. A port that is 9, 18, 36 or
//          72 bits wide takes whole bytes with their parity bits; one of 1, 2 or
//          4 bits takes a part of a byte, and leaves the parity bits alone.
//   addr   is that of a bit: 3 low bits for the place in a byte.
//   we     has a bit for each byte of the port.
//   read   happens with en: the old contents (READ_FIRST), or the old contents only
//          if nothing is written (NO_CHANGE), or what is written (WRITE_FIRST).
//          With en and rst the output takes SRVAL.
//   clash  A port that reads what the other writes in the same cycle gets the old
//          contents if the writing port is READ_FIRST, and unknown bits otherwise.
//          What both write in the same cycle is unknown.
//
// Contents that INIT leaves at x are unknown at power-up, although the device
// would set them to zero.
module nicgen_bram #(
    parameter AW = 14,  // address bits; there are 2**AW data bits
    parameter RA = 0, parameter WA = 0, parameter RB = 0, parameter WB = 0,  // widths; 0: unused
    parameter RF_A = 0, parameter WF_A = 0,  // READ_FIRST, WRITE_FIRST; neither: NO_CHANGE
    parameter RF_B = 0, parameter WF_B = 0,
    parameter [2**AW-1:0] INIT = 0,
    parameter [2**(AW-3)-1:0] INITP = 0,
    parameter [71:0] INIT_A = 0, parameter [71:0] INIT_B = 0,  // parity above the data
    parameter [71:0] SRVAL_A = 0, parameter [71:0] SRVAL_B = 0
) (
    input clk,
    input en_a, input rst_a, input [7:0] we_a, input [AW-1:0] addr_a,
    input [63:0] di_a, input [7:0] dip_a, output [63:0] do_a, output [7:0] dop_a,
    input en_b, input rst_b, input [7:0] we_b, input [AW-1:0] addr_b,
    input [63:0] di_b, input [7:0] dip_b, output [63:0] do_b, output [7:0] dop_b
);
  localparam BW = AW - 3;  // address bits of a byte
  // The wider of a port's two widths is the only one, or equal to the other.
  localparam A = RA > WA ? RA : WA;
  localparam B = RB > WB ? RB : WB;
  localparam NA = A >= 9 ? A / 9 : 1;  // bytes
  localparam NB = B >= 9 ? B / 9 : 1;

  reg [7:0] data[0:2**BW-1];
  reg       par [0:2**BW-1];
  reg [71:0] q_a = INIT_A, q_b = INIT_B;
  assign {dop_a, do_a} = q_a;
  assign {dop_b, do_b} = q_b;

  integer i;
  initial
    for (i = 0; i < 2**BW; i = i + 1) begin
      data[i] = INIT[8*i+:8];
      par[i] = INITP[i];
    end

  // First byte of the word that an address is in.
  wire [BW-1:0] at_a = addr_a[AW-1:3] & ~(NA[BW-1:0] - 1'b1);
  wire [BW-1:0] at_b = addr_b[AW-1:3] & ~(NB[BW-1:0] - 1'b1);
  // The bits of a byte that a port has.
  wire [7:0] mask_a = A >= 9 || A == 0 ? 8'hff : ((8'd1 << A) - 8'd1) << low_a;
  wire [7:0] mask_b = B >= 9 || B == 0 ? 8'hff : ((8'd1 << B) - 8'd1) << low_b;
  wire [2:0] low_a = A == 1 ? addr_a[2:0] : A == 2 ? {addr_a[2:1], 1'b0} : A == 4 ? {addr_a[2], 2'b0} : 3'd0;
  wire [2:0] low_b = B == 1 ? addr_b[2:0] : B == 2 ? {addr_b[2:1], 1'b0} : B == 4 ? {addr_b[2], 2'b0} : 3'd0;

  // Enables beyond the port's bytes mean nothing.
  wire write_a = WA != 0 && en_a && (we_a & ((9'd1 << NA) - 9'd1)) != 0;
  wire write_b = WB != 0 && en_b && (we_b & ((9'd1 << NB) - 9'd1)) != 0;

  // Of each port, byte by byte with the parity bits above: what is there before the
  // edge, what is written, and what is there afterwards.
  reg [71:0] old_a, old_b, put_a, put_b, new_a, new_b;
  reg [7:0] own, other;
  reg [BW-1:0] x;
  integer k;
  always @(posedge clk) begin
    old_a = 0;
    new_a = 0;
    for (k = 0; k < NA; k = k + 1) begin
      x = at_a | k[BW-1:0];
      // Bits of this byte that the port writes, and those that the other one does.
      own = write_a && we_a[k] ? mask_a : 8'h00;
      other = write_b && we_b[x & (NB - 1)] && (x & ~(NB[BW-1:0] - 1'b1)) == at_b ? mask_b : 8'h00;
      old_a[8*k+:8] = RF_B != 0 ? data[x] : (data[x] & ~other) | (8'hxx & other);
      old_a[64+k] = RF_B == 0 && other != 0 && B >= 9 ? 1'bx : par[x];
      put_a[8*k+:8] = (di_a[8*k+:8] << low_a & own & ~other) | (8'hxx & own & other);
      put_a[64+k] = other != 0 && B >= 9 ? 1'bx : dip_a[k];
      new_a[8*k+:8] = (old_a[8*k+:8] & ~own) | put_a[8*k+:8];
      new_a[64+k] = own != 0 && A >= 9 ? put_a[64+k] : old_a[64+k];
    end
    old_b = 0;
    new_b = 0;
    for (k = 0; k < NB; k = k + 1) begin
      x = at_b | k[BW-1:0];
      // Bits of this byte that the port writes, and those that the other one does.
      own = write_b && we_b[k] ? mask_b : 8'h00;
      other = write_a && we_a[x & (NA - 1)] && (x & ~(NA[BW-1:0] - 1'b1)) == at_a ? mask_a : 8'h00;
      old_b[8*k+:8] = RF_A != 0 ? data[x] : (data[x] & ~other) | (8'hxx & other);
      old_b[64+k] = RF_A == 0 && other != 0 && A >= 9 ? 1'bx : par[x];
      put_b[8*k+:8] = (di_b[8*k+:8] << low_b & own & ~other) | (8'hxx & own & other);
      put_b[64+k] = other != 0 && A >= 9 ? 1'bx : dip_b[k];
      new_b[8*k+:8] = (old_b[8*k+:8] & ~own) | put_b[8*k+:8];
      new_b[64+k] = own != 0 && B >= 9 ? put_b[64+k] : old_b[64+k];
    end
    if (RA != 0 && en_a) begin
      if (rst_a) q_a <= SRVAL_A;
      else if (!write_a || RF_A != 0) q_a <= part(old_a, A, low_a);
      else if (WF_A != 0) q_a <= part(new_a, A, low_a);
    end
    if (RB != 0 && en_b) begin
      if (rst_b) q_b <= SRVAL_B;
      else if (!write_b || RF_B != 0) q_b <= part(old_b, B, low_b);
      else if (WF_B != 0) q_b <= part(new_b, B, low_b);
    end
    for (k = 0; k < NA; k = k + 1)
      if (write_a && we_a[k]) begin
        data[at_a|k[BW-1:0]] = (data[at_a|k[BW-1:0]] & ~mask_a) | put_a[8*k+:8];
        if (A >= 9) par[at_a|k[BW-1:0]] = put_a[64+k];
      end
    for (k = 0; k < NB; k = k + 1)
      if (write_b && we_b[k]) begin
        data[at_b|k[BW-1:0]] = (data[at_b|k[BW-1:0]] & ~mask_b) | put_b[8*k+:8];
        if (B >= 9) par[at_b|k[BW-1:0]] = put_b[64+k];
      end
  end

  // The bits of a word that a port of that width shows.
  function [71:0] part(input [71:0] word, input integer width, input [2:0] low);
    reg [7:0] b;
    begin
      b = word[7:0] >> low;
      part = width == 1 ? {71'd0, b[0]} : width == 2 ? {70'd0, b[1:0]} : width == 4 ? {68'd0, b[3:0]} : word;
    end
  endfunction
endmodule
