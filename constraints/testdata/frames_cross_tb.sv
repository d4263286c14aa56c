// SPDX-License-Identifier: Apache-2.0
//
// Sends frames of random lengths through nic_lib_frames_cross, with pauses on both sides. Both clocks
// drift: each half period is up to 1 % off those given, and wanders. Looks that frames come whole and in
// order, that m_valid does not fall inside of one, that an offer stands, and that each frame that does
// not come was reported as dropped.

`timescale 1ps / 1ps

module tb;
  localparam int FRAMES  = 1000;
  localparam int DEPTH   = 16;
  localparam bit DROP    = 0;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  int s_base, m_base, variant, push, pull;
  int s_half, m_half;
  logic [31:0] s_dice = 32'h1234_5678, m_dice = 32'h8765_4321;
  logic s_clk = 0, m_clk = 0, s_rst = 1, m_rst = 1;
  logic s_valid = 0, s_ready, s_last = 0, evt_drop, m_valid, m_ready = 0, m_last;
  logic [31:0] s_data = 0, m_data;

  nic_lib_frames_cross #(.WIDTH(32), .DEPTH(DEPTH), .DROP(DROP)) dut (.*);

  function automatic logic [31:0] next(input logic [31:0] x);
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
  endfunction

  initial begin
    if (!$value$plusargs("s=%d", s_base) || !$value$plusargs("m=%d", m_base)) $fatal(1, "no periods");
    if (!$value$plusargs("push=%d", push) || !$value$plusargs("pull=%d", pull)) $fatal(1, "no pauses");
    if (!$value$plusargs("variant=%d", variant) || variant != VARIANT) wait (m_clk);  // for ever
    s_half = s_base;
    m_half = m_base;
    #1;
    fork
      forever begin
        #(s_half) s_clk = !s_clk;
        s_half += $signed(int'(s_dice[9:8])) - (s_half > s_base ? 2 : 1);
      end
      forever begin
        #(m_half) m_clk = !m_clk;
        m_half += $signed(int'(m_dice[9:8])) - (m_half > m_base ? 2 : 1);
      end
      #((s_base + m_base) * 20) s_rst = 0;
      #((s_base + m_base) * 21) m_rst = 0;
    join_none
  end

  // ---------------------------------------------------------------- sender
  //
  // A word is {number of the frame, beat, beats}.

  int n_sent = 0, n_dropped = 0, n_long = 0, beat = 0, beats = 1;

  always @(posedge s_clk) begin
    s_dice <= next(s_dice);
    if (!s_rst) begin
      n_dropped <= n_dropped + int'(evt_drop);
      if (s_valid && s_ready && s_last) begin
        n_sent <= n_sent + 1;
        if (beats > DEPTH) n_long <= n_long + 1;
      end
      if (!s_valid || s_ready) begin
        int b, n, k;
        b = beats;
        k = beat + int'(s_valid);
        n = n_sent + int'(s_valid && s_last);
        if (s_valid && s_last) begin
          k = 0;
          b = 1 + int'(s_dice[3:0]);
          if (s_dice[27:22] == 0) b = DEPTH + int'(s_dice[20]);  // as long as it may be, or longer
        end
        beat    <= k;
        beats   <= b;
        s_valid <= n < FRAMES && int'(s_dice[31:28]) < push;
        s_last  <= k == b - 1;
        s_data  <= {16'(n), 8'(k), 8'(b)};
      end
    end
  end

  // ---------------------------------------------------------------- receiver

  int n_seen = -1, n_whole = 0, want = 0, idle = 0, quiet = 0;
  logic held = 0, held_last = 0, midway = 0;
  logic [31:0] held_data = 0;

  always @(posedge m_clk) begin
    m_dice  <= next(m_dice);
    m_ready <= int'(m_dice[31:28]) < pull;
    if (!m_rst) begin
      if (midway && !m_valid) $fatal(1, "m_valid falls inside of frame %0d", n_seen);
      if (held && (!m_valid || m_data !== held_data || m_last !== held_last)) $fatal(1, "an offer does not stand");
      held      <= m_valid && !m_ready;
      held_data <= m_data;
      held_last <= m_last;
      idle      <= m_valid ? 0 : idle + 1;
      quiet     <= m_valid || n_sent != FRAMES ? 0 : quiet + 1;
      if (m_valid && m_ready) begin
        if (want == 0 && int'(m_data[31:16]) <= n_seen) $fatal(1, "frame %0d after frame %0d", m_data[31:16], n_seen);
        if (want != 0 && int'(m_data[31:16]) != n_seen) $fatal(1, "frame %0d inside of frame %0d", m_data[31:16], n_seen);
        if (int'(m_data[15:8]) != want) $fatal(1, "frame %0d: beat %0d, want %0d", m_data[31:16], m_data[15:8], want);
        if (m_last != (m_data[15:8] + 8'd1 == m_data[7:0])) $fatal(1, "frame %0d: last is wrong in beat %0d", m_data[31:16], want);
        n_seen  <= int'(m_data[31:16]);
        want    <= m_last ? 0 : want + 1;
        midway  <= !m_last;
        n_whole <= n_whole + int'(m_last);
      end
      if (quiet == 200) begin
        if (n_whole + n_dropped != FRAMES || midway) $fatal(1, "%0d frames arrived, %0d were dropped, of %0d", n_whole, n_dropped, FRAMES);
        if (!DROP && n_dropped != n_long) $fatal(1, "%0d frames were dropped, %0d are too long", n_dropped, n_long);
        $display("all is well: %0d arrived, %0d dropped, %0d too long", n_whole, n_dropped, n_long);
        $finish;
      end
      if (idle == 100000) $fatal(1, "nothing arrives any more: %0d sent, %0d arrived", n_sent, n_whole);
    end
  end
endmodule
