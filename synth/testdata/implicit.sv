// SPDX-License-Identifier: Apache-2.0
// A misspelt signal, accepted because default_nettype is not none.
module implicit (
  input  wire logic a,
  output logic      q
);
  logic value;
  assign value = a;
  assign q = valeu;
endmodule
