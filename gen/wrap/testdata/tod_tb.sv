// SPDX-License-Identifier: Apache-2.0
//
// A time of day goes on, and is set to others; the ns that come out are those of two cycles before.

`timescale 1ns / 1ps

module tb;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  logic        clk = 0;
  int          variant, valid = 0, gap = 0, most = 0;
  logic [47:0] sec = 0, ns = 0, m_ns;
  logic [47:0] want [3];
  logic [47:0] step = 48'd200_000_004;  // so that seconds go by
  logic        m_valid, first = 1;

  nic_wrap_tod dut (.clk(clk), .s_sec(sec), .s_ns(ns[29:0]), .m_valid(m_valid), .m_ns(m_ns));

  initial begin
    if ($value$plusargs("variant=%d", variant) && variant == VARIANT) forever #2 clk = !clk;
  end

  always @(posedge clk) begin
    want[0] <= sec * 48'd1_000_000_000 + ns;
    want[1] <= want[0];
    if (m_valid && !first && m_ns !== want[1]) $fatal(1, "%0d ns, want %0d", m_ns, want[1]);
    valid <= valid + int'(m_valid);
    gap   <= m_valid ? 0 : gap + 1;
    if (gap > most) most <= gap;
    ns <= ns + step;
    if (ns + step >= 48'd1_000_000_000) begin
      ns  <= ns + step - 48'd1_000_000_000;
      sec <= sec + 1;
    end
  end

  initial begin
    wait (clk);
    repeat (4) @(posedge clk);
    first = 0;
    repeat (100) @(posedge clk);
    if (valid < 60 || most > 3) $fatal(1, "valid in %0d of 100 cycles, a gap of %0d", valid, most);
    for (int i = 0; i < 5; i++) begin
      sec  = 48'd1_900_000_000 + 48'd281_474_976 * 48'(i) - 48'd7 * 48'(i % 2);
      step = 4;
      most = 0;
      repeat (80) @(posedge clk);
      if (most < 30 || most > 60) $fatal(1, "a gap of %0d", most);
      step = 48'd200_000_004;
      repeat (100) @(posedge clk);
    end
    if (valid < 400) $fatal(1, "valid in %0d cycles only", valid);
    $display("all is well: valid in %0d cycles", valid);
    $finish;
  end
endmodule
