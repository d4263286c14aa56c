// SPDX-License-Identifier: Apache-2.0
//
// Two ports of OpenNIC's user logic with the stand-in inside. Registers are in axil_aclk; each CMAC port
// has a clock of its own, and both drift. Registers of both ports are written and read; the reset comes in
// the middle of accesses, after which others are answered as ever; frames pass with their errors, and the
// time of each port is that of its clock.

`timescale 1ps / 1ps

module tb;
  localparam int P       = 2;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  logic axil_aclk = 0, mod_rstn = 1, mod_rst_done;
  logic cmac_clk0 = 0, cmac_clk1 = 0;
  wire logic [P-1:0] cmac_clk = {cmac_clk1, cmac_clk0};
  int variant, half0 = 1551, half1 = 1560;
  logic [31:0] dice = 32'h2468_ACE1, wander = 32'h1111_2222;

  logic [31:0] awaddr = 0, araddr = 0, wdata = 0, rdata;
  logic awvalid = 0, awready, wvalid = 0, wready, bvalid, bready = 1, arvalid = 0, arready, rvalid, rready = 1;
  logic [1:0] bresp, rresp;
  logic [P-1:0] tx_v = 0, tx_l = 0, tx_e = 0, tx_r, txo_v, txo_l, txo_e, txo_r = 0, rx_v = 0, rx_l = 0, rx_e = 0, rxo_v, rxo_l, rxo_e;
  logic [P*512-1:0] tx_d = 0, txo_d, rx_d = 0, rxo_d;
  logic [P*64-1:0] tx_k = 0, txo_k, rx_k = 0, rxo_k;

  nic_transport_322mhz #(.NUM_CMAC_PORT(P)) dut (
    .s_axil_awvalid(awvalid), .s_axil_awaddr(awaddr), .s_axil_awready(awready), .s_axil_wvalid(wvalid), .s_axil_wdata(wdata),
    .s_axil_wready(wready), .s_axil_bvalid(bvalid), .s_axil_bresp(bresp), .s_axil_bready(bready), .s_axil_arvalid(arvalid),
    .s_axil_araddr(araddr), .s_axil_arready(arready), .s_axil_rvalid(rvalid), .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rready(rready),
    .s_axis_adap_tx_322mhz_tvalid(tx_v), .s_axis_adap_tx_322mhz_tdata(tx_d), .s_axis_adap_tx_322mhz_tkeep(tx_k), .s_axis_adap_tx_322mhz_tlast(tx_l),
    .s_axis_adap_tx_322mhz_tuser_err(tx_e), .s_axis_adap_tx_322mhz_tready(tx_r),
    .m_axis_adap_rx_322mhz_tvalid(rxo_v), .m_axis_adap_rx_322mhz_tdata(rxo_d), .m_axis_adap_rx_322mhz_tkeep(rxo_k), .m_axis_adap_rx_322mhz_tlast(rxo_l),
    .m_axis_adap_rx_322mhz_tuser_err(rxo_e),
    .m_axis_cmac_tx_tvalid(txo_v), .m_axis_cmac_tx_tdata(txo_d), .m_axis_cmac_tx_tkeep(txo_k), .m_axis_cmac_tx_tlast(txo_l),
    .m_axis_cmac_tx_tuser_err(txo_e), .m_axis_cmac_tx_tready(txo_r),
    .s_axis_cmac_rx_tvalid(rx_v), .s_axis_cmac_rx_tdata(rx_d), .s_axis_cmac_rx_tkeep(rx_k), .s_axis_cmac_rx_tlast(rx_l), .s_axis_cmac_rx_tuser_err(rx_e),
    .mod_rstn, .mod_rst_done, .axil_aclk, .cmac_clk
  );

  function automatic logic [31:0] next(input logic [31:0] x);
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
  endfunction

  initial begin
    if ($value$plusargs("variant=%d", variant) && variant == VARIANT)
      fork
        forever #4000 axil_aclk = !axil_aclk;
        forever begin
          #(half0) cmac_clk0 = !cmac_clk0;
        end
        forever begin
          #(half1) cmac_clk1 = !cmac_clk1;
          wander = next(wander);
          half1 += $signed(int'(wander[9:8])) - (half1 > 1560 ? 2 : 1);
        end
      join
  end

  // Frames pass in the cycle in which they come.
  for (genvar g = 0; g < P; g++) begin : g_frames
    logic [31:0] own = 32'h0BAD_CAFE + 32'(g);

    always @(posedge cmac_clk[g]) begin
      if (txo_v[g] !== tx_v[g] || txo_d[g*512 +: 512] !== tx_d[g*512 +: 512] || txo_l[g] !== tx_l[g] || txo_e[g] !== tx_e[g] || tx_r[g] !== txo_r[g] ||
          txo_k[g*64 +: 64] !== tx_k[g*64 +: 64]) $fatal(1, "port %0d: a frame to the CMAC", g);
      if (rxo_v[g] !== rx_v[g] || rxo_d[g*512 +: 512] !== rx_d[g*512 +: 512] || rxo_l[g] !== rx_l[g] || rxo_e[g] !== rx_e[g] ||
          rxo_k[g*64 +: 64] !== rx_k[g*64 +: 64]) $fatal(1, "port %0d: a frame from the CMAC", g);
      own <= next(own);
      {tx_v[g], tx_l[g], tx_e[g], txo_r[g], rx_v[g], rx_l[g], rx_e[g]} <= own[6:0];
      tx_d[g*512 +: 512] <= {16{own}};
      rx_d[g*512 +: 512] <= {16{~own}};
      tx_k[g*64 +: 64]   <= {2{own}};
      rx_k[g*64 +: 64]   <= {2{~own}};
    end
  end

  task automatic write(input logic [31:0] a, input logic [31:0] d);
    awaddr = a;
    wdata  = d;
    awvalid = 1;
    wvalid = 1;
    fork
      begin
        do @(posedge axil_aclk); while (!awready);
        #1 awvalid = 0;
      end
      begin
        do @(posedge axil_aclk); while (!wready);
        #1 wvalid = 0;
      end
    join
    while (!bvalid) @(posedge axil_aclk);
    if (bresp != 0) $fatal(1, "a write is answered with %0d", bresp);
    @(posedge axil_aclk); #1;
  endtask

  task automatic read(input logic [31:0] a, input logic [31:0] want);
    araddr  = a;
    arvalid = 1;
    do @(posedge axil_aclk); while (!arready);
    #1 arvalid = 0;
    while (!rvalid) @(posedge axil_aclk);
    if (rdata !== want || rresp != 0) $fatal(1, "read of %h gives %h, want %h", a, rdata, want);
    @(posedge axil_aclk); #1;
  endtask

  task automatic done;
    @(posedge axil_aclk); #1;
    @(posedge axil_aclk); #1;
    if (mod_rst_done) $fatal(1, "the reset is done before it began");
    while (!mod_rst_done) @(posedge axil_aclk);
    repeat (4) @(posedge axil_aclk);
    #1;
  endtask

  logic [31:0] word [P];
  logic [47:0] since;

  initial begin
    wait (axil_aclk);
    done();
    for (int i = 0; i < 200; i++) begin
      int p;
      dice = next(dice);
      p = int'(dice[4]);
      word[p] = {dice[31:12], 12'd0};
      write({11'd0, 5'(p), 16'h0040}, word[p]);
      for (int q = 0; q < P; q++) if (i > 20) read({11'd0, 5'(q), 4'd0, dice[23:12]}, {word[q][31:12], dice[23:12]});
    end
    read(32'h0F_0000, 0);
    for (int i = 0; i < 60; i++) begin
      // An access, and the reset at some time of it.
      dice = next(dice);
      araddr = {11'd0, 4'd0, dice[0], 16'h0100};
      awaddr = araddr;
      arvalid = dice[1];
      awvalid = !dice[1];
      wvalid = !dice[1];
      wdata  = dice;
      repeat (i / 2) begin
        @(posedge axil_aclk);
        if (arready) #1 arvalid = 0;
        if (awready) #1 awvalid = 0;
        if (wready) #1 wvalid = 0;
      end
      #1 mod_rstn = 0;
      @(posedge axil_aclk);
      #1 {arvalid, awvalid, wvalid} = 0;
      repeat (3) @(posedge axil_aclk);
      #1 mod_rstn = 1;
      done();
      for (int q = 0; q < P; q++) read({11'd0, 5'(q), 16'h0234}, 32'h0000_0234);
      write({11'd0, 5'(dice[5]), 16'h0000}, 32'h7654_3000);
      read({11'd0, 5'(dice[5]), 16'h0001}, 32'h7654_3001);
    end
    @(posedge cmac_clk0); #1;
    since = dut.g_port[0].now_ns;
    repeat (1650) @(posedge cmac_clk0);
    #1;
    if (int'(dut.g_port[0].now_ns - since) < 5119 || int'(dut.g_port[0].now_ns - since) > 5121) $fatal(1, "%0d ns in 5120", dut.g_port[0].now_ns - since);
    $display("all is well");
    $finish;
  end

  initial begin
    wait (axil_aclk);
    #2000000000;
    $fatal(1, "no end");
  end
endmodule
