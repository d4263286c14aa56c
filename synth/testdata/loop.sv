// SPDX-License-Identifier: Apache-2.0
// Two gates that feed each other.
`default_nettype none
module loop (
  input  wire logic x,
  input  wire logic y,
  output logic      a
);
  logic b;
  assign a = b & x;
  assign b = a | y;
endmodule
`resetall
