// SPDX-License-Identifier: Apache-2.0
//
// DSP48E2 of UltraScale+ as a combinational multiplier, which is all that Yosys makes
// of it: P = A[26:0] × B, both signed. Package netlist refuses a cell with registers,
// a preadder, a cascade, a C operand or another operation.
module DSP48E2 #(
    parameter integer ACASCREG = 1, parameter integer ADREG = 1, parameter A_INPUT = "DIRECT",
    parameter integer ALUMODEREG = 1, parameter integer AREG = 1, parameter integer BCASCREG = 1,
    parameter B_INPUT = "DIRECT", parameter integer BREG = 1, parameter integer CARRYINREG = 1,
    parameter integer CARRYINSELREG = 1, parameter integer CREG = 1, parameter integer DREG = 1,
    parameter integer INMODEREG = 1, parameter integer MREG = 1, parameter integer OPMODEREG = 1,
    parameter integer PREG = 1, parameter USE_MULT = "MULTIPLY", parameter USE_SIMD = "ONE48",
    parameter AMULTSEL = "A", parameter BMULTSEL = "B"
) (
    input [29:0] A, ACIN,
    input [17:0] B, BCIN,
    input [47:0] C, PCIN,
    input [26:0] D,
    input [4:0] INMODE,
    input [3:0] ALUMODE,
    input [8:0] OPMODE,
    input [2:0] CARRYINSEL,
    input CARRYIN,
    output [47:0] P
);
  wire signed [44:0] m = $signed(A[26:0]) * $signed(B);
  assign P = {{3{m[44]}}, m};
endmodule
