// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite from the clock of software to that of a unit: one access at a time, a write before a read.
//
//   s_clk  access ─► {turn, write, address, data} ─ settings_cross ─► m_clk: turn is new
//   m_clk  the unit's answer ─► {turn, answer, data} ─ settings_cross ─► s_clk: turn is back
//
// The turn changes with each access and is never reset, so that an access that a reset of one side cuts
// off still comes to its end on the other. One that meets the unit's reset is answered with SLVERR.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_axil_cross #(
  parameter int unsigned ADDR_W = 16
) (
  input  wire logic              s_clk,
  input  wire logic              s_rst,
  input  wire logic [ADDR_W-1:0] s_axil_awaddr,
  input  wire logic              s_axil_awvalid,
  output      logic              s_axil_awready,
  input  wire logic [31:0]       s_axil_wdata,
  input  wire logic [3:0]        s_axil_wstrb,
  input  wire logic              s_axil_wvalid,
  output      logic              s_axil_wready,
  output      logic [1:0]        s_axil_bresp,
  output      logic              s_axil_bvalid,
  input  wire logic              s_axil_bready,
  input  wire logic [ADDR_W-1:0] s_axil_araddr,
  input  wire logic              s_axil_arvalid,
  output      logic              s_axil_arready,
  output      logic [31:0]       s_axil_rdata,
  output      logic [1:0]        s_axil_rresp,
  output      logic              s_axil_rvalid,
  input  wire logic              s_axil_rready,

  input  wire logic              m_clk,
  input  wire logic              m_rst,
  output      logic [ADDR_W-1:0] m_axil_awaddr,
  output      logic              m_axil_awvalid,
  input  wire logic              m_axil_awready,
  output      logic [31:0]       m_axil_wdata,
  output      logic [3:0]        m_axil_wstrb,
  output      logic              m_axil_wvalid,
  input  wire logic              m_axil_wready,
  input  wire logic [1:0]        m_axil_bresp,
  input  wire logic              m_axil_bvalid,
  output      logic              m_axil_bready,
  output      logic [ADDR_W-1:0] m_axil_araddr,
  output      logic              m_axil_arvalid,
  input  wire logic              m_axil_arready,
  input  wire logic [31:0]       m_axil_rdata,
  input  wire logic [1:0]        m_axil_rresp,
  input  wire logic              m_axil_rvalid,
  output      logic              m_axil_rready
);

  localparam int unsigned REQ_W = 1 + 1 + ADDR_W + 4 + 32;
  localparam int unsigned ANS_W = 1 + 2 + 32;

  logic [REQ_W-1:0] request;
  logic [ANS_W-1:0] answer;

  // ---------------------------------------------------------------- s_clk: the access
  //
  // An access is taken when the answer to the last one is back, even if nobody waits for it any more.

  logic              turn_q;
  logic              send_q;
  logic              write_q;
  logic [ADDR_W-1:0] addr_q;
  logic [31:0]       data_q;
  logic [3:0]        strb_q;
  logic              wait_b_q;
  logic              wait_r_q;
  logic              b_valid_q;
  logic              r_valid_q;
  logic              taken;
  logic              back;
  logic              free;
  logic              go_write;
  logic              go_read;

  assign back     = answer[ANS_W-1] == turn_q;
  assign free     = back && !send_q && !wait_b_q && !wait_r_q && !b_valid_q && !r_valid_q && !s_rst;
  assign go_write = free && s_axil_awvalid && s_axil_wvalid;
  assign go_read  = free && s_axil_arvalid && !go_write;

  initial begin
    turn_q = 1'b0;
    send_q = 1'b0;
  end

  always @(posedge s_clk) begin  // not always_ff: initial writes registers too
    if (go_write || go_read) begin
      turn_q  <= !turn_q;
      send_q  <= 1'b1;
      write_q <= go_write;
      addr_q  <= go_write ? s_axil_awaddr : s_axil_araddr;
      data_q  <= s_axil_wdata;
      strb_q  <= s_axil_wstrb;
    end
    if (send_q && taken) begin
      send_q <= 1'b0;
    end
    if (back && !send_q) begin
      wait_b_q <= go_write;
      wait_r_q <= go_read;
      if (wait_b_q) begin
        b_valid_q <= 1'b1;
      end
      if (wait_r_q) begin
        r_valid_q <= 1'b1;
      end
    end
    if (b_valid_q && s_axil_bready) begin
      b_valid_q <= 1'b0;
    end
    if (r_valid_q && s_axil_rready) begin
      r_valid_q <= 1'b0;
    end
    if (s_rst) begin
      wait_b_q  <= 1'b0;
      wait_r_q  <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end
  end

  assign s_axil_awready = go_write;
  assign s_axil_wready  = go_write;
  assign s_axil_bvalid  = b_valid_q;
  assign s_axil_bresp   = answer[33:32];
  assign s_axil_arready = go_read;
  assign s_axil_rvalid  = r_valid_q;
  assign s_axil_rresp   = answer[33:32];
  assign s_axil_rdata   = answer[31:0];

  // ---------------------------------------------------------------- the crossings

  logic             ready;
  logic             reply_q;
  logic [ANS_W-1:0] reply_data_q;

  settings_cross #(
    .WIDTH (REQ_W)
  ) u_request (
    .src_clk  (s_clk),
    .s_valid  (send_q),
    .s_ready  (taken),
    .s_data   ({turn_q, write_q, addr_q, strb_q, data_q}),
    .clk      (m_clk),
    .cfg_data (request)
  );

  settings_cross #(
    .WIDTH (ANS_W)
  ) u_answer (
    .src_clk  (m_clk),
    .s_valid  (reply_q),
    .s_ready  (ready),
    .s_data   (reply_data_q),
    .clk      (s_clk),
    .cfg_data (answer)
  );

  // ---------------------------------------------------------------- m_clk: the unit
  //
  // served_q is the turn that was last begun.

  logic        served_q;
  logic        aw_valid_q;
  logic        w_valid_q;
  logic        ar_valid_q;
  logic        busy_q;
  logic        fresh;
  logic        ends;

  assign fresh = request[REQ_W-1] != served_q && !busy_q && !reply_q;
  assign ends  = m_axil_bvalid || m_axil_rvalid || m_rst;

  initial begin
    served_q = 1'b0;
    busy_q   = 1'b0;
    reply_q  = 1'b0;
  end

  always @(posedge m_clk) begin  // not always_ff: initial writes registers too
    if (fresh) begin
      served_q   <= request[REQ_W-1];
      busy_q     <= 1'b1;
      aw_valid_q <= request[REQ_W-2];
      w_valid_q  <= request[REQ_W-2];
      ar_valid_q <= !request[REQ_W-2];
    end
    if (aw_valid_q && m_axil_awready) begin
      aw_valid_q <= 1'b0;
    end
    if (w_valid_q && m_axil_wready) begin
      w_valid_q <= 1'b0;
    end
    if (ar_valid_q && m_axil_arready) begin
      ar_valid_q <= 1'b0;
    end
    if (busy_q && ends) begin
      busy_q       <= 1'b0;
      reply_q      <= 1'b1;
      reply_data_q <= {served_q, 2'b10, 32'd0};
      if (!m_rst && m_axil_bvalid) begin
        reply_data_q <= {served_q, m_axil_bresp, 32'd0};
      end
      if (!m_rst && m_axil_rvalid) begin
        reply_data_q <= {served_q, m_axil_rresp, m_axil_rdata};
      end
    end
    if (reply_q && ready) begin
      reply_q <= 1'b0;
    end
    if (m_rst) begin
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
      ar_valid_q <= 1'b0;
    end
  end

  assign m_axil_awaddr  = request[36 +: ADDR_W];
  assign m_axil_awvalid = aw_valid_q;
  assign m_axil_wdata   = request[31:0];
  assign m_axil_wstrb   = request[35:32];
  assign m_axil_wvalid  = w_valid_q;
  assign m_axil_bready  = busy_q;
  assign m_axil_araddr  = request[36 +: ADDR_W];
  assign m_axil_arvalid = ar_valid_q;
  assign m_axil_rready  = busy_q;

endmodule

`resetall
