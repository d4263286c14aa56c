// SPDX-License-Identifier: Apache-2.0
//
// One AXI4-Lite port to several, each with 2^PORT_W bytes of its own, one after another.
//
// One write and one read at a time. Behind the last port a write is lost and a read gives 0; both are
// answered with OKAY, as an error would reach the host as a fault of the bus.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_wrap_axil_split #(
  parameter int unsigned PORTS  = 2,
  parameter int unsigned ADDR_W = 24,  // above PORT_W
  parameter int unsigned PORT_W = 16
) (
  input  wire logic                clk,
  input  wire logic                rst,

  // From the host
  input  wire logic [ADDR_W-1:0]   s_axil_awaddr,
  input  wire logic                s_axil_awvalid,
  output      logic                s_axil_awready,
  input  wire logic [31:0]         s_axil_wdata,
  input  wire logic [3:0]          s_axil_wstrb,
  input  wire logic                s_axil_wvalid,
  output      logic                s_axil_wready,
  output      logic [1:0]          s_axil_bresp,
  output      logic                s_axil_bvalid,
  input  wire logic                s_axil_bready,
  input  wire logic [ADDR_W-1:0]   s_axil_araddr,
  input  wire logic                s_axil_arvalid,
  output      logic                s_axil_arready,
  output      logic [31:0]         s_axil_rdata,
  output      logic [1:0]          s_axil_rresp,
  output      logic                s_axil_rvalid,
  input  wire logic                s_axil_rready,

  // To the ports: address and data are the same for all
  output      logic [PORT_W-1:0]   m_axil_awaddr,
  output      logic [PORTS-1:0]    m_axil_awvalid,
  input  wire logic [PORTS-1:0]    m_axil_awready,
  output      logic [31:0]         m_axil_wdata,
  output      logic [3:0]          m_axil_wstrb,
  output      logic [PORTS-1:0]    m_axil_wvalid,
  input  wire logic [PORTS-1:0]    m_axil_wready,
  input  wire logic [PORTS*2-1:0]  m_axil_bresp,
  input  wire logic [PORTS-1:0]    m_axil_bvalid,
  output      logic [PORTS-1:0]    m_axil_bready,
  output      logic [PORT_W-1:0]   m_axil_araddr,
  output      logic [PORTS-1:0]    m_axil_arvalid,
  input  wire logic [PORTS-1:0]    m_axil_arready,
  input  wire logic [PORTS*32-1:0] m_axil_rdata,
  input  wire logic [PORTS*2-1:0]  m_axil_rresp,
  input  wire logic [PORTS-1:0]    m_axil_rvalid,
  output      logic [PORTS-1:0]    m_axil_rready
);

  localparam int unsigned INDEX_W = ADDR_W - PORT_W;

  if (ADDR_W <= PORT_W) begin : g_check_addr
    $error("ADDR_W must be above PORT_W");
  end
  if (PORTS < 1 || $clog2(PORTS) > INDEX_W) begin : g_check_ports
    $error("PORTS must be at least 1, and fit into ADDR_W - PORT_W bits");
  end

  // ---------------------------------------------------------------- answers
  //
  // At most one port answers.

  logic [1:0]  b_resp;
  logic [1:0]  r_resp;
  logic [31:0] r_data;

  always_comb begin
    b_resp = '0;
    r_resp = '0;
    r_data = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (m_axil_bvalid[i]) begin
        b_resp = b_resp | m_axil_bresp[2*i +: 2];
      end
      if (m_axil_rvalid[i]) begin
        r_resp = r_resp | m_axil_rresp[2*i +: 2];
        r_data = r_data | m_axil_rdata[32*i +: 32];
      end
    end
  end

  // ---------------------------------------------------------------- writes
  //
  // Address and data wait for each other, and both for the answer.

  logic              aw_ready_q;
  logic              w_ready_q;
  logic              w_busy_q;   // the port was asked
  logic              b_valid_q;
  logic [1:0]        b_resp_q;
  logic [ADDR_W-1:0] aw_addr_q;
  logic [31:0]       w_data_q;
  logic [3:0]        w_strb_q;
  logic [PORTS-1:0]  aw_valid_q;
  logic [PORTS-1:0]  w_valid_q;
  logic [PORTS-1:0]  w_select;   // none: behind the last port

  for (genvar g = 0; g < PORTS; g++) begin : g_write
    assign w_select[g] = aw_addr_q[ADDR_W-1:PORT_W] == INDEX_W'(g);
  end

  always_ff @(posedge clk) begin
    aw_valid_q <= aw_valid_q & ~m_axil_awready;
    w_valid_q  <= w_valid_q & ~m_axil_wready;
    if (s_axil_awvalid && aw_ready_q) begin
      aw_ready_q <= 1'b0;
      aw_addr_q  <= s_axil_awaddr;
    end
    if (s_axil_wvalid && w_ready_q) begin
      w_ready_q <= 1'b0;
      w_data_q  <= s_axil_wdata;
      w_strb_q  <= s_axil_wstrb;
    end
    if (!aw_ready_q && !w_ready_q && !w_busy_q) begin
      w_busy_q   <= 1'b1;
      aw_valid_q <= w_select;
      w_valid_q  <= w_select;
      b_valid_q  <= w_select == '0;
      b_resp_q   <= '0;
    end
    if (m_axil_bvalid != '0) begin
      b_valid_q <= 1'b1;
      b_resp_q  <= b_resp;
    end
    if (b_valid_q && s_axil_bready) begin
      b_valid_q  <= 1'b0;
      w_busy_q   <= 1'b0;
      aw_ready_q <= 1'b1;
      w_ready_q  <= 1'b1;
    end
    if (rst) begin
      aw_ready_q <= 1'b1;
      w_ready_q  <= 1'b1;
      w_busy_q   <= 1'b0;
      b_valid_q  <= 1'b0;
      aw_valid_q <= '0;
      w_valid_q  <= '0;
    end
  end

  assign s_axil_awready = aw_ready_q;
  assign s_axil_wready  = w_ready_q;
  assign s_axil_bvalid  = b_valid_q;
  assign s_axil_bresp   = b_resp_q;
  assign m_axil_awaddr  = aw_addr_q[PORT_W-1:0];
  assign m_axil_awvalid = aw_valid_q;
  assign m_axil_wdata   = w_data_q;
  assign m_axil_wstrb   = w_strb_q;
  assign m_axil_wvalid  = w_valid_q;
  assign m_axil_bready  = '1;

  // ---------------------------------------------------------------- reads

  logic              ar_ready_q;
  logic              r_busy_q;
  logic              r_valid_q;
  logic [1:0]        r_resp_q;
  logic [31:0]       r_data_q;
  logic [ADDR_W-1:0] ar_addr_q;
  logic [PORTS-1:0]  ar_valid_q;
  logic [PORTS-1:0]  r_select;

  for (genvar g = 0; g < PORTS; g++) begin : g_read
    assign r_select[g] = ar_addr_q[ADDR_W-1:PORT_W] == INDEX_W'(g);
  end

  always_ff @(posedge clk) begin
    ar_valid_q <= ar_valid_q & ~m_axil_arready;
    if (s_axil_arvalid && ar_ready_q) begin
      ar_ready_q <= 1'b0;
      ar_addr_q  <= s_axil_araddr;
    end
    if (!ar_ready_q && !r_busy_q) begin
      r_busy_q   <= 1'b1;
      ar_valid_q <= r_select;
      r_valid_q  <= r_select == '0;
      r_resp_q   <= '0;
      r_data_q   <= '0;
    end
    if (m_axil_rvalid != '0) begin
      r_valid_q <= 1'b1;
      r_resp_q  <= r_resp;
      r_data_q  <= r_data;
    end
    if (r_valid_q && s_axil_rready) begin
      r_valid_q  <= 1'b0;
      r_busy_q   <= 1'b0;
      ar_ready_q <= 1'b1;
    end
    if (rst) begin
      ar_ready_q <= 1'b1;
      r_busy_q   <= 1'b0;
      r_valid_q  <= 1'b0;
      ar_valid_q <= '0;
    end
  end

  assign s_axil_arready = ar_ready_q;
  assign s_axil_rvalid  = r_valid_q;
  assign s_axil_rresp   = r_resp_q;
  assign s_axil_rdata   = r_data_q;
  assign m_axil_araddr  = ar_addr_q[PORT_W-1:0];
  assign m_axil_arvalid = ar_valid_q;
  assign m_axil_rready  = '1;

endmodule

`resetall
