  // One word among many: the one that comes when mark is high for the first time, behind as many
  // as are in the queue and in its registers then.
  `AFTER_RESET

  localparam int unsigned FILL_W = $clog2(DEPTH) + 2;

  logic              mark;
  logic              marked, out;
  logic [WIDTH-1:0]  the_word;
  logic [FILL_W-1:0] ahead, fill;
  logic              push, take, inside;
  logic              was_valid;
  logic [WIDTH-1:0]  was_data;

  assign push   = s_valid && s_ready;
  assign take   = m_valid && m_ready;
  assign inside = marked && !out;

  always_ff @(posedge clk) begin
    fill      <= fill + FILL_W'(push) - FILL_W'(take);
    was_valid <= m_valid && !m_ready && !rst;
    was_data  <= m_data;
    if (push && mark && !marked) begin
      marked   <= 1'b1;
      the_word <= s_data;
      ahead    <= fill - FILL_W'(take);
    end
    if (inside && take) begin
      ahead <= ahead - 1'b1;
      out   <= ahead == '0;
    end
    if (rst) begin
      fill   <= '0;
      marked <= 1'b0;
      out    <= 1'b0;
    end
  end

  (* hierconn *) logic [$clog2(DEPTH):0]   \words.wr_q ;
  (* hierconn *) logic [$clog2(DEPTH):0]   \words.rd_q ;
  (* hierconn *) logic [WIDTH*DEPTH-1:0]   \words.words ;
  logic [$clog2(DEPTH):0]   stored;
  logic [$clog2(DEPTH)-1:0] place;
  logic [FILL_W-1:0]        behind;   // where the word stands in the queue

  assign stored = \words.wr_q - \words.rd_q ;
  assign behind = ahead - FILL_W'(m_valid);
  assign place  = $clog2(DEPTH)'( \words.rd_q + behind);

  `LEMMA(fill_counts, fill == FILL_W'(stored) + FILL_W'(m_valid) && 32'(stored) <= DEPTH)
  `LEMMA(out_after_marked, !out || marked)
  `LEMMA(word_there, !inside || (ahead < fill && ((m_valid && ahead == '0) ? m_data == the_word : \words.words [place*WIDTH +: WIDTH] == the_word)))

  `PROPERTY(leaves_in_order, inside && take && ahead == '0, m_data == the_word)
  `PROPERTY(none_lost, inside, ahead < fill)
  `PROPERTY(none_made, take, fill != '0)
  `PROPERTY(missed_if_full, s_valid && !s_ready, 32'(fill) >= DEPTH)
  `PROPERTY(offer_stands, was_valid, m_valid && m_data == was_data)
