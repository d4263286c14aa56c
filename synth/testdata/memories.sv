// SPDX-License-Identifier: Apache-2.0
// One memory of each shape; each has one write port and a registered read.
`default_nettype none
module memories (
  input  wire logic        clk,
  input  wire logic        we,
  input  wire logic [12:0] wa,
  input  wire logic [12:0] ra,
  input  wire logic [71:0] d,
  output logic      [31:0] q_block36,
  output logic      [15:0] q_block18,
  output logic       [6:0] q_dist64,
  output logic      [13:0] q_dist32,
  output logic       [1:0] q_two_reads,
  output logic      [71:0] q_ultra,
  output logic       [7:0] q_shift,
  output logic       [7:0] q_table,
  output logic       [3:0] q_asked
);
  (* ram_style = "block" *) logic [31:0] block36[0:1023];
  (* ram_style = "block" *) logic [15:0] block18[0:1023];
  (* ram_style = "distributed" *) logic [6:0] dist64[0:63];
  (* ram_style = "distributed" *) logic [13:0] dist32[0:31];
  (* ram_style = "distributed" *) logic [1:0] two_reads[0:31];
  (* ram_style = "ultra" *) logic [71:0] ultra[0:4095];
  logic [127:0] shift_q;
  logic [7:0] rom[0:63];
  (* ram_style = "registers" *) logic [3:0] asked[0:127];

  initial begin
    for (int i = 0; i < 64; i++) rom[i] = 8'(i * i);
  end

  always_ff @(posedge clk) begin
    if (we) begin
      block36[wa[9:0]] <= d[31:0];
      block18[wa[9:0]] <= d[15:0];
      dist64[wa[5:0]] <= d[6:0];
      dist32[wa[4:0]] <= d[13:0];
      two_reads[wa[4:0]] <= d[1:0];
      ultra[wa[11:0]] <= d;
      asked[wa[6:0]] <= d[3:0];
    end
    q_block36 <= block36[ra[9:0]];
    q_block18 <= block18[ra[9:0]];
    q_dist64 <= dist64[ra[5:0]];
    q_dist32 <= dist32[ra[4:0]];
    q_two_reads <= two_reads[ra[4:0]] ^ two_reads[ra[9:5]];
    q_ultra <= ultra[ra[11:0]];
    q_table <= rom[ra[5:0]];
    q_asked <= asked[ra[6:0]];
    shift_q <= {shift_q[119:0], d[7:0]};
  end
  assign q_shift = shift_q[127:120];
endmodule
`resetall
