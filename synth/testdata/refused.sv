// SPDX-License-Identifier: Apache-2.0
// Refuses its own parameter.
`default_nettype none
module refused #(
  parameter int unsigned W = 3
) (
  input  wire logic         a,
  output logic      [W-1:0] q
);
  if (W > 2) begin : g_check_w
    $error("W must be at most 2");
  end
  assign q = {W{a}};
endmodule
`resetall
