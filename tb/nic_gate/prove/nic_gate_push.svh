  // Connections on their way to the pacer, with any events that its user may give: an open one only
  // while there was room two cycles before, a first one only if not all are on their way.
  `AFTER_RESET

  localparam int unsigned N_W = IDX_W + 6;

  logic [N_W-1:0] inside;        // came, and not yet taken
  logic [N_W-1:0] firsts_inside; // of them, those with a first packet
  logic [1:0]     rooms;         // of the two cycles before

  always_comb assume (!s_open || rooms[1]);
  always_comb assume (!s_first || 32'(firsts_inside) < ROWS);

  logic           was_open;      // the one at the output was found open
  logic [IDX_W:0] waits;         // in the queue of first ones

  assign waits = wr_q - rd_q;

  logic               was_valid;
  logic [IDX_W-1:0]   was_idx;

  always_ff @(posedge clk) begin
    rooms         <= {rooms[0], room};
    inside        <= inside + N_W'(s_first) + N_W'(s_open) - N_W'(m_valid && m_ready);
    firsts_inside <= firsts_inside + N_W'(s_first) - N_W'(m_valid && m_ready && !was_open);
    was_valid     <= m_valid && !m_ready && !rst;
    was_idx       <= m_idx;
    if (free) begin
      was_open <= open_ready;
    end
    if (rst) begin
      rooms         <= '0;
      inside        <= '0;
      firsts_inside <= '0;
      was_open      <= 1'b0;
    end
  end

  `LEMMA(opens_counted, open_fill <= 5'd16)
  `LEMMA(firsts_counted, firsts_inside == N_W'(waits) + N_W'(m_valid && !was_open))
  `LEMMA(last_is_open, was_open == last_q)
  `LEMMA(shown_if_some, !shown_q || waits != '0)
  `LEMMA(room_follows, !room || open_fill <= 5'd11)
  `LEMMA(room_follows_1, !rooms[0] || open_fill <= 5'd12)
  `LEMMA(room_follows_2, !rooms[1] || open_fill <= 5'd13)

  `PROPERTY(none_lost, 1'b1, inside == N_W'(waits) + N_W'(open_fill) + N_W'(m_valid))
  `PROPERTY(open_has_a_place, s_open, open_fill < 5'd16)
  `PROPERTY(first_has_a_place, s_first && !straight, 32'(waits) < ROWS)
  `PROPERTY(offer_stays, was_valid, m_valid && m_idx == was_idx)
  `PROPERTY(in_turns, m_valid && m_ready && shown_q && open_valid && was_open, first_ready)
