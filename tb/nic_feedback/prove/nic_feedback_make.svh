  // What leaves, for any list, template, back-pressure and reset. A list that is offered stands.
  `AFTER_RESET

  logic        waits, held, was_last, second, open, taking;
  logic [63:0] was_keep;
  logic [511:0] was_data;

  always_comb assume (!waits || s_valid);

  always_ff @(posedge clk) begin
    waits    <= s_valid && !s_ready && !rst;
    held     <= m_valid && !m_ready && !rst;
    was_last <= m_last;
    was_keep <= m_keep;
    was_data <= m_data;
    second   <= (second ^ (m_valid && m_ready)) && !rst;
    taking   <= (start || (taking && !s_ready)) && !rst;
    open     <= (start || (open && !over)) && !rst;
  end

  `PROPERTY(beat_stands, held, m_valid && m_last == was_last && m_keep == was_keep && m_data == was_data)
  `PROPERTY(bytes_from_the_first, m_valid, m_keep[0] && (m_keep & (m_keep + 64'd1)) == '0)
  `PROPERTY(one_place, 1'b1, (token_q & (token_q - 17'd1)) == '0 && !(m_valid && token_q != '0))
  `PROPERTY(taken_once, s_ready, taking && s_valid)
  `PROPERTY(one_packet_at_a_time, start, !open && !m_valid)
  `PROPERTY(packet_of_a_list, m_valid, open)
