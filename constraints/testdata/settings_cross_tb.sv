// SPDX-License-Identifier: Apache-2.0
//
// Sends words at random times through settings_cross, with the half periods of both
// clocks given, and looks that each arrives, once, in order, and is taken only after it
// has kept still for two cycles of clk.

`timescale 1ns / 1ps

module tb;
  localparam int WORDS   = 500;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  int src_half, dst_half, variant;
  logic [31:0] dice = 32'h1234_5678;
  logic src_clk = 0, clk = 0, s_valid = 0;
  logic s_ready;
  logic [31:0] s_data = 0, cfg_data, last = 32'hFFFF_FFFF;
  logic [31:0] sent [WORDS + 1];
  int n_sent = 0, n_seen = 0;
  realtime changed = 0;

  settings_cross #(.WIDTH(32), .INITIAL(32'hFFFF_FFFF)) dut (
    .src_clk(src_clk), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .clk(clk), .cfg_data(cfg_data)
  );

  initial begin
    if (!$value$plusargs("src=%d", src_half) || !$value$plusargs("dst=%d", dst_half)) $fatal(1, "no periods");
    if (!$value$plusargs("variant=%d", variant) || variant != VARIANT) wait (clk);  // for ever
    #1;
    fork
      forever #(src_half * 1ps) src_clk = !src_clk;
      forever #(dst_half * 1ps) clk = !clk;
    join_none
    if (cfg_data !== 32'hFFFF_FFFF) $fatal(1, "cfg_data is %h at first", cfg_data);
    #((src_half + dst_half) * 40 * WORDS * 1ps);
    if (n_sent != WORDS || n_seen != WORDS) $fatal(1, "%0d words sent, %0d arrived", n_sent, n_seen);
    $display("all %0d words arrived", n_seen);
    $finish;
  end

  always @(posedge src_clk) begin
    if (s_valid && s_ready) begin
      sent[n_sent] <= s_data;
      n_sent <= n_sent + 1;
    end
    if (!s_valid || s_ready) begin
      dice    <= dice ^ (dice << 13) ^ ((dice ^ (dice << 13)) >> 17);
      s_valid <= dice[7] && n_sent + int'(s_valid && s_ready) < WORDS;
      s_data  <= dice & 32'h7FFF_FFFF;
    end
  end

  always @(dut.word_q) changed = $realtime;

  always @(posedge clk) begin
    #0.001;
    if (cfg_data !== last) begin
      if (n_seen >= n_sent || cfg_data !== sent[n_seen]) $fatal(1, "word %0d is %h, want %h", n_seen, cfg_data, sent[n_seen]);
      if ($realtime - changed < 4 * dst_half * 1ps) $fatal(1, "word %0d is taken less than two cycles after it changed", n_seen);
      n_seen <= n_seen + 1;
      last <= cfg_data;
    end
  end
endmodule
