// SPDX-License-Identifier: Apache-2.0
//
// URAM288 of UltraScale+, 4,096 words of 72 bits, as far as the netlists of nicgen use
// it: no pipeline registers, no cascade, no ECC, no sleep. Package netlist refuses a
// cell that is set otherwise.
//
//   A cycle does first what port A asks for and then what port B does: B reads what
//   A writes, A reads what was there before B writes, and B's write stays.
//   A port that writes keeps its output. RST sets the output to zero, with or
//   without EN.
//   BWE has a bit for each byte: with PARITY_INDEPENDENT bit 8 is for the byte
//   DIN[71:64]; with PARITY_INTERLEAVED bit i is for DIN[64+i] as well, and bit 8 for
//   nothing.
//
// The contents at power-up are unknown, although the device would set them to zero.
module URAM288 #(
    parameter BWE_MODE_A = "PARITY_INTERLEAVED", parameter BWE_MODE_B = "PARITY_INTERLEAVED",
    parameter EN_AUTO_SLEEP_MODE = "FALSE",
    parameter IREG_PRE_A = "FALSE", parameter IREG_PRE_B = "FALSE",
    parameter IS_CLK_INVERTED = 1'b0,
    parameter OREG_A = "FALSE", parameter OREG_B = "FALSE",
    parameter RST_MODE_A = "SYNC", parameter RST_MODE_B = "SYNC"
) (
    input [22:0] ADDR_A, ADDR_B,
    input [8:0] BWE_A, BWE_B,
    input [71:0] DIN_A, DIN_B,
    input EN_A, EN_B, RDB_WR_A, RDB_WR_B, RST_A, RST_B,
    input INJECT_DBITERR_A, INJECT_DBITERR_B, INJECT_SBITERR_A, INJECT_SBITERR_B,
    input CLK, SLEEP,
    output reg [71:0] DOUT_A, DOUT_B
);
  reg [71:0] mem[0:4095];

  function [71:0] bits(input [8:0] bwe, input interleaved);
    integer i;
    for (i = 0; i < 8; i = i + 1) begin
      bits[8*i+:8] = {8{bwe[i]}};
      bits[64+i] = interleaved ? bwe[i] : bwe[8];
    end
  endfunction
  wire [71:0] mask_a = bits(BWE_A, BWE_MODE_A == "PARITY_INTERLEAVED");
  wire [71:0] mask_b = bits(BWE_B, BWE_MODE_B == "PARITY_INTERLEAVED");

  initial begin
    DOUT_A = 0;
    DOUT_B = 0;
  end
  always @(posedge CLK) begin
    if (RST_A) DOUT_A <= 0;
    else if (EN_A && !RDB_WR_A) DOUT_A <= mem[ADDR_A[11:0]];
    if (EN_A && RDB_WR_A) mem[ADDR_A[11:0]] = (mem[ADDR_A[11:0]] & ~mask_a) | (DIN_A & mask_a);
    if (RST_B) DOUT_B <= 0;
    else if (EN_B && !RDB_WR_B) DOUT_B <= mem[ADDR_B[11:0]];
    if (EN_B && RDB_WR_B) mem[ADDR_B[11:0]] = (mem[ADDR_B[11:0]] & ~mask_b) | (DIN_B & mask_b);
  end
endmodule
