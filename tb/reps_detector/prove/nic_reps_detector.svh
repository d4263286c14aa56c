  // The detector for one connection, any one: the time of its last high RTT. It sees the
  // ports only; a timeout of the same cycle sees the RTT sample.
  `AFTER_REGISTERED_RESET
  `ANY(CONN_BITS, conn)
  always_comb assume (32'(conn) < CONNECTIONS);

  logic                  e_rtt, e_timeout, e_flush;
  logic                  seen, seen_next;
  logic [TIMER_BITS-1:0] last, last_next;
  logic                  failure;

  assign e_rtt     = s_rtt_valid && sts_ready && s_rtt_conn == conn;
  assign e_timeout = s_timeout_valid && sts_ready && s_timeout_conn == conn;
  assign e_flush   = s_flush_valid && s_flush_ready && s_flush_conn == conn;

  always_comb begin
    seen_next = seen;
    last_next = last;
    if (e_flush) begin
      seen_next = 1'b0;
    end
    if (e_rtt && s_rtt_ns >= cfg_rtt_threshold_ns) begin
      seen_next = 1'b1;
      last_next = now_ns;
    end
    failure = cfg_trimming || !seen_next || TIMER_BITS'(now_ns - last_next) > cfg_window_ns;
  end

  logic [5:0] x_timeout, x_failure, x_bad, x_any;
  logic       e_bad;
  logic       wrote_bad;  // an RTT sample of a connection that does not exist was in stage 0

  assign e_bad = s_timeout_valid && sts_ready && 32'(s_timeout_conn) >= CONNECTIONS;

  always_ff @(posedge clk) begin
    seen      <= seen_next;
    last     <= last_next;
    x_timeout <= {x_timeout[4:0], e_timeout};
    x_failure <= {x_failure[4:0], failure};
    x_bad     <= {x_bad[4:0], e_bad};
    x_any     <= {x_any[4:0], s_timeout_valid && sts_ready};
    wrote_bad <= p0_rtt_q && 32'(p0_rtt_conn_q) >= CONNECTIONS;
    if (rst_q) begin
      seen      <= 1'b0;
      x_timeout <= '0;
      x_bad     <= '0;
      x_any     <= '0;
    end
  end

  `PROPERTY(failure_as_algorithm, x_timeout[5], m_timeout_valid && m_timeout_conn == conn && m_fail_valid == x_failure[5] &&
    m_timeout_cause == (x_failure[5] ? CAUSE_FAILURE : CAUSE_CONGESTION))
  `PROPERTY(one_answer_each, 1'b1, m_timeout_valid == x_any[5])
  `PROPERTY(fail_is_a_verdict, m_fail_valid, m_timeout_valid && m_timeout_cause == CAUSE_FAILURE && m_fail_conn == m_timeout_conn)
  `PROPERTY(illegal_has_no_cause, x_bad[5], m_timeout_valid && !m_fail_valid && m_timeout_cause == CAUSE_NONE)
  `PROPERTY(illegal_writes_nothing, wrote_bad, !p1_write_q)

  // What is dropped because connections are being emptied, and how the counter of it stood.
  logic [1:0]              late_1, late_2, late_3;
  logic [COUNTER_BITS-1:0] late_cnt_1;

  always_ff @(posedge clk) begin
    late_1     <= sts_ready ? 2'd0 : 2'(s_rtt_valid) + 2'(s_timeout_valid);
    late_2     <= late_1;
    late_3     <= late_2;
    late_cnt_1 <= sts_not_ready_cnt;
    if (rst_q) begin
      late_2     <= 2'd0;
      late_3     <= 2'd0;
      late_cnt_1 <= '0;
    end
  end

  `PROPERTY(dropped_is_counted, late_3 == 2'd2, sts_not_ready_cnt == late_cnt_1 + COUNTER_BITS'(late_3))
  `PROPERTY(dropped_or_unchanged, 1'b1, sts_not_ready_cnt == late_cnt_1 + COUNTER_BITS'(late_3))

  // How the memory stands for that time, two cycles later: once the connection was emptied.
  (* hierconn *) logic [ROWS*(1+TIMER_BITS)-1:0] \high.words ;
  logic                  of_seen, seen_1, seen_2, emptied, clears, clears_1;
  logic                  sweeps;  // the flush in stage 0 is of this sweep, not of one that a reset ended
  logic [TIMER_BITS-1:0] of_last, last_1, last_2;

  assign {of_seen, of_last} = \high.words [conn*(1+TIMER_BITS) +: 1+TIMER_BITS];
  assign clears             = sweeps && p0_clear_q && 32'(IDX_W'(p0_rtt_conn_q)) == 32'(conn);

  always_ff @(posedge clk) begin
    seen_1   <= seen;
    last_1   <= last;
    seen_2   <= seen_1;
    last_2   <= last_1;
    clears_1 <= clears;
    sweeps   <= !rst_q;
    if (clears_1) begin
      emptied <= 1'b1;
    end
    if (rst_q) begin
      seen_1   <= 1'b0;
      seen_2   <= 1'b0;
      clears_1 <= 1'b0;
      emptied  <= 1'b0;
    end
  end

  `LEMMA(memory_seen, !emptied || of_seen == seen_2)
  `LEMMA(memory_last, !emptied || !seen_2 || of_last == last_2)
  `LEMMA(none_seen, ready_q || (!seen && !seen_1 && !seen_2))
  `LEMMA(will_empty, emptied || clears || clears_1 || !(ready_q || 32'(clear_idx_q) > 32'(conn)))
  `LEMMA(empties_once, !(emptied || clears_1) || ready_q || 32'(clear_idx_q) > 32'(conn))
  `LEMMA(empties_once_0, !((emptied || clears_1) && clears))
  `LEMMA(clear_in_range, ready_q || 32'(clear_idx_q) < CONNECTIONS)
