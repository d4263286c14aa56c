// SPDX-License-Identifier: Apache-2.0
//
// Plain streams with the stand-in inside, each direction of the MAC in a clock of its own. The host takes
// nothing for a while, so that frames from the wire find no room, back to back; one to the wire is too
// long. The block sees how many were dropped, also after a reset of the MAC's side alone, and 0 after its
// own.

`timescale 1ps / 1ps

module tb;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  logic clk = 0, tx_clk = 0, rx_clk = 0, rst = 1, tx_rst = 1, rx_rst = 1;
  logic htx_v = 0, htx_l = 0, htx_r, wtx_v, wrx_v = 0, wrx_l = 0, hrx_v, hrx_r = 0, tx_drop, rx_drop;
  logic [511:0] data = 0;
  int variant, tx_drops = 0, rx_drops = 0;

  nic_transport_axis #(.MAC_CLOCK(1), .TX_DEPTH(16), .RX_DEPTH(16)) dut (
    .clk, .rst, .tx_clk, .tx_rst, .rx_clk, .rx_rst, .s_time_locked(1'b0), .s_time_ns('0),
    .s_axis_tx_tdata(data), .s_axis_tx_tkeep('1), .s_axis_tx_tvalid(htx_v), .s_axis_tx_tready(htx_r), .s_axis_tx_tlast(htx_l), .s_axis_tx_tuser('0),
    .m_axis_tx_tvalid(wtx_v), .m_axis_tx_tready(1'b1),
    .s_axis_rx_tdata(data), .s_axis_rx_tkeep('1), .s_axis_rx_tvalid(wrx_v), .s_axis_rx_tlast(wrx_l), .s_axis_rx_tuser('0),
    .m_axis_rx_tvalid(hrx_v), .m_axis_rx_tready(hrx_r), .m_flow_ready(1'b1),
    .s_axil_awaddr('0), .s_axil_awvalid(1'b0), .s_axil_wdata('0), .s_axil_wstrb('0), .s_axil_wvalid(1'b0), .s_axil_bready(1'b1),
    .s_axil_araddr('0), .s_axil_arvalid(1'b0), .s_axil_rready(1'b1), .evt_tx_drop(tx_drop), .evt_rx_drop(rx_drop)
  );

  always @(posedge clk) tx_drops += 32'(tx_drop);
  always @(posedge rx_clk) rx_drops += 32'(rx_drop);

  // same compares with what was dropped, or after a reset of the block with 0.
  task same(input bit cleared, input string when);
    repeat (40) @(posedge clk);
    #1;
    if (dut.u_transport.s_mac_tx_drop_cnt != (cleared ? 8'd0 : 8'(tx_drops)) || dut.u_transport.s_mac_rx_drop_cnt != (cleared ? 8'd0 : 8'(rx_drops)))
      $fatal(1, "%s: the block sees %0d and %0d drops, of %0d and %0d", when, dut.u_transport.s_mac_tx_drop_cnt, dut.u_transport.s_mac_rx_drop_cnt, tx_drops, rx_drops);
  endtask

  initial begin
    if ($value$plusargs("variant=%d", variant) && variant == VARIANT)
      fork
        forever #2000 clk = !clk;
        forever #1551 tx_clk = !tx_clk;
        forever #1560 rx_clk = !rx_clk;
      join
  end

  initial begin
    wait (clk);
    repeat (20) @(posedge clk);
    #1 {rst, tx_rst, rx_rst} = 0;
    repeat (20) @(posedge clk);
    same(1, "after the reset");

    // Frames of a beat: of 300, all but those that fit find no room, which is more than the count's range.
    @(posedge rx_clk);
    #1 {wrx_v, wrx_l} = 2'b11;
    repeat (300) @(posedge rx_clk);
    #1 {wrx_v, wrx_l} = 2'b00;
    if (rx_drops < 257) $fatal(1, "only %0d frames find no room", rx_drops);
    same(0, "no room");

    // A frame of 40 beats, and one that fits.
    for (int i = 0; i < 41; i++) begin
      @(posedge clk);
      #1 htx_v = 1;
      htx_l = i >= 39;
      while (!htx_r) @(posedge clk);
    end
    @(posedge clk);
    #1 htx_v = 0;
    if (tx_drops != 1) $fatal(1, "%0d frames are too long", tx_drops);
    same(0, "too long");

    rx_rst = 1;
    repeat (20) @(posedge clk);
    #1 rx_rst = 0;
    same(0, "after a reset of the MAC's side");
    rst = 1;
    repeat (20) @(posedge clk);
    #1 rst = 0;
    same(1, "after the block's reset");
    $display("all is well");
    $finish;
  end

  initial begin
    wait (clk);
    #200000000;
    $fatal(1, "no end");
  end
endmodule
