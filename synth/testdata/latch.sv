// SPDX-License-Identifier: Apache-2.0
// A value that is not assigned on every path, on purpose.
`default_nettype none
module latch (
  input  wire logic en,
  input  wire logic d,
  output logic      q
);
  always_latch begin
    if (en) q = d;
  end
endmodule
`resetall
