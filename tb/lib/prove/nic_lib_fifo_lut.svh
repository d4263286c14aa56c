  `AFTER_RESET

  // One word among many: the word that is pushed when mark is high for the first time. It
  // stands behind as many words as are in the queue then.
  logic               mark;
  logic               marked, out;    // it went in, it came out
  logic [WIDTH-1:0]   word;
  logic [ADDR_W:0]    ahead;          // words that come out before it
  logic [ADDR_W:0]    fill;           // words in the queue, by counting
  logic               push, pop;

  assign push = s_valid && s_ready;
  assign pop  = m_valid && m_ready;

  always_ff @(posedge clk) begin
    fill <= fill + (ADDR_W+1)'(push) - (ADDR_W+1)'(pop);
    if (push && mark && !marked) begin
      marked <= 1'b1;
      word   <= s_data;
      ahead  <= fill - (ADDR_W+1)'(pop);
    end
    if (marked && !out && pop) begin
      ahead <= ahead - 1'b1;
      out   <= ahead == '0;
    end
    if (rst) begin
      fill   <= '0;
      marked <= 1'b0;
      out    <= 1'b0;
    end
  end

  logic             was_valid, was_ready;
  logic [WIDTH-1:0] was_data;

  always_ff @(posedge clk) begin
    was_valid <= m_valid && !m_ready && !rst;
    was_data  <= m_data;
    was_ready <= s_ready && !push && !rst;
  end

  logic inside;

  assign inside = marked && !out;

  `LEMMA(fill_is_difference, fill == (ADDR_W+1)'(wr_q - rd_q) && 32'(fill) <= DEPTH)
  `LEMMA(word_in_memory, !inside || (ahead < fill && mem[ADDR_W'(rd_q + ahead)] == word))
  `LEMMA(out_after_marked, !out || marked)

  `PROPERTY(never_too_full, push, 32'(fill) < DEPTH)
  `PROPERTY(full_only_when_full, !s_ready, 32'(fill) == DEPTH)
  `PROPERTY(empty_only_when_empty, !m_valid, fill == '0)
  `PROPERTY(in_order, inside && pop && ahead == '0, m_data == word)
  `PROPERTY(nothing_lost, inside, ahead < fill && m_valid)
  `PROPERTY(valid_stays, was_valid, m_valid)
  `PROPERTY(data_stays, was_valid, m_data == was_data)
  `PROPERTY(ready_stays, was_ready, s_ready)

