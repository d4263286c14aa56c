
  // Algorithm 2 for one flow, any one: one event after another. It sees the ports only,
  // and acts when the unit reads its settings, AHEAD cycles after the event.
  `AFTER_REGISTERED_RESET
  `ANY(FLOW_BITS, flow)
  always_comb assume (32'(flow) < FLOWS);

  logic               e_any;        // an ACK or an opening, of any flow
  logic               e_ack, e_open;
  logic               e_bad;        // of one that does not exist
  logic               e_path;       // there is a valid path
  logic [LAT_W-1:0]   e_least, e_base;
  logic [TIME_W-1:0]  e_until;

  // The extremes of all paths, by going through them.
  always_comb begin
    e_path  = 1'b0;
    e_least = '1;
    e_base  = '0;
    for (int unsigned i = 0; i < PATHS; i++) begin
      if (s_ack_usable[i]) begin
        e_path = 1'b1;
        if (s_ack_latency_ns[LAT_W*i +: LAT_W] < e_least) begin
          e_least = s_ack_latency_ns[LAT_W*i +: LAT_W];
        end
        if (s_ack_base_ns[LAT_W*i +: LAT_W] > e_base) begin
          e_base = s_ack_base_ns[LAT_W*i +: LAT_W];
        end
      end
    end
  end

  assign e_ack   = s_ack_valid && sts_ready && s_ack_flow == flow;
  assign e_open  = s_open_valid && s_open_ready && s_open_flow == flow;
  assign e_any   = (s_ack_valid && sts_ready) || (s_open_valid && s_open_ready);
  assign e_bad   = (s_ack_valid && sts_ready && 32'(s_ack_flow) >= FLOWS) ||
                   (s_open_valid && s_open_ready && 32'(s_open_flow) >= FLOWS);
  assign e_until = now_ns + TIME_W'({e_least, 1'b0});

  // After reset the flow is opened as well.
  logic e_clear;

  assign e_clear = !ready_q && !rst_q && 32'(clear_idx_q) == 32'(flow);

  // Bit i is stage i, the last one is the answer.
  localparam int unsigned AHEAD = $clog2(PATHS) + 4;
  localparam int unsigned LAST  = AHEAD + 2;

  logic [LAST:1]         x_any, x_ack, x_open, x_bad, x_clear;
  logic [AHEAD:1]        x_path, x_congested;
  logic [AHEAD*TIME_W:1] x_now, x_until;
  logic [AHEAD*LAT_W:1]  x_least, x_base;

  always_ff @(posedge clk) begin
    x_any       <= {x_any[LAST-1:1], e_any};
    x_ack       <= {x_ack[LAST-1:1], e_ack};
    x_open      <= {x_open[LAST-1:1], e_open};
    x_bad       <= {x_bad[LAST-1:1], e_bad};
    x_clear     <= {x_clear[LAST-1:1], e_clear};
    x_path      <= {x_path[AHEAD-1:1], e_path};
    x_congested <= {x_congested[AHEAD-1:1], e_least > e_base};
    x_now       <= {x_now[(AHEAD-1)*TIME_W:1], now_ns};
    x_until     <= {x_until[(AHEAD-1)*TIME_W:1], e_until};
    x_least     <= {x_least[(AHEAD-1)*LAT_W:1], e_least};
    x_base      <= {x_base[(AHEAD-1)*LAT_W:1], e_base};
    if (rst_q) begin
      x_any   <= '0;
      x_ack   <= '0;
      x_open  <= '0;
      x_bad   <= '0;
      x_clear <= '0;
    end
  end

  // The flow's state.
  logic               opened, opened_next;
  logic [RATE_W-1:0]  current, current_next;
  logic [RATE_W-1:0]  expected, expected_next;
  logic [STAGE_W-1:0] left, left_next;
  logic [TIME_W-1:0]  decrease_at, decrease_next;  // not before
  logic [TIME_W-1:0]  increase_at, increase_next;
  logic [2:0]         cause;
  logic [TIME_W-1:0]  now, until, to_decrease, to_increase;
  logic [RATE_W:0]    twice;

  assign now         = x_now[TIME_W*AHEAD -: TIME_W];
  assign until       = x_until[TIME_W*AHEAD -: TIME_W];
  assign to_decrease = decrease_at - now;
  assign to_increase = increase_at - now;

  always_comb begin
    opened_next   = opened;
    current_next  = current;
    expected_next = expected;
    left_next     = left;
    decrease_next = decrease_at;
    increase_next = increase_at;
    cause         = CAUSE_HELD;
    twice         = '0;
    if (x_open[AHEAD] || x_clear[AHEAD]) begin
      cause         = CAUSE_OPEN;
      opened_next   = 1'b1;
      current_next  = cfg_max_rate;
      expected_next = cfg_max_rate;
      left_next     = cfg_stages;
      decrease_next = now - 1'b1;
      increase_next = now - 1'b1;
    end else if (x_ack[AHEAD] && !x_path[AHEAD]) begin
      cause = CAUSE_NO_PATH;
    end else if (x_ack[AHEAD] && x_congested[AHEAD]) begin
      if (64'(to_decrease) >= 64'd1 << (LAT_W + 1)) begin
        cause         = CAUSE_DECREASE;
        expected_next = (current > cfg_max_rate) ? cfg_max_rate : current;
        current_next  = expected_next >> 1;
        left_next     = cfg_stages;
        decrease_next = until;
        if (current_next < cfg_min_rate) begin
          current_next = cfg_min_rate;
        end
      end
    end else if (x_ack[AHEAD]) begin
      if (64'(to_increase) >= 64'd1 << (LAT_W + 1)) begin
        cause         = CAUSE_INCREASE;
        twice         = {1'b0, expected};
        increase_next = until;
        if (left == '0) begin
          cause = CAUSE_HYPER;
          twice = {expected, 1'b0};
        end else begin
          left_next = left - 1'b1;
        end
        if (twice > {1'b0, cfg_max_rate}) begin
          twice = {1'b0, cfg_max_rate};
        end
        expected_next = twice[RATE_W-1:0];
        if (current > cfg_max_rate) begin
          current_next = cfg_max_rate;
        end else begin
          twice        = twice + {1'b0, current};
          current_next = twice[RATE_W:1];
        end
      end
    end
  end

  logic [2:0]         cause_1, cause_2;
  logic [RATE_W-1:0]  current_1, current_2, expected_1, expected_2, max_1, max_2, min_1, min_2;

  always_ff @(posedge clk) begin
    opened      <= opened_next;
    current     <= current_next;
    expected    <= expected_next;
    left        <= left_next;
    decrease_at <= decrease_next;
    increase_at <= increase_next;
    cause_1     <= cause;
    cause_2     <= cause_1;
    current_1   <= current_next;
    current_2   <= current_1;
    expected_1  <= expected_next;
    expected_2  <= expected_1;
    max_1       <= cfg_max_rate;
    max_2       <= max_1;
    min_1       <= cfg_min_rate;
    min_2       <= min_1;
    if (rst_q) begin
      opened <= 1'b0;
    end
  end

  logic x_mine;

  assign x_mine = x_ack[LAST] || x_open[LAST];

  `PROPERTY(one_answer_each, 1'b1, m_rate_valid == x_any[LAST])
  `PROPERTY(rate_is_algorithm, x_mine, m_rate_flow == flow && m_rate_current == current_2 && m_rate_expected == expected_2)
  `PROPERTY(cause_is_algorithm, x_mine, m_rate_cause == cause_2)
  `PROPERTY(within_limits, x_mine && m_rate_cause != CAUSE_HELD && m_rate_cause != CAUSE_NO_PATH && min_2 <= max_2,
    m_rate_current <= max_2 && m_rate_expected <= max_2 && (m_rate_cause != CAUSE_DECREASE || m_rate_current >= min_2))

  // The last decrease, and until when there is no other.
  logic              decreased;
  logic [TIME_W-1:0] no_more, now_1, now_2, until_1, until_2, ahead;

  assign ahead = no_more - now_2;

  always_ff @(posedge clk) begin
    now_1   <= now;
    now_2   <= now_1;
    until_1 <= until;
    until_2 <= until_1;
    if (x_mine && m_rate_cause == CAUSE_DECREASE) begin
      decreased <= 1'b1;
      no_more   <= until_2;
    end
    if (rst_q || x_clear[LAST] || (x_mine && m_rate_cause == CAUSE_OPEN)) begin
      decreased <= 1'b0;
    end
  end

  `PROPERTY(one_decrease_an_interval, x_mine && decreased && m_rate_cause == CAUSE_DECREASE, 64'(ahead) >= 64'd1 << (LAT_W + 1))
  `PROPERTY(extremes_of_all_paths, x_ack[AHEAD-2] && x_path[AHEAD-2],
    r0_least_q == x_least[LAT_W*(AHEAD-2) -: LAT_W] && r0_congested_q == x_congested[AHEAD-2])
  `PROPERTY(illegal_is_told, x_bad[LAST], evt_illegal && m_rate_cause == CAUSE_NONE && m_rate_current == '0 && m_rate_expected == '0)
  `PROPERTY(illegal_changes_nothing, x_bad[AHEAD] || x_bad[AHEAD+1], !(x_bad[AHEAD] && r2_change) && !(x_bad[AHEAD+1] && r3_change_q))
  `PROPERTY(open_waits_for_acks_only, sts_ready && s_open_valid && !s_ack_valid, s_open_ready)

  // How the memories stand for the state. Each is written a cycle after what it gets is
  // known.
  (* hierconn *) logic [ROWS*TIME_W-1:0]             \gate.next_decrease.ram.words ;
  (* hierconn *) logic [ROWS*TIME_W-1:0]             \gate.next_increase.ram.words ;
  (* hierconn *) logic [ROWS*(2*RATE_W+STAGE_W)-1:0] \rates.stored.ram.words ;
  (* hierconn *) logic [TIME_W-1:0]                  \gate.r2_next_q ;
  (* hierconn *) logic [TIME_W-1:0]                  \gate.r3_after_q ;
  (* hierconn *) logic [IDX_W-1:0]                   \gate.r3_idx_q ;
  (* hierconn *) logic                               \gate.r3_write_decrease_q ;
  (* hierconn *) logic                               \gate.r3_write_increase_q ;
  (* hierconn *) logic [2*RATE_W+STAGE_W-1:0]        \rates.r3_rates ;
  (* hierconn *) logic [STAGE_W-1:0]                 \rates.r4_left_q ;
  (* hierconn *) logic [IDX_W-1:0]                   \rates.r4_idx_q ;
  (* hierconn *) logic                               \rates.r4_write_q ;

  logic [2*RATE_W+STAGE_W-1:0] r4_rates, stored_rates;
  logic [TIME_W-1:0]           stored_decrease, stored_increase;
  logic                        to_gate, to_rates;  // what is written belongs to the flow

  assign r4_rates = {m_rate_current, m_rate_expected, \rates.r4_left_q };
  assign to_gate  = 32'(\gate.r3_idx_q ) == 32'(flow);
  assign to_rates = 32'(\rates.r4_idx_q ) == 32'(flow);

  assign stored_decrease = (\gate.r3_write_decrease_q && to_gate) ? \gate.r3_after_q : \gate.next_decrease.ram.words [flow*TIME_W +: TIME_W];
  assign stored_increase = (\gate.r3_write_increase_q && to_gate) ? \gate.r3_after_q : \gate.next_increase.ram.words [flow*TIME_W +: TIME_W];
  assign stored_rates    = (r3_change_q && 32'(IDX_W'(r3_flow_q)) == 32'(flow)) ? \rates.r3_rates
                         : (\rates.r4_write_q && to_rates) ? r4_rates
                         : \rates.stored.ram.words [flow*(2*RATE_W+STAGE_W) +: 2*RATE_W+STAGE_W];

  `LEMMA(state_decrease, !opened || stored_decrease == decrease_at)
  `LEMMA(state_increase, !opened || stored_increase == increase_at)
  `LEMMA(state_rates, !opened || stored_rates == {current, expected, left})

  // What is forwarded, and may have been for long.
  logic of_r3;

  assign of_r3 = r3_live_q && 32'(IDX_W'(r3_flow_q)) == 32'(flow);

  `LEMMA(next_r2, !(x_ack[AHEAD] && r2_live_q) || \gate.r2_next_q == (r2_congested_q ? decrease_at : increase_at))
  `LEMMA(after_r3, !of_r3 || ((!(r3_congested_q || r3_set_q) || \gate.r3_after_q == decrease_at) &&
    (!(!r3_congested_q || r3_set_q) || \gate.r3_after_q == increase_at)))
  `LEMMA(last_decrease, !decreased || no_more == decrease_at || cause_1 == CAUSE_DECREASE || cause_1 == CAUSE_OPEN ||
    cause_2 == CAUSE_DECREASE || cause_2 == CAUSE_OPEN)
  `LEMMA(rates_r3, !of_r3 || \rates.r3_rates == {current, expected, left})
  `LEMMA(event_r0, (x_ack[AHEAD-2] == (r0_ack && r0_flow_q == flow)) && (x_open[AHEAD-2] == (r0_open && r0_flow_q == flow)) &&
    (x_clear[AHEAD-2] == (clear_q[AHEAD-3] && r0_flow_q == flow)) && (x_bad[AHEAD-2] == ((r0_ack || r0_open) && !r0_legal)) &&
    (x_any[AHEAD-2] == (r0_ack || r0_open)))
  `LEMMA(idx_r3, \gate.r3_idx_q == IDX_W'(r3_flow_q) && \rates.r4_idx_q == IDX_W'(m_rate_flow))
  `LEMMA(write_r3, (\gate.r3_write_decrease_q == (r3_change_q && (r3_set_q || r3_congested_q))) &&
    (\gate.r3_write_increase_q == (r3_change_q && (r3_set_q || !r3_congested_q))))
  `LEMMA(clear_range, ready_q || 32'(clear_idx_q) < FLOWS)
  `LEMMA(opens_first, !(e_ack || e_open) || (opened || x_clear[AHEAD:1] != '0))
  `LEMMA(will_open, opened || x_clear[AHEAD:1] != '0 || (!ready_q && 32'(clear_idx_q) <= 32'(flow)))
