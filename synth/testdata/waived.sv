// SPDX-License-Identifier: Apache-2.0
// Clean only because a warning is switched off.
`default_nettype none
module waived (
  // verilator lint_off UNUSED
  input  wire logic [1:0] a,
  output logic            q
);
  assign q = a[0];
endmodule
`resetall
