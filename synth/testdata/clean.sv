// SPDX-License-Identifier: Apache-2.0
// Nothing to find.
`default_nettype none
module clean #(
  parameter int unsigned W = 4
) (
  input  wire logic         clk,
  input  wire logic [W-1:0] d,
  output logic      [W-1:0] q
);
  always_ff @(posedge clk) q <= d;
endmodule
`resetall
