// SPDX-License-Identifier: Apache-2.0
// Logic of a known depth between registers, of a kind chosen by KIND: the AND
// of up to 6 bits is one LUT, of 7 to 11 bits two levels.
`default_nettype none
module levels #(
  parameter int unsigned KIND = 0,
  parameter int unsigned N    = 6
) (
  input  wire logic         clk,
  input  wire logic [N-1:0] a,
  input  wire logic [N-1:0] b,
  output logic      [N-1:0] q
);
  logic [N-1:0] a_q;
  logic [N-1:0] b_q;
  always_ff @(posedge clk) begin
    a_q <= a;
    b_q <= b;
  end
  if (KIND == 0) begin : g_and
    always_ff @(posedge clk) q <= {{(N-1){1'b0}}, &a_q};
  end else if (KIND == 1) begin : g_add
    always_ff @(posedge clk) q <= a_q + b_q;
  end else if (KIND == 2) begin : g_multiply
    logic [2*N-1:0] p;
    assign p = a_q * b_q;
    always_ff @(posedge clk) q <= p[2*N-1:N];
  end else if (KIND == 3) begin : g_through
    assign q = a & b;
  end else begin : g_read
    (* ram_style = "distributed" *) logic [N-1:0] store[0:63];
    always_ff @(posedge clk) begin
      store[a_q[5:0]] <= b_q;
      q <= ~store[b_q[5:0]];
    end
  end
endmodule
`resetall
