// SPDX-License-Identifier: Apache-2.0
// A memory that a reset loop turns into 512 flip-flops.
`default_nettype none
module reset_memory (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       we,
  input  wire logic [5:0] wa,
  input  wire logic [5:0] ra,
  input  wire logic [7:0] d,
  output logic      [7:0] q
);
  logic [7:0] store[0:63];
  always_ff @(posedge clk) begin
    if (we) store[wa] <= d;
    q <= store[ra];
    if (rst) for (int i = 0; i < 64; i++) store[i] <= '0;
  end
endmodule
`resetall
