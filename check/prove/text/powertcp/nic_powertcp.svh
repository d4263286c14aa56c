
  // Largest window so many cycles ago as an answer reads it before.
  logic [7*25-1:0] max_past;

  always_ff @(posedge clk) begin
    max_past <= {max_past[6*25-1:0], cfg_max_window};
  end

  `PROPERTY(one_answer_each, 1'b1, m_win_valid == x_last[LAST-1])
  `PROPERTY(answers_in_order, x_ack[LAST-1], m_win_conn == conn)
  `PROPERTY(first_gets_largest, x_ack[LAST-1] && x_fresh[LAST-1], m_win_bytes == max_past[6*25 +: 25])

  // A wait ends.
  logic [3:0]           waited;
  logic                 waiting;
  logic                 waits_ack;
  logic [CONN_BITS-1:0] waits_conn;
  logic                 stays;

  assign stays = waiting && waits_ack == s_ack_valid && waits_conn == in_conn;

  always_ff @(posedge clk) begin
    waiting    <= ready_q && (s_ack_valid ? !s_ack_ready : s_flush_valid && !s_flush_ready && !between);
    waits_ack  <= s_ack_valid;
    waits_conn <= in_conn;
    waited     <= stays ? waited + 1'b1 : 4'd1;
    if (rst) begin
      waiting <= 1'b0;
    end
  end

  logic [3:0] waits;

  assign waits = stays ? waited : 4'd0;

  `PROPERTY(ack_waits_bounded, ready_q && s_ack_valid && stays && 32'(waits) >= HELD, s_ack_ready)
  `PROPERTY(flush_waits_bounded, ready_q && s_flush_valid && !s_ack_valid && stays && 32'(waits) >= HELD && !between, s_flush_ready)

  logic [HELD-1:0] held_early;

  for (genvar g = 0; g < HELD; g++) begin : g_held_early
    assign held_early[g] = waiting && g < 32'(waited) && held_valid_q[g];
  end

  `LEMMA(nobody_passes, held_early == '0)

  // The connection's number and what is to be done, as the stages have it.
  localparam int unsigned HEAD_W = CONN_BITS + 5;

  (* hierconn *) logic [START_LAT*HEAD_W-1:0] \headers.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [36:0]                 \ack.p37_valid_q ;
  (* hierconn *) logic [31*IDX_W-1:0]         \ack.p31_idx_q ;
  (* hierconn *) logic [10*(CONN_BITS-IDX_W)-1:0] \ack.g_upper.delay_upper.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [26*(CONN_BITS+26)-1:0] \ack.delay_norm.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [CONN_BITS-1:0]        \ack.p37_conn_q ;
  (* hierconn *) logic [15:0]                 \ack.delay_keep_16.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [14:0]                 \ack.delay_keep_31.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [30:0]                 \ack.delay_renew.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [9:0]                  \ack.delay_fresh_10.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [19:0]                 \ack.delay_fresh_30.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [34:0]                 \ack.delay_legal.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic                        \ack.p36_legal_q ;
  (* hierconn *) logic [36*ANSWER_W-1:0]      \answers.genblk1.genblk1.g_line.line_q ;

  logic legal_36;

  assign legal_36 = \ack.p36_legal_q ;

  localparam int unsigned IN = LANE - 1;  // the bit of the ACK lane's stage 0

  logic [START_LAT-1:0] head_same, head_bad, head_others;
  logic [36:0]          valid_same;
  logic [30:0]          idx_same;
  logic [9:0]           upper_same;
  logic [25:0]          number_same;
  logic [30:0]          keep_same, renew_same, others_same;
  logic [29:0]          fresh_same;
  logic [34:0]          legal_same;
  logic [35:0]          answer_same;
  logic [LAST-1:0]      keeps, renews;  // state is to be stored

  for (genvar g = 0; g < LAST; g++) begin : g_keeps
    assign keeps[g]  = x_cause[3*g +: 3] == CAUSE_FIRST || x_cause[3*g +: 3] == CAUSE_UPDATED;
    assign renews[g] = x_cause[3*g +: 3] == CAUSE_FIRST || (x_cause[3*g +: 3] == CAUSE_UPDATED && x_renew[g]);
  end

  for (genvar g = 0; g < START_LAT; g++) begin : g_head
    localparam int unsigned AT = 3 + g;
    logic [HEAD_W-1:0] head;

    assign head         = \headers.genblk1.genblk1.g_line.line_q [g*HEAD_W +: HEAD_W];
    assign head_same[g] = !x_ack[AT] || head == {conn, x_cause[3*AT +: 3], x_fresh[AT], x_renew[AT]};
    assign head_bad[g]  = !x_bad[AT] || head[4:2] == CAUSE_ILLEGAL;

    // Of ACKs of connections that exist, those of the connection.
    assign head_others[g] = !x_last[AT] || head[4:2] == CAUSE_ILLEGAL || (head[5 +: IDX_W] == conn[IDX_W-1:0]) == x_ack[AT];
  end

  // What was under way when the reset came still writes, long before the first ACK does.
  logic [5:0] since;

  always_ff @(posedge clk) begin
    if (since != '1) begin
      since <= since + 1'b1;
    end
    if (rst) begin
      since <= '0;
    end
  end

  logic [LAST-1:0] after_reset, good_cause;

  for (genvar g = 0; g < LAST; g++) begin : g_after_reset
    assign after_reset[g] = !(x_last[g] || x_event[g]) || 32'(since) > g;
    assign good_cause[g]  = !x_ack[g] || (x_cause[3*g +: 3] != CAUSE_ILLEGAL && (x_cause[3*g +: 3] == CAUSE_NO_SAMPLE ||
                            x_fresh[g] == (x_cause[3*g +: 3] == CAUSE_FIRST)));
  end

  `LEMMA(all_after_reset, after_reset == '1)
  `LEMMA(causes_good, good_cause == '1)

  logic [30:0] kept;

  assign kept = { \ack.delay_keep_31.genblk1.genblk1.g_line.line_q , \ack.delay_keep_16.genblk1.genblk1.g_line.line_q };

  for (genvar g = 0; g < 37; g++) begin : g_valid
    assign valid_same[g] = \ack.p37_valid_q [36-g] == x_last[LANE+g];
  end

  for (genvar g = 0; g < 31; g++) begin : g_lane_31
    assign idx_same[g] = !x_ack[LANE+g] || \ack.p31_idx_q [(30-g)*IDX_W +: IDX_W] == conn[IDX_W-1:0];
    assign keep_same[g] = (!x_ack[LANE+g] || kept[g] == keeps[LANE+g]) && (!x_bad[LANE+g] || !kept[g]) && (x_last[LANE+g] || !kept[g] || g >= 32'(since));
    assign others_same[g] = x_ack[LANE+g] || \ack.p31_idx_q [(30-g)*IDX_W +: IDX_W] != conn[IDX_W-1:0] ||
                            !(kept[g] || \ack.delay_renew.genblk1.genblk1.g_line.line_q [g]) || g >= 32'(since);
    assign renew_same[g] = (!x_ack[LANE+g] || \ack.delay_renew.genblk1.genblk1.g_line.line_q [g] == renews[LANE+g]) &&
                           (!x_bad[LANE+g] || !\ack.delay_renew.genblk1.genblk1.g_line.line_q [g]) &&
                           (x_last[LANE+g] || !\ack.delay_renew.genblk1.genblk1.g_line.line_q [g] || g >= 32'(since));
  end

  for (genvar g = 0; g < 10; g++) begin : g_upper_10
    assign upper_same[g] = !x_ack[LANE+g] ||
      \ack.g_upper.delay_upper.genblk1.genblk1.g_line.line_q [g*(CONN_BITS-IDX_W) +: CONN_BITS-IDX_W] == conn[CONN_BITS-1:IDX_W];
  end

  for (genvar g = 0; g < 26; g++) begin : g_number
    assign number_same[g] = !x_ack[LANE+10+g] || \ack.delay_norm.genblk1.genblk1.g_line.line_q [g*(CONN_BITS+26)+26 +: CONN_BITS] == conn;
  end

  for (genvar g = 0; g < 30; g++) begin : g_fresh_30
    if (g < 10) begin : g_fresh_10
      assign fresh_same[g] = !x_ack[LANE+g] || \ack.delay_fresh_10.genblk1.genblk1.g_line.line_q [g] == x_fresh[LANE+g];
    end else begin : g_fresh_20
      assign fresh_same[g] = !x_ack[LANE+g] || \ack.delay_fresh_30.genblk1.genblk1.g_line.line_q [g-10] == x_fresh[LANE+g];
    end
  end

  for (genvar g = 0; g < 35; g++) begin : g_legal
    assign legal_same[g] = (!x_ack[LANE+g] || \ack.delay_legal.genblk1.genblk1.g_line.line_q [g]) &&
                           (!x_bad[LANE+g] || !\ack.delay_legal.genblk1.genblk1.g_line.line_q [g]);
  end

  for (genvar g = 0; g < 36; g++) begin : g_answer
    logic [2:0] cause;

    assign cause          = \answers.genblk1.genblk1.g_line.line_q [g*ANSWER_W +: 3];
    assign answer_same[g] = (!x_ack[LANE+g] || told(cause, x_cause[3*(LANE+g) +: 3])) &&
                            (!x_bad[LANE+g] || cause == CAUSE_ILLEGAL);
  end

  // The window of a connection without state on its way out.
  (* hierconn *) logic [24:0] \ack.p32_window_q ;
  (* hierconn *) logic [99:0] \ack.p36_window_q ;
  logic [124:0] way;
  logic [4:0]   way_same;

  assign way = { \ack.p36_window_q [24:0], \ack.p36_window_q [49:25], \ack.p36_window_q [74:50], \ack.p36_window_q [99:75], \ack.p32_window_q };

  for (genvar g = 0; g < 5; g++) begin : g_way
    assign way_same[g] = !(x_ack[IN+32+g] && x_fresh[IN+32+g]) || way[25*g +: 25] == max_past[25*(g+1) +: 25];
  end

  `LEMMA(largest_lane, way_same == '1)
  `PROPERTY(cause_as_algorithm, x_ack[LAST-1], told(m_win_cause, x_cause[3*(LAST-1) +: 3]))

  // Events of the connection are so far from each other that each finds what the ones
  // before left.
  logic [LAST-1:0] apart;

  for (genvar g = 0; g < LAST; g++) begin : g_apart
    if (g + 1 < LAST) begin : g_more
      localparam int unsigned N = (LAST - 1 - g < HELD) ? LAST - 1 - g : HELD;
      assign apart[g] = !x_event[g] || x_event[g+1 +: N] == '0;
    end else begin : g_last
      assign apart[g] = 1'b1;
    end
  end

  logic [HELD-1:0] held_same;

  for (genvar g = 0; g < HELD; g++) begin : g_held
    assign held_same[g] = !x_event[g] || (held_valid_q[g] && held_idx_q[g*IDX_W +: IDX_W] == conn[IDX_W-1:0]);
  end

  `LEMMA(holds, held_same == '1)
  `LEMMA(between_alone, !(between && begun == conn) || x_event[HELD-1:0] == '0)
  `LEMMA(are_apart, apart == '1)
  `LEMMA(ack_or_flush, (x_ack & x_flush) == '0)
  `LEMMA(ack_is_last, (x_ack & ~x_last) == '0)
  `LEMMA(ack_is_good, (x_event & x_bad) == '0)
  `LEMMA(last_0, p0_last_q == x_last[0] && p1_last_q == x_last[1] && p2_last_q == x_last[2])
  `LEMMA(last_start, last_q == x_last[3 +: START_LAT])
  `LEMMA(valid_lane, valid_same == '1)
  `LEMMA(number_0, !x_event[0] || (p0_conn_q == conn && (p0_last_q || p0_flush_q)))
  `LEMMA(number_1, !x_event[1] || (p1_conn_q == conn && p1_legal_q))
  `LEMMA(number_2, !x_ack[2] || (p2_conn_q == conn && p2_legal_q))
  `LEMMA(bad_0, !x_bad[0] || 32'(p0_conn_q) >= CONNECTIONS)
  `LEMMA(bad_1, !x_bad[1] || (!p1_legal_q && !p1_some_q && !p1_write_q))
  `LEMMA(bad_2, !x_bad[2] || (!p2_legal_q && !p2_some_q))
  `LEMMA(others_0, p0_conn_q != conn || !(p0_last_q || p0_flush_q) || x_event[0])
  `LEMMA(head_ack, head_same == '1)
  `LEMMA(head_illegal, head_bad == '1)
  `LEMMA(idx_lane, idx_same == '1)
  `LEMMA(upper_lane, upper_same == '1)
  `LEMMA(number_lane, number_same == '1)
  `LEMMA(number_out, !x_ack[LAST-1] || \ack.p37_conn_q == conn)
  `LEMMA(keep_lane, keep_same == '1)
  `LEMMA(renew_lane, renew_same == '1)
  `LEMMA(others_2, !p2_last_q || !p2_legal_q || (p2_conn_q[IDX_W-1:0] == conn[IDX_W-1:0]) == x_ack[2])
  `LEMMA(others_head, head_others == '1)
  `LEMMA(others_lane, others_same == '1)
  `LEMMA(fresh_lane, fresh_same == '1)
  `LEMMA(legal_lane, legal_same == '1)
  `LEMMA(legal_out, !x_ack[LAST-2] || legal_36)
  `LEMMA(answer_lane, answer_same == '1)
  `LEMMA(cause_2, !x_ack[2] || (p2_cause == x_cause[6 +: 3] && p2_fresh_q == x_fresh[2] && p2_renew == x_renew[2]))

  // Who writes the connection's rows, and what is read there: what was written last, with
  // nobody of the connection between reading and writing.
  logic        power_here, window_here, old_here;
  logic        power_written, window_written, old_written;
  logic [33:0] last_power;
  logic [24:0] last_window, last_old;

  assign power_here  = power_wr_en && 32'(power_wr_addr) == 32'(conn);
  assign window_here = window_wr_en && 32'(window_wr_addr) == 32'(conn);
  assign old_here    = old_wr_en && 32'(old_wr_addr) == 32'(conn);

  always_ff @(posedge clk) begin
    if (power_here) begin
      power_written <= power_written || x_ack[IN+16];
      last_power    <= power_wr_data;
    end
    if (window_here) begin
      window_written <= window_written || x_ack[IN+31];
      last_window    <= window_wr_data;
    end
    if (old_here) begin
      old_written <= old_written || x_ack[IN+31];
      last_old    <= old_wr_data;
    end
    if (rst) begin
      power_written  <= 1'b0;
      window_written <= 1'b0;
      old_written    <= 1'b0;
    end
  end

  (* hierconn *) logic [ROWS*34-1:0] \powers.words ;
  (* hierconn *) logic [ROWS*25-1:0] \windows.words ;
  (* hierconn *) logic [ROWS*25-1:0] \old_windows.words ;

  `LEMMA(power_memory, !power_written || \powers.words [conn*34 +: 34] == last_power)
  `LEMMA(window_memory, !window_written || \windows.words [conn*25 +: 25] == last_window)
  `LEMMA(old_memory, !old_written || \old_windows.words [conn*25 +: 25] == last_old)
  `PROPERTY(power_is_last, x_ack[IN+10] && power_written, power_rd_data == last_power && x_ack[IN+16:IN+11] == '0)
  `PROPERTY(old_is_last, x_ack[IN+23] && old_written, old_rd_data == last_old && x_ack[IN+31:IN+24] == '0)
  `PROPERTY(window_is_last, x_ack[IN+26] && window_written, window_rd_data == last_window && x_ack[IN+31:IN+27] == '0)
  `PROPERTY(only_own_writes, 32'(since) > 31 && (power_here || window_here || old_here),
    !(power_here && !x_ack[IN+16]) && !((window_here || old_here) && !x_ack[IN+31]))
  `PROPERTY(stored_as_algorithm, x_ack[IN+16] || x_ack[IN+31],
    (!x_ack[IN+16] || power_here == keeps[IN+16]) &&
    (!x_ack[IN+31] || (window_here == keeps[IN+31] && old_here == renews[IN+31])))
  `PROPERTY(illegal_changes_nothing, x_bad[1] || x_bad[2] || x_bad[IN+16] || x_bad[IN+31],
    !(x_bad[1] && p1_write_q) && !(x_bad[2] && p2_last_q && p2_renew) && !(x_bad[IN+16] && power_wr_en) &&
    !(x_bad[IN+31] && (window_wr_en || old_wr_en)) && !bad_writes)
  `PROPERTY(illegal_is_told, x_bad[LAST-1] && x_last[LAST-1],
    m_win_valid && m_win_cause == CAUSE_ILLEGAL && m_win_bytes == '0 && m_win_rate == '0)

  // An ACK that goes on from a state finds one: the ACK that stored it has come so far.
  logic [LAST-1:0] x_stores;  // on its way, the first of a state

  for (genvar g = 0; g < LAST; g++) begin : g_stores
    assign x_stores[g] = x_ack[g] && x_cause[3*g +: 3] == CAUSE_FIRST;
  end

  logic [LAST-1:0] power_later, window_later;

  for (genvar g = 0; g < LAST; g++) begin : g_later
    logic fine;

    assign fine = x_fresh[g] || !x_ack[g];
    if (g < IN + 16) begin : g_power
      assign power_later[g] = fine || power_written || x_stores[IN+16:g+1] != '0;
    end else begin : g_power_there
      assign power_later[g] = fine || power_written;
    end
    if (g < IN + 31) begin : g_window
      assign window_later[g] = fine || (window_written && old_written) || x_stores[IN+31:g+1] != '0;
    end else begin : g_window_there
      assign window_later[g] = fine || (window_written && old_written);
    end
  end

  `LEMMA(power_is_coming, power_later == '1)
  `LEMMA(window_is_coming, window_later == '1)
  `LEMMA(state_is_coming, !have || ((power_written || x_stores[IN+16:0] != '0) &&
    ((window_written && old_written) || x_stores[IN+31:0] != '0)))
  `LEMMA(window_with_old, window_written == old_written)
  `PROPERTY(state_was_stored, (x_ack[IN+10] && !x_fresh[IN+10]) || (x_ack[IN+23] && !x_fresh[IN+23]),
    !(x_ack[IN+10] && !x_fresh[IN+10] && !power_written) && !(x_ack[IN+23] && !x_fresh[IN+23] && !(old_written && window_written)))

  // The flags and the mark, one event behind while an event is on its way to them.
  (* hierconn *) logic [ROWS*FLAGS_W-1:0] \flags.words ;

  logic [FLAGS_W-1:0] of_flags;
  logic               emptied, clear_1;

  assign of_flags = \flags.words [conn*FLAGS_W +: FLAGS_W];

  always_ff @(posedge clk) begin
    clear_1 <= p0_clear_q;
    if (clear_1 && 32'(p1_idx) == 32'(conn)) begin
      emptied <= 1'b1;
    end
    if (rst) begin
      clear_1 <= 1'b0;
      emptied <= 1'b0;
    end
  end

  `LEMMA(flags_alike, !emptied || flags_same(of_flags, (x_event[1:0] != '0) ? was_flags : is_flags))
  `LEMMA(mark_alike, !((x_event[2:0] != '0) ? was_have : have) || \marks.words [conn*32 +: 32] == ((x_event[2:0] != '0) ? was_mark : mark))
  `LEMMA(empty_before, ready_q || (!have && x_last[2:0] == '0 && x_event[2:0] == '0))
  `LEMMA(clears_first, !ready_q || cleared_q)
  `LEMMA(clear_write, !clear_1 || (p1_write_q && !p1_set_q))
  `LEMMA(clear_range, cleared_q || 32'(clear_idx_q) < CONNECTIONS)
  `LEMMA(will_empty, emptied || (clear_1 && 32'(p1_idx) == 32'(conn)) || (p0_clear_q && 32'(p0_idx) == 32'(conn)) ||
    (!cleared_q && 32'(clear_idx_q) <= 32'(conn)))
  `LEMMA(clear_ends, !ready_q || !p0_clear_q)
