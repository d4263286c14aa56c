  // Recoveries at any time.
  `AFTER_RESET

  logic       was, cut_1, cut_2, mid, mid_e;
  logic [2:0] was_word;

  always_ff @(posedge clk) begin
    was      <= m_valid && !m_ready && !rst;
    was_word <= {m_last, m_tag, m_beat};
    cut_1    <= cut && !rst;
    cut_2    <= cut && cut_1 && !rst;
    if (m_valid && m_ready) begin
      mid <= !m_last;
    end
    if (e_valid) begin
      mid_e <= !e_last;
    end
    if (rst) begin
      mid   <= 1'b0;
      mid_e <= 1'b0;
    end
  end

  `LEMMA(mid_is_open, (m_valid || m_open_q == mid) && e_open_q == mid_e)
  `LEMMA(stopped, !cut_1 || !(d_some_q || p_some_q || edit_ok_q || past_ok_q || in_q_q || in_e_q || in_p_q || in_n_q || r1_edit_q))
  `LEMMA(counted, !cut_1 || (p_count == '0 && d_wr_q == d_rd_q))
  `LEMMA(ends_in_editor, !cut_1 || !r2_edit_q || r2_last_q)

  `PROPERTY(stands, was, m_valid && was_word == {m_last, m_tag, m_beat})
  `PROPERTY(ends_bad, cut_1 && m_valid && !was, m_last && m_beat)
  `PROPERTY(wire_ends, cut_1 && !m_valid, !mid)
  `PROPERTY(editor_ends, cut && cut_2 && !e_valid, !mid_e)
  `PROPERTY(none_begins, cut && cut_1, !q_read && !f_read && !n_taken)
