// SPDX-License-Identifier: Apache-2.0
//
// Queue of frames from one clock to another, in block RAM. A frame is read when all of it is there, so
// m_valid does not fall inside of one.
//
//   s_clk  beat ─► RAM; with a frame's last one frames_q moves ─ Gray ─► m_clk: there is one more frame
//   m_clk  beats of whole frames ─► m; the place moves ───────── Gray ─► s_clk: there is room
//
// Both counts move by one at a time, so that a Gray code of which a bit arrives late is one of the two
// counts before and after. A frame of more than DEPTH beats is dropped, and with DROP one that finds no
// room; a dropped frame leaves nothing behind. s_rst and m_rst must overlap, and each last until the
// other side is reset too. constraints/nic_lib_frames_cross.tcl constrains the paths between the clocks.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_lib_frames_cross #(
  parameter int unsigned WIDTH = 577,  // bits of a beat, without last
  parameter int unsigned DEPTH = 512,  // beats; a power of two, at least 4
  parameter bit          DROP  = 1'b0  // s_ready is always high
) (
  input  wire logic             s_clk,
  input  wire logic             s_rst,
  input  wire logic             s_valid,
  output      logic             s_ready,
  input  wire logic             s_last,
  input  wire logic [WIDTH-1:0] s_data,
  output      logic             evt_drop,  // a frame is dropped
  input  wire logic             m_clk,
  input  wire logic             m_rst,
  output      logic             m_valid,
  input  wire logic             m_ready,
  output      logic             m_last,
  output      logic [WIDTH-1:0] m_data
);

  localparam int unsigned ADDR_W = $clog2(DEPTH);
  localparam int unsigned W      = ADDR_W + 1;  // one bit more: full and empty differ in it

  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
    $error("DEPTH must be a power of two, at least 4");
  end

  function automatic logic [W-1:0] binary(input logic [W-1:0] gray);
    for (int i = 0; i < W; i++) begin
      binary[i] = ^(gray >> i);
    end
  endfunction

  (* ram_style = "block" *)
  logic [WIDTH:0] mem [DEPTH];

  // ---------------------------------------------------------------- s_clk
  //
  // Of the frame that is being written, start_q is the first place. The top bit of a count is that of
  // its Gray code. It is one register, under the Gray code's name: of two equal ones synthesis keeps
  // either, and constraints miss the other.

  logic [W-1:0] wr_q;
  logic [W-1:0] start_q;
  logic [W-2:0] frames_q;
  logic         waste_q;      // the rest of a frame that is dropped
  logic [W-1:0] rd_seen_q;
  logic [W-1:0] frames_next;
  logic         full;
  logic         long;         // the frame fills all places
  logic         go;
  logic         refused;

  logic [W-1:0] frames_gray_q;
  logic [W-1:0] rd_gray_q;

  (* ASYNC_REG = "TRUE" *) logic [W-1:0] rd_sync_q;
  (* ASYNC_REG = "TRUE" *) logic [W-1:0] rd_sync_q2;

  assign full        = wr_q == {~rd_seen_q[W-1], rd_seen_q[W-2:0]};
  assign long        = wr_q == {~start_q[W-1], start_q[W-2:0]};
  assign s_ready     = DROP || waste_q || !full || long;
  assign go          = s_valid && s_ready;
  assign refused     = waste_q || full;
  assign frames_next = {frames_gray_q[W-1], frames_q} + W'(go && !refused && s_last);

  always_ff @(posedge s_clk) begin
    if (go && !refused) begin
      mem[wr_q[ADDR_W-1:0]] <= {s_last, s_data};
    end
    rd_sync_q     <= rd_gray_q;
    rd_sync_q2    <= rd_sync_q;
    rd_seen_q     <= binary(rd_sync_q2);
    frames_q      <= frames_next[W-2:0];
    frames_gray_q <= frames_next ^ (frames_next >> 1);
    evt_drop      <= go && full && !waste_q;
    if (go) begin
      waste_q <= refused && !s_last;
      wr_q    <= refused ? start_q : wr_q + 1'b1;
      if (!refused && s_last) begin
        start_q <= wr_q + 1'b1;
      end
    end
    if (s_rst) begin
      wr_q          <= '0;
      start_q       <= '0;
      frames_q      <= '0;
      frames_gray_q <= '0;
      waste_q       <= 1'b0;
      evt_drop      <= 1'b0;
      rd_seen_q     <= '0;
    end
  end

  // ---------------------------------------------------------------- m_clk
  //
  // A beat is read into p1, the RAM's register, and goes on to the output's. What follows the last beat
  // of a frame is read only if there is another frame.

  logic [W-2:0]   rd_q;
  logic [W-1:0]   done_q;      // frames whose last beat left p1
  logic [W-1:0]   frames_seen_q;
  logic           p1_valid_q;
  logic [WIDTH:0] p1_beat_q;
  logic           m_valid_q;
  logic [WIDTH:0] m_beat_q;
  logic [W-1:0]   rd_next;
  logic           ends;        // p1 has a last beat
  logic           there;       // a beat to read
  logic           p1_go;       // p1 leaves
  logic           take;

  (* ASYNC_REG = "TRUE" *) logic [W-1:0] frames_sync_q;
  (* ASYNC_REG = "TRUE" *) logic [W-1:0] frames_sync_q2;

  assign ends    = p1_valid_q && p1_beat_q[WIDTH];
  assign there   = frames_seen_q != done_q + W'(ends);
  assign p1_go   = !m_valid_q || m_ready;
  assign take    = there && (!p1_valid_q || p1_go);
  assign rd_next = {rd_gray_q[W-1], rd_q} + W'(take);
  assign m_valid = m_valid_q;
  assign m_last  = m_beat_q[WIDTH];
  assign m_data  = m_beat_q[WIDTH-1:0];

  always_ff @(posedge m_clk) begin
    frames_sync_q  <= frames_gray_q;
    frames_sync_q2 <= frames_sync_q;
    frames_seen_q  <= binary(frames_sync_q2);
    if (take) begin
      p1_beat_q <= mem[rd_q];
    end
    if (p1_go) begin
      m_beat_q  <= p1_beat_q;
      m_valid_q <= p1_valid_q;
      done_q    <= done_q + W'(ends);
    end
    p1_valid_q <= take || (p1_valid_q && !p1_go);
    rd_q       <= rd_next[W-2:0];
    rd_gray_q  <= rd_next ^ (rd_next >> 1);
    if (m_rst) begin
      rd_q          <= '0;
      rd_gray_q     <= '0;
      done_q        <= '0;
      p1_valid_q    <= 1'b0;
      m_valid_q     <= 1'b0;
      frames_seen_q <= '0;
    end
  end

endmodule

`resetall
