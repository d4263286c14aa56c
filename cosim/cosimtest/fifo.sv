// SPDX-License-Identifier: Apache-2.0
// A FIFO of DEPTH words with a combinational output. It was not written by
// nicgen; the memory is not reset.
module fifo #(
    parameter int unsigned W     = 16,
    parameter int unsigned DEPTH = 8
) (
    input  wire logic                   clk,
    input  wire logic                   rst,
    input  wire logic                   push,
    input  wire logic [          W-1:0] data,
    input  wire logic                   pop,
    output logic      [          W-1:0] head,
    output logic                        empty,
    output logic      [$clog2(DEPTH):0] level
);
  localparam int unsigned IW = $clog2(DEPTH);

  logic [ W-1:0] mem   [DEPTH];
  logic [IW-1:0] rd_q;
  logic [IW-1:0] wr_q;
  logic          take;
  logic          put;

  assign empty = level == '0;
  assign head  = mem[rd_q];
  assign take  = pop && !empty;
  assign put   = push && (level != (IW + 1)'(DEPTH) || take);

  always_ff @(posedge clk) begin
    if (put) begin
      mem[wr_q] <= data;
      wr_q      <= wr_q + IW'(1);
    end
    if (take) rd_q <= rd_q + IW'(1);
    level <= level + (IW + 1)'(put) - (IW + 1)'(take);
    if (rst) begin
      rd_q  <= '0;
      wr_q  <= '0;
      level <= '0;
    end
  end
endmodule
