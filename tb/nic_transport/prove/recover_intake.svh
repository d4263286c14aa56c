  // Recoveries at any time.
  `AFTER_RESET

  localparam int unsigned OFFER_W = 6 + USER_W + HDR_W + FOUND_W + ECHO_W + 1;

  logic               was, cut_1, mid;
  logic [OFFER_W-1:0] offer, was_offer;
  logic [HDR_W+FOUND_W+ECHO_W+1:0] known_of, was_known;

  assign known_of = {m_search, m_hdr, m_found, m_echo_valid, m_echo};
  assign offer    = {m_first, m_last, m_bad, m_short, m_data, m_keep, m_user, known_of[HDR_W+FOUND_W+ECHO_W:0]};

  // A recovery lasts while a beat is offered. Beats come within the room.
  always_comb begin
    assume (!cut_1 || cut || !m_valid);
    assume (!s_valid || 32'(count) < 3);
  end

  always_ff @(posedge clk) begin
    was       <= m_valid && !m_ready && !rst;
    was_offer <= offer;
    was_known <= known_of;
    cut_1     <= cut && !rst;
    if (m_valid && m_ready) begin
      mid <= !m_last;
    end
    if (rst) begin
      mid <= 1'b0;
    end
  end

  `LEMMA(mid_is_inside, m_valid ? inside_q == !m_last : inside_q == mid)
  `LEMMA(empty, !cut_1 || (wr_q == '0 && rd_q == '0))
  `LEMMA(few, 32'(count) <= 3)
  `LEMMA(read_again, !m_valid || cut_1 || again_q == rd_q[1:0] - 2'd1)

  `PROPERTY(stands, was, m_valid && was_offer == offer)
  `PROPERTY(ends_bad, cut_1 && m_valid && !was, m_last && m_bad && !m_first && was_known == known_of)
  `PROPERTY(ends, cut_1 && !m_valid, !mid)
