  // The detector for one connection, any one: the time of its last high RTT. It sees the
  // ports only; a timeout of the same cycle sees the RTT sample.
  `AFTER_RESET
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

  logic [4:0] x_timeout, x_failure, x_bad, x_any;
  logic       e_bad;

  assign e_bad = s_timeout_valid && sts_ready && 32'(s_timeout_conn) >= CONNECTIONS;

  always_ff @(posedge clk) begin
    seen      <= seen_next;
    last     <= last_next;
    x_timeout <= {x_timeout[3:0], e_timeout};
    x_failure <= {x_failure[3:0], failure};
    x_bad     <= {x_bad[3:0], e_bad};
    x_any     <= {x_any[3:0], s_timeout_valid && sts_ready};
    if (rst) begin
      seen      <= 1'b0;
      x_timeout <= '0;
      x_bad     <= '0;
      x_any     <= '0;
    end
  end

  `PROPERTY(failure_as_algorithm, x_timeout[4], m_timeout_valid && m_timeout_conn == conn && m_fail_valid == x_failure[4] &&
    m_timeout_cause == (x_failure[4] ? CAUSE_FAILURE : CAUSE_CONGESTION))
  `PROPERTY(one_answer_each, 1'b1, m_timeout_valid == x_any[4])
  `PROPERTY(fail_is_a_verdict, m_fail_valid, m_timeout_valid && m_timeout_cause == CAUSE_FAILURE && m_fail_conn == m_timeout_conn)
  `PROPERTY(illegal_has_no_cause, x_bad[4], m_timeout_valid && !m_fail_valid && m_timeout_cause == CAUSE_NONE)
  `PROPERTY(illegal_writes_nothing, p0_rtt_q && 32'(p0_rtt_conn_q) >= CONNECTIONS, !p0_write)

  // How the memory stands for that time, one cycle later: once the connection was emptied.
  (* hierconn *) logic [ROWS*(1+TIMER_BITS)-1:0] \high.words ;
  logic                  of_seen, seen_1, emptied;
  logic [TIMER_BITS-1:0] of_last, last_1;

  assign {of_seen, of_last} = \high.words [conn*(1+TIMER_BITS) +: 1+TIMER_BITS];

  always_ff @(posedge clk) begin
    seen_1 <= seen;
    last_1 <= last;
    if (p0_clear_q && 32'(IDX_W'(p0_rtt_conn_q)) == 32'(conn)) begin
      emptied <= 1'b1;
    end
    if (rst) begin
      seen_1  <= 1'b0;
      emptied <= 1'b0;
    end
  end

  `LEMMA(memory_seen, !emptied || of_seen == seen_1)
  `LEMMA(memory_last, !emptied || !seen_1 || of_last == last_1)
  `LEMMA(none_seen, ready_q || (!seen && !seen_1))
  `LEMMA(will_empty, emptied || (p0_clear_q && 32'(IDX_W'(p0_rtt_conn_q)) == 32'(conn)) || !(ready_q || 32'(clear_idx_q) > 32'(conn)))
  `LEMMA(empties_once, !emptied || ready_q || 32'(clear_idx_q) > 32'(conn))
  `LEMMA(empties_once_0, !(emptied && p0_clear_q && 32'(IDX_W'(p0_rtt_conn_q)) == 32'(conn)))
  `LEMMA(clear_in_range, ready_q || 32'(clear_idx_q) < CONNECTIONS)

