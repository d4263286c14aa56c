// SPDX-License-Identifier: Apache-2.0
// A clock that comes out of a gate.
`default_nettype none
module gated (
  input  wire logic clk,
  input  wire logic en,
  input  wire logic d,
  output logic      q
);
  logic gclk;
  assign gclk = clk & en;
  always_ff @(posedge gclk) q <= d;
endmodule
`resetall
