// SPDX-License-Identifier: Apache-2.0
// A counter that stops at its largest value. It was not written by nicgen.
module counter #(
    parameter int unsigned W = 4
) (
    input  wire logic         clk,
    input  wire logic         rst,
    input  wire logic         up,
    output logic      [W-1:0] count,
    output logic              full
);
  assign full = &count;
  always_ff @(posedge clk) begin
    if (up && !full) count <= count + W'(1);
    if (rst) count <= '0;
  end
endmodule
