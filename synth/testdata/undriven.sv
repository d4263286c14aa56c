// SPDX-License-Identifier: Apache-2.0
// A signal that nobody drives, and one that two drive.
`default_nettype none
module undriven (
  input  wire logic a,
  input  wire logic b,
  output logic      q,
  output wire logic w
);
  logic nothing;
  assign q = nothing & a;
  assign w = a & b;
  assign w = a ^ b;
endmodule
`resetall
