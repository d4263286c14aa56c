  // The list of one connection, any one, as the lane's stage p2 has its operations: packets, takes,
  // and flushes. Lists have two entries.
  `AFTER_RESET
  `ANY(IDX_W, conn)
  always_comb assume (32'(conn) < ROWS);

  // The lane's takes: in p2 three cycles after they begin.
  logic [2:0] takes;

  always_ff @(posedge clk) begin
    takes <= {takes[1:0], due_take};
    if (rst) begin
      takes <= 3'd0;
    end
  end

  logic       l_adds, l_takes, l_empties, l_here;
  logic       swept;             // the connection was emptied since the reset
  logic       again_now, again_after;
  logic [1:0] n, n_next;         // entries
  logic [3:0] at;                // the place of the oldest
  logic [1:0] newest, older;     // mark and entropy value
  logic [$bits(p2_psn)-1:0] last;

  assign l_here      = p2_idx == conn;
  assign l_adds      = p2_data && p2_feedback && !p2_duplicate && l_here;
  assign l_takes     = p2_take && l_here;
  assign l_empties   = p2_empty && l_here;
  assign n_next      = (l_takes || l_empties) ? 2'd0 : (l_adds && n != 2'd2) ? n + 2'd1 : n;
  assign again_after = (again_now || (p2_data && p2_feedback && p2_duplicate && l_here)) && !l_takes && !l_empties;

  // What is on its way out.
  logic                     t_out, t_swept, t_again, was_valid;
  logic [1:0]               t_n, t_newest, t_older;
  logic [$bits(p2_psn)-1:0] t_psn;
  logic [$bits({m_idx, m_psn, m_count, m_evs, m_marks, m_again})-1:0] was;

  always_ff @(posedge clk) begin
    swept     <= swept || l_empties;
    n         <= n_next;
    again_now <= again_after;
    at        <= l_empties ? 4'd0 : l_takes ? at + 4'(n) : (l_adds && n == 2'd2) ? at + 4'd1 : at;
    if (l_adds) begin
      newest <= {p2_ce, p2_ev};
      older  <= newest;
      last   <= p2_psn;
    end
    if (l_takes) begin
      t_out    <= count != '0;
      t_swept  <= swept;
      t_n      <= n;
      t_newest <= newest;
      t_older  <= older;
      t_psn    <= last;
      t_again  <= again_now;
    end
    if (m_valid && m_ready && m_idx == conn) begin
      t_out <= 1'b0;
    end
    was_valid <= m_valid && !m_ready;
    was       <= {m_idx, m_psn, m_count, m_evs, m_marks, m_again};
    if (rst) begin
      swept     <= 1'b0;
      t_out     <= 1'b0;
      was_valid <= 1'b0;
    end
  end

  // The properties of the set lists, for the module around it.
  logic list_as_received_when, list_as_received_ok;
  logic newest_is_last_when, newest_is_last_ok;
  logic older_is_before_when, older_is_before_ok;
  logic feedback_stands_when, feedback_stands_ok;
  logic lost_only_when_full_when, lost_only_when_full_ok;
  logic full_is_told_when, full_is_told_ok;

  assign list_as_received_when = t_swept && m_valid && m_idx == conn;
  assign list_as_received_ok = t_out && m_count == 5'(t_n) && m_psn == t_psn && m_again == t_again;
  assign newest_is_last_when = t_swept && m_valid && m_idx == conn;
  assign newest_is_last_ok = {m_marks[1], m_evs[1]} == t_newest;
  assign older_is_before_when = t_swept && m_valid && m_idx == conn && m_count == 5'd2;
  assign older_is_before_ok = {m_marks[0], m_evs[0]} == t_older;
  assign feedback_stands_when = was_valid;
  assign feedback_stands_ok = m_valid && {m_idx, m_psn, m_count, m_evs, m_marks, m_again} == was;
  assign lost_only_when_full_when = swept && l_here && p2_lost;
  assign lost_only_when_full_ok = l_adds && n == 2'd2;
  assign full_is_told_when = swept && l_adds && n == 2'd2;
  assign full_is_told_ok = p2_lost;

  // The row, and the entries a cycle later.
  (* hierconn *) logic [ROWS*ROW_W-1:0] \rows.ram.words ;
  (* hierconn *) logic [16*ROWS*2-1:0]  \entries.words ;

  logic             row_again;
  logic [3:0]       row_head;
  logic [4:0]       row_count;
  logic [ROW_W-11:0] row_rest;
  logic [1:0]       n_1, newest_1, older_1;
  logic [3:0]       at_1;
  logic             swept_1;

  assign {row_again, row_head, row_count, row_rest} = \rows.ram.words [conn*ROW_W +: ROW_W];

  always_ff @(posedge clk) begin
    n_1      <= n;
    newest_1 <= newest;
    older_1  <= older;
    at_1     <= at;
    swept_1  <= swept && !rst;
  end

  `LEMMA(row_holds, !swept || (row_again == again_now && row_head == at && row_count == 5'(n)))
  `LEMMA(row_has_psn, !swept || n == 2'd0 || row_rest[ROW_W-11 -: $bits(p2_psn)] == last)
  `LEMMA(few_entries, !swept || n <= 2'd2)
  `LEMMA(entries_newest, !swept_1 || n_1 == 2'd0 || \entries.words [2*{conn, at_1 + 4'(n_1) - 4'd1} +: 2] == newest_1)
  `LEMMA(entries_older, !swept_1 || n_1 != 2'd2 || \entries.words [2*{conn, at_1} +: 2] == older_1)
  `LEMMA(way_is_out, m_idx != conn || (left_q == '0 && read_q == '0 && !m_valid) || t_out)
  `LEMMA(way_counts, !t_out || (m_idx == conn && (!t_swept || (m_count == 5'(t_n) && m_psn == t_psn && m_again == t_again &&
    t_n != 2'd0 && t_n != 2'd3 && left_q <= m_count))))
  `LEMMA(out_is_way, !t_out || left_q != '0 || read_q != '0 || m_valid)
  `LEMMA(takes_are_way, p2_take == takes[2])
  `LEMMA(one_take, (takes & (takes - 3'd1)) == 3'd0)
  `LEMMA(one_way, (takes == 3'd0 || (left_q == '0 && read_q == '0 && !m_valid)) && (!m_valid || (left_q == '0 && read_q == '0)))
  `LEMMA(last_ends, last_q == '0 || left_q == '0)
  `LEMMA(last_reads, (last_q & ~read_q) == '0 && !(last_q[1] && read_q[0]))
  `LEMMA(busy_is_way, busy == (takes != 3'd0 || left_q != '0 || read_q != '0 || m_valid))
