  // A queue with a user that writes only if there is room.
  `AFTER_RESET

  always_comb assume (!s_valid || 32'(fill) < 2 ** ADDR_W);

  // One word among many: the word that is pushed when mark is high for the first time. It stands behind
  // as many words as are in the queue then.
  logic               mark;
  logic               marked, out;    // it went in, it came out
  logic [WIDTH-1:0]   word;
  logic [ADDR_W:0]    ahead;          // words that come out before it
  logic [ADDR_W:0]    inside;         // words in the queue, by counting
  logic               pop;

  assign pop = m_valid && m_ready;

  always_ff @(posedge clk) begin
    inside <= inside + (ADDR_W+1)'(s_valid) - (ADDR_W+1)'(pop);
    if (s_valid && mark && !marked) begin
      marked <= 1'b1;
      word   <= s_data;
      ahead  <= inside - (ADDR_W+1)'(pop);
    end
    if (marked && !out && pop) begin
      ahead <= ahead - 1'b1;
      out   <= ahead == '0;
    end
    if (rst) begin
      inside <= '0;
      marked <= 1'b0;
      out    <= 1'b0;
    end
  end

  logic             was_valid;
  logic [WIDTH-1:0] was_data;
  logic             waits;

  always_ff @(posedge clk) begin
    was_valid <= m_valid && !m_ready && !rst;
    was_data  <= m_data;
  end

  assign waits = marked && !out;

  `LEMMA(word_in_memory, !waits || (ahead < inside && mem[ADDR_W'(rd_q + ahead)] == word))
  `LEMMA(out_after_marked, !out || marked)

  `PROPERTY(fill_is_right, 1'b1, fill == inside && 32'(fill) <= 2 ** ADDR_W)
  `PROPERTY(in_order, waits && pop && ahead == '0, m_data == word)
  `PROPERTY(nothing_lost, waits, ahead < inside && m_valid)
  `PROPERTY(offer_stays, was_valid, m_valid && m_data == was_data)
