// SPDX-License-Identifier: Apache-2.0
//
// Majority of three copies of a word, bit by bit: as long as no bit is wrong in two
// of them, the word is right. Combinational; behind a memory that forwards, a bit
// still fits one LUT with the forwarding. differ says that the copies are not the
// same.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_vote #(
  parameter int unsigned WIDTH = 8  // bits in a word
) (
  input  wire logic [3*WIDTH-1:0] copies,
  output      logic [WIDTH-1:0]   word,
  output      logic               differ
);

  logic [WIDTH-1:0] a;
  logic [WIDTH-1:0] b;
  logic [WIDTH-1:0] c;

  assign a = copies[0 +: WIDTH];
  assign b = copies[WIDTH +: WIDTH];
  assign c = copies[2*WIDTH +: WIDTH];

  assign word   = (a & b) | (a & c) | (b & c);
  assign differ = a != b || b != c;

endmodule

`resetall
