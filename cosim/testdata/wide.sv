// SPDX-License-Identifier: Apache-2.0
// Ports of many widths: each value comes back inverted one cycle later, and at
// once rotated by one bit.
module wide #(
    parameter int unsigned W = 65
) (
    input  wire logic         clk,
    input  wire logic         a__b,
    input  wire logic [  6:0] seven,
    input  wire logic [W-1:0] x,
    output logic      [W-1:0] inv,
    output logic      [W-1:0] rot,
    output logic      [  7:0] low
);
  assign rot = {x[W-2:0], x[W-1]};
  always_ff @(posedge clk) begin
    inv   <= ~x;
    low   <= {seven, a__b};
  end
endmodule
