// SPDX-License-Identifier: Apache-2.0
//
// Two ports of the application block with the stand-in inside, as Corundum uses them. On each port a
// sender has up to 32 packets under way, each with a tag of its own; the MAC completes what it sends. Each
// packet must be completed once, by the block or the MAC, and the statistics must tell how many of
// what. Registers of both ports are written and read; the other taps pass; the time follows PTP's.

`timescale 1ps / 1ps

module port #(parameter int G = 0) (
  input  logic         clk, rst,
  output logic [511:0] s_tdata, output logic [63:0] s_tkeep, output logic s_tvalid, input logic s_tready, output logic s_tlast, output logic [16:0] s_tuser,
  input  logic [511:0] m_tdata, input logic m_tvalid, output logic m_tready, input logic m_tlast, input logic [16:0] m_tuser,
  output logic [95:0]  c_ts, output logic [15:0] c_tag, output logic c_valid, input logic c_ready,
  input  logic [95:0]  d_ts, input logic [15:0] d_tag, input logic d_valid, output logic d_ready,
  input  logic [95:0]  tod,
  output int           sent, left, beats, queued, own, busy_count
);
  localparam int FRAMES = 400;

  logic [31:0] dice = 32'h1357_9bdf + 32'(G);
  logic [31:0] busy = 0;        // by the low bits of the tag
  logic [31:0] at_entry = 0;    // the stand-in completes it
  logic        first = 1, in_frame = 0;
  logic [4:0]  tag = 0;
  logic [15:0] fifo [64];       // tags that the MAC has sent
  int          head = 0, tail = 0;
  logic        held = 0;
  logic [111:0] held_data = 0;

  assign busy_count = $countones(busy);
  assign c_tag = fifo[head % 64];
  assign c_ts  = 96'hC0DE_0000 + 96'(fifo[head % 64]);

  function automatic logic [31:0] next(input logic [31:0] x);
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
  endfunction

  always @(posedge clk) begin
    dice <= next(dice);
    if (rst) begin
      s_tvalid <= 0; c_valid <= 0; d_ready <= 0; m_tready <= 0; sent <= 0; left <= 0; beats <= 0; queued <= 0; own <= 0;
    end else begin
      logic [31:0] b, e;
      b = busy;
      e = at_entry;
      // The MAC.
      m_tready <= dice[9:8] != 0;
      if (m_tvalid && m_tready) begin
        beats <= beats + 1;
        if (m_tlast) begin
          left <= left + 1;
          fifo[tail % 64] <= m_tuser[16:1];
          tail <= tail + 1;
          if (m_tuser[16:1] == 0) own <= own + 1;
        end
      end
      if (!c_valid || c_ready) begin
        c_valid <= head + int'(c_valid) < tail && dice[12];
        head    <= head + int'(c_valid);
      end
      // Completions.
      d_ready <= dice[15:13] > 3;
      if (held && (!d_valid || {d_ts, d_tag} !== held_data)) $fatal(1, "port %0d: a completion that waits changes", G);
      held      <= d_valid && !d_ready;
      held_data <= {d_ts, d_tag};
      if (d_valid && d_ready) begin
        if (!d_tag[15] || d_tag[14:5] != 0 || !b[d_tag[4:0]]) $fatal(1, "port %0d: completion of %h, which is not under way", G, d_tag);
        if (!e[d_tag[4:0]] && d_ts != 96'hC0DE_0000 + 96'(d_tag)) $fatal(1, "port %0d: the MAC's time is lost: %h", G, d_ts);
        if (e[d_tag[4:0]] && (d_ts > tod || d_ts + 96'd100 < tod)) $fatal(1, "port %0d: a time of entry is %h, at %h", G, d_ts, tod);
        b[d_tag[4:0]] = 0;
      end
      // The host.
      if (!s_tvalid || s_tready) begin
        if (s_tvalid && s_tlast) sent <= sent + 1;
        s_tvalid <= 0;
        if (in_frame && dice[17]) begin
          s_tvalid <= 1;
          s_tlast  <= dice[18];
          s_tdata  <= {16{dice}};
          in_frame <= !dice[18];
        end else if (!in_frame && sent + int'(s_tvalid && s_tlast) < FRAMES && !b[tag] && dice[16]) begin
          s_tvalid <= 1;
          s_tlast  <= dice[20];
          in_frame <= !dice[20];
          s_tdata  <= {{15{dice}}, dice[31:8], dice[21] ? 8'hEE : 8'h11};
          s_tuser  <= {1'b1, 10'd0, tag, dice[23]};
          s_tkeep  <= '1;
          b[tag]   = 1;
          e[tag]   = dice[21];
          if (dice[21]) queued <= queued + 1;
          tag      <= tag + 1;
        end
      end
      busy     <= b;
      at_entry <= e;
    end
  end
endmodule

module tb;
  localparam int P       = 2;
  localparam int VARIANT = 0;  // this bench runs if +variant= is this

  logic clk = 0, rst = 1;
  int   variant;

  initial begin
    if ($value$plusargs("variant=%d", variant) && variant == VARIANT) forever #2000 clk = !clk;
  end

  logic [P*512-1:0] s_d, m_d, if_d, dir_d;
  logic [P*64-1:0]  s_k;
  logic [P-1:0]     s_v, s_r, s_l, m_v, m_r, m_l, c_v, c_r, d_v, d_r, if_v, dir_v, if_r, dir_r, if_rout, dir_rout;
  logic [P*17-1:0]  s_u, m_u;
  logic [P*96-1:0]  c_ts, d_ts;
  logic [P*16-1:0]  c_t, d_t;
  int sent [P], left [P], beats [P], queued [P], own [P], busy [P];

  logic [23:0] awaddr = 0, araddr = 0;
  logic [31:0] wdata = 0, rdata;
  logic awvalid = 0, awready, wvalid = 0, wready, bvalid, arvalid = 0, arready, rvalid;
  logic [1:0] bresp, rresp;
  logic [23:0] inc;
  logic [11:0] id;
  logic stat_v, stat_r = 0;
  logic [31:0] gpio;
  logic [95:0] tod = 96'd1000, rel = 0;
  logic locked = 0;
  int sums [64];

  for (genvar g = 0; g < P; g++) begin : g_port
    port #(.G(g)) u (
      .clk, .rst, .s_tdata(s_d[g*512 +: 512]), .s_tkeep(s_k[g*64 +: 64]), .s_tvalid(s_v[g]), .s_tready(s_r[g]), .s_tlast(s_l[g]), .s_tuser(s_u[g*17 +: 17]),
      .m_tdata(m_d[g*512 +: 512]), .m_tvalid(m_v[g]), .m_tready(m_r[g]), .m_tlast(m_l[g]), .m_tuser(m_u[g*17 +: 17]),
      .c_ts(c_ts[g*96 +: 96]), .c_tag(c_t[g*16 +: 16]), .c_valid(c_v[g]), .c_ready(c_r[g]),
      .d_ts(d_ts[g*96 +: 96]), .d_tag(d_t[g*16 +: 16]), .d_valid(d_v[g]), .d_ready(d_r[g]), .tod,
      .sent(sent[g]), .left(left[g]), .beats(beats[g]), .queued(queued[g]), .own(own[g]), .busy_count(busy[g])
    );
  end

  mqnic_app_block #(.IF_COUNT(P), .AXIL_APP_CTRL_ADDR_WIDTH(24)) dut (
    .clk, .rst,
    .s_axil_app_ctrl_awaddr(awaddr), .s_axil_app_ctrl_awvalid(awvalid), .s_axil_app_ctrl_awready(awready), .s_axil_app_ctrl_wdata(wdata),
    .s_axil_app_ctrl_wstrb(4'hf), .s_axil_app_ctrl_wvalid(wvalid), .s_axil_app_ctrl_wready(wready), .s_axil_app_ctrl_bresp(bresp),
    .s_axil_app_ctrl_bvalid(bvalid), .s_axil_app_ctrl_bready(1'b1), .s_axil_app_ctrl_araddr(araddr), .s_axil_app_ctrl_arvalid(arvalid),
    .s_axil_app_ctrl_arready(arready), .s_axil_app_ctrl_rdata(rdata), .s_axil_app_ctrl_rresp(rresp), .s_axil_app_ctrl_rvalid(rvalid),
    .s_axil_app_ctrl_rready(1'b1),
    .ptp_sync_locked(locked), .ptp_sync_ts_rel(rel), .ptp_sync_ts_tod(tod),
    .s_axis_sync_tx_tdata(s_d), .s_axis_sync_tx_tkeep(s_k), .s_axis_sync_tx_tvalid(s_v), .s_axis_sync_tx_tready(s_r), .s_axis_sync_tx_tlast(s_l),
    .s_axis_sync_tx_tuser(s_u), .m_axis_sync_tx_tdata(m_d), .m_axis_sync_tx_tvalid(m_v), .m_axis_sync_tx_tready(m_r), .m_axis_sync_tx_tlast(m_l),
    .m_axis_sync_tx_tuser(m_u), .s_axis_sync_tx_cpl_ts(c_ts), .s_axis_sync_tx_cpl_tag(c_t), .s_axis_sync_tx_cpl_valid(c_v),
    .s_axis_sync_tx_cpl_ready(c_r), .m_axis_sync_tx_cpl_ts(d_ts), .m_axis_sync_tx_cpl_tag(d_t), .m_axis_sync_tx_cpl_valid(d_v),
    .m_axis_sync_tx_cpl_ready(d_r),
    .s_axis_if_rx_tdata(s_d), .s_axis_if_rx_tvalid(s_v), .s_axis_if_rx_tready(if_rout), .m_axis_if_rx_tdata(if_d), .m_axis_if_rx_tvalid(if_v),
    .m_axis_if_rx_tready(if_r), .s_axis_direct_tx_tdata(s_d), .s_axis_direct_tx_tvalid(s_v), .s_axis_direct_tx_tready(dir_rout),
    .m_axis_direct_tx_tdata(dir_d), .m_axis_direct_tx_tvalid(dir_v), .m_axis_direct_tx_tready(dir_r),
    .m_axis_stat_tdata(inc), .m_axis_stat_tid(id), .m_axis_stat_tvalid(stat_v), .m_axis_stat_tready(stat_r),
    .gpio_out(gpio)
  );

  assign if_r  = {s_v[0], s_v[1]};
  assign dir_r = ~if_r;

  always @(posedge clk) begin
    tod    <= tod + 4;
    rel    <= rel + (96'd4 << 16);
    stat_r <= tod[4:2] != 3'd5;
    if (!rst) begin
      if (if_v !== s_v || if_d !== s_d || if_rout !== if_r || dir_v !== s_v || dir_d !== s_d || dir_rout !== dir_r) $fatal(1, "a tap does not pass");
      if (stat_v && stat_r) begin
        if (id < 1024 || id >= 1024 + 64) $fatal(1, "counter %0d", id);
        if (inc == 0) $fatal(1, "counter %0d moves by nothing", id);
        sums[id - 1024] <= sums[id - 1024] + int'(inc);
      end
    end
  end

  // Writes with the data early, late or at the same time; returns the answer.
  task automatic write(input logic [23:0] a, input logic [31:0] d, input int late);
    awaddr = a;
    wdata  = d;
    wvalid = late <= 0;
    awvalid = late >= 0;
    fork
      begin
        if (late < 0) begin repeat (-late) @(posedge clk); #1 awvalid = 1; end
        do @(posedge clk); while (!awready);
        #1 awvalid = 0;
      end
      begin
        if (late > 0) begin repeat (late) @(posedge clk); #1 wvalid = 1; end
        do @(posedge clk); while (!wready);
        #1 wvalid = 0;
      end
    join
    while (!bvalid) @(posedge clk);
    if (bresp != 0) $fatal(1, "a write is answered with %0d", bresp);
    @(posedge clk); #1;
  endtask

  task automatic read(input logic [23:0] a, input logic [31:0] want);
    araddr  = a;
    arvalid = 1;
    do @(posedge clk); while (!arready);
    #1 arvalid = 0;
    while (!rvalid) @(posedge clk);
    if (rdata !== want || rresp != 0) $fatal(1, "read of %h gives %h, want %h", a, rdata, want);
    @(posedge clk); #1;
  endtask

  logic [47:0] past;

  initial begin
    repeat (10) @(posedge clk);
    #1 rst = 0;
    // Time, counted and followed.
    repeat (10) @(posedge clk);
    past = dut.now_ns;
    repeat (25) @(posedge clk);
    if (dut.now_ns - past != 100) $fatal(1, "%0d ns pass in 100", dut.now_ns - past);
    #1 rel = 96'h0_1234_5678_9000_8000;
    locked = 1;
    repeat (5) @(posedge clk);
    if (dut.now_ns < 48'h1234_5678_9000 || dut.now_ns > 48'h1234_5678_9020) $fatal(1, "the time is %h", dut.now_ns);
    past = dut.now_ns;
    #1 rel = rel - (96'd200 << 16);
    repeat (25) begin
      @(posedge clk);
      if (dut.now_ns < past) $fatal(1, "the time goes back");
    end
    repeat (50) @(posedge clk);
    if (dut.now_ns == past) $fatal(1, "the time stands still");
    #1 rel = 96'd5000 << 16;  // started anew
    repeat (5) @(posedge clk);
    if (dut.now_ns > 6000) $fatal(1, "the time is %h", dut.now_ns);
    #1;
    // Registers.
    if (gpio != 0) $fatal(1, "interrupts %b", gpio);
    write(24'h010010, 32'hBBBB_2000, 3);
    repeat (5) @(posedge clk);
    #1;
    if (gpio != 2) $fatal(1, "interrupts %b", gpio);
    write(24'h010010, 32'h6000_0000, 0);  // XOFF twice, XON
    write(24'h010010, 32'h4000_0000, 0);
    write(24'h010010, 32'h6000_0000, 0);
    write(24'h000010, 32'h4000_0000, 0);
    if (gpio != 0) $fatal(1, "interrupts %b", gpio);
    write(24'h000010, 32'hAAAA_1000, 0);
    write(24'h010010, 32'hBBBB_2000, 3);
    if (gpio != 3) $fatal(1, "interrupts %b", gpio);
    read(24'h000124, 32'hAAAA_1124);
    read(24'h01FFF8, 32'hBBBB_2FF8);
    write(24'h020010, 32'hCCCC_3000, -3);
    write(24'hFF0010, 32'hCCCC_3000, 0);
    read(24'h020000, 0);
    read(24'h000020, 32'hAAAA_1020);
    read(24'h010020, 32'hBBBB_2020);
    // Packets.
    while (!(sent[0] == 400 && sent[1] == 400 && busy[0] == 0 && busy[1] == 0)) @(posedge clk);
    repeat (500) @(posedge clk);
    for (int p = 0; p < P; p++) begin
      if (sums[16*p] != sent[p] || sums[16*p + 1] != left[p] || left[p] != sent[p] || sums[16*p + 2] != beats[p]) $fatal(1, "port %0d: frames: %0d %0d %0d", p, sums[16*p], sums[16*p + 1], sums[16*p + 2]);
      for (int i = 3; i < 7; i++) if (sums[16*p + i] != 0) $fatal(1, "port %0d: counter %0d", p, i);
      if (sums[16*p + 7] != queued[p] || sums[16*p + 8] != sent[p] - queued[p] || sums[16*p + 9] != queued[p] || own[p] != queued[p] || sums[16*p + 10] != 0)
        $fatal(1, "port %0d: completions: %0d %0d %0d %0d, %0d queued", p, sums[16*p + 7], sums[16*p + 8], sums[16*p + 9], sums[16*p + 10], queued[p]);
    end
    if (sums[11] != 0 || sums[12] != 1 || sums[16 + 11] != 2 || sums[16 + 12] != 1) $fatal(1, "queues: %0d %0d, %0d %0d", sums[11], sums[12], sums[16 + 11], sums[16 + 12]);
    $display("all is well: %0d and %0d of 400 queued", queued[0], queued[1]);
    $finish;
  end

  initial begin
    wait (clk);
    #200000000;
    $fatal(1, "no end: %0d and %0d sent, %0d and %0d under way", sent[0], sent[1], busy[0], busy[1]);
  end
endmodule
