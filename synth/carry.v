// SPDX-License-Identifier: Apache-2.0
//
// Carry cells as the multiplexers and exclusive-ors that they consist of, for
// netlists that are simulated: the bits of the CO bus of one cell depend on each
// other, and Verilator 5.006 gives wrong results for such a bus.
module CARRY4 (output [3:0] CO, O, input CI, CYINIT, input [3:0] DI, S);
  wire c0, c1, c2, c3;
  // One of the two is a constant 0.
  wire first = CI | CYINIT;
  MUXCY m0 (.O(c0), .CI(first), .DI(DI[0]), .S(S[0]));
  MUXCY m1 (.O(c1), .CI(c0), .DI(DI[1]), .S(S[1]));
  MUXCY m2 (.O(c2), .CI(c1), .DI(DI[2]), .S(S[2]));
  MUXCY m3 (.O(c3), .CI(c2), .DI(DI[3]), .S(S[3]));
  XORCY x0 (.O(O[0]), .CI(first), .LI(S[0]));
  XORCY x1 (.O(O[1]), .CI(c0), .LI(S[1]));
  XORCY x2 (.O(O[2]), .CI(c1), .LI(S[2]));
  XORCY x3 (.O(O[3]), .CI(c2), .LI(S[3]));
  assign CO = {c3, c2, c1, c0};
endmodule
