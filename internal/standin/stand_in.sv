// SPDX-License-Identifier: Apache-2.0
//
// Stands in for nic_transport in tests of what is around it: frames pass in both directions, a beat
// a cycle. A frame to the wire whose first byte is 0xEE counts as one that enters a queue: it is
// completed when it has ended, and leaves with tag 0. A register is a word, whatever its address; it
// holds what was written, and a read gives it with the low bits of the address in its own. Its bit 31
// is the interrupt; a write with bit 30 tells of a queue, off with bit 29.

`resetall
`timescale 1ns / 1ps
`default_nettype none

// HEADER
  logic [31:0] word_q;
  logic        inside_q;
  logic        queued_q;
  logic        queued;
  logic        unused;

  assign queued = inside_q ? queued_q : s_axis_tx_tdata[7:0] == 8'hEE;

  assign m_axis_tx_tdata  = s_axis_tx_tdata;
  assign m_axis_tx_tkeep  = s_axis_tx_tkeep;
  assign m_axis_tx_tvalid = s_axis_tx_tvalid;
  assign m_axis_tx_tlast  = s_axis_tx_tlast;
  assign m_axis_tx_tuser  = queued ? $bits(m_axis_tx_tuser)'(s_axis_tx_tuser[0]) : s_axis_tx_tuser;
  assign s_axis_tx_tready = m_axis_tx_tready;

  assign m_axis_rx_tdata  = s_axis_rx_tdata;
  assign m_axis_rx_tkeep  = s_axis_rx_tkeep;
  assign m_axis_rx_tvalid = s_axis_rx_tvalid;
  assign m_axis_rx_tlast  = s_axis_rx_tlast;
  assign m_axis_rx_tuser  = s_axis_rx_tuser;
  assign s_axis_rx_tready = m_axis_rx_tready;
  assign s_axil_awready = s_axil_awvalid && s_axil_wvalid && !s_axil_bvalid;
  assign s_axil_wready  = s_axil_awready;
  assign s_axil_bresp   = 2'b00;
  assign s_axil_arready = !s_axil_rvalid;
  assign s_axil_rresp   = 2'b00;
  assign irq            = word_q[31];
  assign m_flow_conn    = '0;
  assign unused         = &{1'b0, s_axil_wstrb, s_axil_awaddr, s_axil_araddr, now_ns,
                             s_mac_tx_drop_cnt, s_mac_rx_drop_cnt,
                             word_q[11:0]};
  // QUIET

  always_ff @(posedge clk) begin
    m_cpl_valid <= 1'b0;
    m_cpl_tag   <= s_axis_tx_tuser[$bits(s_axis_tx_tuser)-1:1];
    if (s_axis_tx_tvalid && s_axis_tx_tready) begin
      inside_q    <= !s_axis_tx_tlast;
      queued_q    <= queued;
      m_cpl_valid <= s_axis_tx_tlast && queued;
    end
    if (s_axil_awready) begin
      word_q        <= s_axil_wdata;
      s_axil_bvalid <= 1'b1;
    end
    if (m_flow_ready) begin
      m_flow_valid <= 1'b0;
    end
    if (s_axil_awready && s_axil_wdata[30]) begin
      m_flow_valid <= 1'b1;
      m_flow_off   <= s_axil_wdata[29];
    end
    if (s_axil_bvalid && s_axil_bready) begin
      s_axil_bvalid <= 1'b0;
    end
    if (s_axil_arvalid && s_axil_arready) begin
      s_axil_rdata  <= {word_q[31:12], s_axil_araddr[11:0]};
      s_axil_rvalid <= 1'b1;
    end
    if (s_axil_rvalid && s_axil_rready) begin
      s_axil_rvalid <= 1'b0;
    end
    if (rst) begin
      m_cpl_valid   <= 1'b0;
      m_flow_valid  <= 1'b0;
      inside_q      <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
      word_q        <= '0;
    end
  end

endmodule

`resetall
