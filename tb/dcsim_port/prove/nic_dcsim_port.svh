  // What the port does with its queues, whatever is in them, and with any settings that are legal.
  `AFTER_REGISTERED_RESET
  always_comb assume (cfg_token_cost != '0 && cfg_token_gain <= cfg_token_cost);

  logic       was_offered;
  logic       may;     // a frame could go in the cycle before
  logic       taken;   // one was taken in the cycle before
  logic [1:0] was_class;
  logic [1:0] x_illegal;
  logic       ill;

  assign ill = s_frame_valid && (s_frame_class[CLASS_W-1] || s_frame_len == '0 ||
               32'(s_frame_len) > MAX_BYTES);

  always_ff @(posedge clk) begin
    was_offered <= m_frame_valid && !m_frame_ready && !rst_q;
    was_class   <= m_frame_class;
    taken       <= m_frame_valid && m_frame_ready;
    may         <= !rst_q && line_free && !m_frame_valid &&
                   ((small_some[0] && token_ready) || small_some[1] || small_some[2] || data_some);
    x_illegal   <= {x_illegal[0], ill};
  end

  `LEMMA(offered_has_token, !(m_frame_valid && m_frame_class == 2'd0) || token_ready)

  `PROPERTY(lowest_class_first, pick,
    (winner == 2'd0 && small_some[0] && token_ready) ||
    (!(small_some[0] && token_ready) && ((winner == 2'd1 && small_some[1]) ||
    (!small_some[1] && ((winner == 2'd2 && small_some[2]) ||
    (!small_some[2] && winner == 2'd3 && data_some))))))
  `PROPERTY(not_interrupted, was_offered, m_frame_valid && m_frame_class == was_class)
  `PROPERTY(never_idle, may, m_frame_valid)
  `PROPERTY(sim_has_token, m_frame_valid && m_frame_class == 2'd0, token_ready)
  `PROPERTY(every_other_cycle, taken, !m_frame_valid)
  `PROPERTY(illegal_changes_nothing, x_illegal[1], !p1_push && !p1_valid_q)
