  // Settings, events and a window of a block. s_wr_data stands in the cycle after s_wr_go, as the
  // front end gives it.
  `AFTER_RESET

  localparam int unsigned SETTINGS = 70;

  logic [SETTINGS-1:0] now, now_was, shadow;
  logic                w_commit, w_events, w_enable, w_command, w_conn, w_port;  // a write, now

  assign now = {cfg_ev_base, cfg_num_pkts_cwnd, cfg_freezing_timeout_ns, cfg_freezing, cfg_mode};

  logic [9:0] w_addr;
  logic       w_go;
  logic       rst_was, commit_was;

  always_ff @(posedge clk) begin
    w_go   <= s_wr_go && !rst;
    w_addr <= s_wr_addr;
  end

  assign w_commit  = w_go && w_addr == 10'h009 && s_wr_data[0];
  assign w_events  = w_go && w_addr == 10'h00a;
  assign w_enable  = w_go && w_addr == 10'h00b;
  assign w_command = w_go && w_addr == 10'h210;
  assign w_conn    = w_go && w_addr == 10'h211;
  assign w_port    = w_go && w_addr == 10'h212;

  // The words of the settings, as they were written.
  always_ff @(posedge clk) begin
    if (w_go) begin
      case (w_addr)
        10'h010: shadow[1:0]   <= s_wr_data[1:0];
        10'h011: shadow[2]     <= s_wr_data[0];
        10'h012: shadow[34:3]  <= s_wr_data;
        10'h013: shadow[37:35] <= s_wr_data[2:0];
        10'h014: shadow[53:38] <= s_wr_data[15:0];
        10'h015: shadow[69:54] <= s_wr_data[15:0];
        default: shadow        <= shadow;
      endcase
    end
    now_was    <= now;
    rst_was    <= rst;
    commit_was <= w_commit;
    if (rst) begin
      shadow     <= {16'd0, 16'd150, 35'd10000000, 1'b1, 2'd0};
      commit_was <= 1'b0;
    end
  end

  `PROPERTY(only_at_the_commit, !commit_was && !rst_was, now == now_was)
  `PROPERTY(all_at_the_commit, commit_was, now == shadow)
  `PROPERTY(reset_values, rst_was, now == shadow)
  `LEMMA(shadow_is_next, shadow == {next_cfg_ev_base_q, next_cfg_num_pkts_cwnd_q, next_cfg_freezing_timeout_ns_q, next_cfg_freezing_q, next_cfg_mode_q})
  `LEMMA(strobes, wr_commit_q == (w_go && w_addr == 10'h009) && wr_events_q == w_events && wr_enable_q == w_enable &&
    wr_s_flush_command_q == w_command && wr_s_flush_conn_q == w_conn && wr_s_flush_port_q == w_port)
  `LEMMA(strobes_of_settings, wr_cfg_mode_q == (w_go && w_addr == 10'h010) && wr_cfg_freezing_q == (w_go && w_addr == 10'h011) &&
    wr_cfg_freezing_timeout_ns_0_q == (w_go && w_addr == 10'h012) && wr_cfg_freezing_timeout_ns_1_q == (w_go && w_addr == 10'h013) &&
    wr_cfg_num_pkts_cwnd_q == (w_go && w_addr == 10'h014) && wr_cfg_ev_base_q == (w_go && w_addr == 10'h015))

  // Events: any one of them is there from its pulse to the write that clears it.
  logic [2:0] pulses, there, enabled;
  logic [2:0] pulsed, cleared;
  logic       raised;

  assign pulses = {evt_illegal, evt_thaw, evt_freeze};

  always_ff @(posedge clk) begin
    pulsed  <= pulses;
    cleared <= w_events ? s_wr_data[2:0] : 3'd0;
    there   <= (there & ~(w_events ? s_wr_data[2:0] : 3'd0)) | pulses;
    enabled <= w_enable ? s_wr_data[2:0] : enabled;
    raised  <= (there & enabled) != 3'd0;
    if (rst) begin
      pulsed  <= 3'd0;
      cleared <= 3'd0;
      there   <= 3'd0;
      enabled <= 3'd0;
      raised  <= 1'b0;
    end
  end

  `PROPERTY(event_beats_its_clear, (pulsed & cleared) != 3'd0, (m_events & pulsed) == pulsed)
  `PROPERTY(events_as_they_came, 1'b1, m_events == there)
  `PROPERTY(interrupt_if_enabled, 1'b1, irq == raised)
  `LEMMA(enable_is_it, m_enable == enabled)

  // The window: a word that is offered stands until it is taken.
  logic        offered_was, begins, lost_was, missed;
  logic [16:0] word, word_was;

  assign word = {s_flush_port, s_flush_conn};

  always_ff @(posedge clk) begin
    offered_was <= s_flush_valid && !s_flush_ready;
    begins     <= w_command && s_wr_data[0] && !s_flush_valid;
    lost_was    <= s_flush_valid && ((w_command && s_wr_data[0]) || w_conn || w_port);
    missed      <= (missed && !(w_command && s_wr_data[1])) || (s_flush_valid && ((w_command && s_wr_data[0]) || w_conn || w_port));
    word_was    <= word;
    if (rst) begin
      offered_was <= 1'b0;
      begins     <= 1'b0;
      lost_was    <= 1'b0;
      missed      <= 1'b0;
    end
  end

  `PROPERTY(offer_stands, offered_was, s_flush_valid && word == word_was)
  `PROPERTY(offered_when_started, begins, s_flush_valid)
  `PROPERTY(offered_only_when_started, s_flush_valid, begins || offered_was)
  `PROPERTY(loss_is_told, lost_was, m_s_flush_missed)
  `PROPERTY(missed_as_it_was, 1'b1, m_s_flush_missed == missed)
