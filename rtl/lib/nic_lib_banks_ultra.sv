// SPDX-License-Identifier: Apache-2.0
//
// A nic_lib_lanes_ultra of many rows, in banks: a column of ultra RAMs, which a tool makes a
// cascade, has only as many as are fast enough. One write port, one read port, one clock.
//
// The read takes LATENCY cycles: two on the way to the banks, for what is written too, those of
// a bank, and two to choose, first of each four banks. Each four have registers of their own, for
// what is for them. The last bank may be shorter than the others; what is read beyond its rows
// is arbitrary.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_banks_ultra #(
  parameter int unsigned WIDTH   = 34,     // bits in a word
  parameter int unsigned LANES   = 2,      // words in a row
  parameter int unsigned DEPTH   = 65536,  // rows
  parameter int unsigned ADDR_W  = 16,     // bits in an address
  parameter int unsigned BANK    = 32768,  // rows in a bank, a power of two
  parameter int unsigned LATENCY = 5       // cycles from rd_addr to rd_data, 5 or more
) (
  input  wire logic                   clk,
  input  wire logic [LANES-1:0]       wr_en,
  input  wire logic [ADDR_W-1:0]      wr_addr,
  input  wire logic [WIDTH-1:0]       wr_data,  // for whichever words are written
  input  wire logic [ADDR_W-1:0]      rd_addr,
  output      logic [LANES*WIDTH-1:0] rd_data
);

  if (LATENCY < 5) begin : g_check_latency
    $error("LATENCY: want 5 or more");
  end
  if (BANK < 2 || BANK != 1 << $clog2(BANK)) begin : g_check_bank
    $error("BANK: want a power of two from 2 on");
  end

  localparam int unsigned ROW_W  = LANES * WIDTH;
  localparam int unsigned BANKS  = (DEPTH + BANK - 1) / BANK;
  localparam int unsigned LAST   = DEPTH - BANK * (BANKS - 1);  // rows in the last bank
  localparam int unsigned BANK_W = $clog2(BANK);
  localparam int unsigned FOURS  = (BANKS + 3) / 4;
  localparam int unsigned FOUR_W = FOURS > 1 ? $clog2(FOURS) : 1;
  localparam int unsigned SEL_W  = FOUR_W + 2;

  logic [LANES-1:0]         wr_en_q;
  logic [ADDR_W-1:0]        wr_addr_q;
  logic [WIDTH-1:0]         wr_data_q;
  logic [ADDR_W-1:0]        rd_addr_q;
  logic [SEL_W-1:0]         wr_bank;
  logic [SEL_W-1:0]         rd_first;
  logic [SEL_W-1:0]         rd_bank;
  logic [SEL_W-1:0]         rd_bank_q;  // of the rows that the banks give
  logic [FOUR_W-1:0]        rd_four_q;  // and the four that it is of, a cycle later
  logic [4*FOURS*ROW_W-1:0] rows;
  logic [FOURS*ROW_W-1:0]   fours_q;
  logic [ROW_W-1:0]         row;

  assign wr_bank  = SEL_W'(wr_addr_q >> BANK_W);
  assign rd_first = SEL_W'(rd_addr_q >> BANK_W);

  nic_lib_delay #(
    .WIDTH  (SEL_W),
    .CYCLES (LATENCY - 4)
  ) beside (
    .clk    (clk),
    .s_data (rd_first),
    .m_data (rd_bank)
  );

  for (genvar g = 0; g < FOURS; g++) begin : g_four
    logic [LANES-1:0]  en_q;
    logic [1:0]        bank_q;
    logic [BANK_W-1:0] to_q;
    logic [WIDTH-1:0]  data_q;
    logic [BANK_W-1:0] from_q;
    logic              unused_high;  // bits of an address, where the only bank is the short one

    assign unused_high = ^{to_q, from_q};

    always_ff @(posedge clk) begin
      en_q <= '0;
      if (wr_bank[2 +: FOUR_W] == FOUR_W'(g)) begin
        en_q   <= wr_en_q;
        bank_q <= wr_bank[1:0];
        to_q   <= BANK_W'(wr_addr_q);
        data_q <= wr_data_q;
      end
      if (rd_first[2 +: FOUR_W] == FOUR_W'(g)) begin
        from_q <= BANK_W'(rd_addr_q);
      end
      case (rd_bank_q[1:0])
        2'd0:    fours_q[g*ROW_W +: ROW_W] <= rows[4*g*ROW_W +: ROW_W];
        2'd1:    fours_q[g*ROW_W +: ROW_W] <= rows[(4*g+1)*ROW_W +: ROW_W];
        2'd2:    fours_q[g*ROW_W +: ROW_W] <= rows[(4*g+2)*ROW_W +: ROW_W];
        default: fours_q[g*ROW_W +: ROW_W] <= rows[(4*g+3)*ROW_W +: ROW_W];
      endcase
    end

    for (genvar h = 4 * g; h < 4 * g + 4; h++) begin : g_bank
      if (h < BANKS) begin : g_there
        localparam int unsigned ROWS   = h + 1 == BANKS ? LAST : BANK;
        localparam int unsigned ROWS_W = $clog2(ROWS);

        nic_lib_lanes_ultra #(
          .WIDTH   (WIDTH),
          .LANES   (LANES),
          .DEPTH   (ROWS),
          .ADDR_W  (ROWS_W),
          .LATENCY (LATENCY - 4)
        ) ram (
          .clk     (clk),
          .wr_en   (bank_q == 2'(h) ? en_q : '0),
          .wr_addr (ROWS_W'(to_q)),
          .wr_data (data_q),
          .rd_addr (ROWS_W'(from_q)),
          .rd_data (rows[h*ROW_W +: ROW_W])
        );
      end else begin : g_none
        assign rows[h*ROW_W +: ROW_W] = '0;
      end
    end
  end

  always_comb begin
    row = '0;
    for (int unsigned i = 0; i < FOURS; i++) begin
      row = row | (rd_four_q == FOUR_W'(i) ? fours_q[i*ROW_W +: ROW_W] : '0);
    end
  end

  always_ff @(posedge clk) begin
    wr_en_q   <= wr_en;
    wr_addr_q <= wr_addr;
    wr_data_q <= wr_data;
    rd_addr_q <= rd_addr;
    rd_bank_q <= rd_bank;
    rd_four_q <= rd_bank_q[2 +: FOUR_W];
    rd_data   <= row;
  end

endmodule

`resetall
