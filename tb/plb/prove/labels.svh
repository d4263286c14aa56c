
  // Algorithm 2, one event after another: each cycle the SEND in stage p7, then the ACK and the
  // RTO in p6. Verdicts are any that ACKs may have; a pause ends with any ACK.
  logic                  e_open, e_send, e_ack, e_rto;
  logic [IDX_W-1:0]      p6_rto_idx;
  logic                  asked, asked_sent;
  logic                  paused, paused_now, expired;
  logic                  clean;      // the last verdict since the opening was clean
  logic [ROUND_BITS-1:0] rounds_now, rounds_sent;
  logic                  restart, spray, forced, idle, relabel;
  logic [1:0]            mode;            // of the SEND
  logic                  nothing;         // is in flight
  logic [LABEL_BITS-1:0] label;

  assign e_open = opens[7] && 32'(send_idx_q[7*IDX_W +: IDX_W]) == 32'(conn);
  assign e_send = send_q[7] && 32'(send_idx_q[7*IDX_W +: IDX_W]) == 32'(conn);
  assign e_ack  = p6_ack_q && 32'(ack_idx_q[6*IDX_W +: IDX_W]) == 32'(conn);
  assign e_rto  = rto_q[6] && 32'(p6_rto_idx) == 32'(conn);

  always_comb assume (!p6_ack_q || !clear_q[6]);
  always_comb assume (!p6_verdict_q || p6_ack_q);
  always_comb assume (!p6_congested_q || p6_verdict_q);
  always_comb assume (!p6_verdict_q || !e_ack || !paused_now);

  assign restart = asked;
  assign spray   = mode[1];
  assign forced  = mode == 2'd0 && p7_forced_rounds_q != '0 && rounds_now >= p7_forced_rounds_q;
  assign idle    = mode == 2'd0 && p7_idle_rounds_q != '0 && rounds_now >= p7_idle_rounds_q && nothing;
  assign relabel = restart || spray || forced || idle;

  assign asked_sent  = e_open || (asked && !e_send);
  assign rounds_sent = (e_open || (e_send && relabel)) ? '0 : rounds_now;
  assign paused_now  = paused && !e_open && !expired;

  always_ff @(posedge clk) begin
    p6_rto_idx <= rto_idx_q[5*IDX_W +: IDX_W];
    expired    <= p5_expired_q;
    mode       <= p6_mode;
    nothing    <= p6_idle;
    asked      <= asked_sent || e_rto;
    rounds_now <= (e_rto || (e_ack && p6_verdict_q && !p6_congested_q)) ? '0
                : (e_ack && p6_congested_q && rounds_sent != '1)         ? rounds_sent + 1'b1
                :                                                          rounds_sent;
    paused     <= e_rto || (e_ack ? paused_now : paused && !e_open);
    clean      <= !e_rto && ((e_ack && p6_verdict_q) ? !p6_congested_q : clean && !e_open);
  end

  // The answer to a SEND, four stages later; its label is drawn one stage later.
  logic                    seen;
  logic [3:0]              x_send, x_restart, x_spray, x_forced, x_idle, x_paused, x_clean;
  logic [3*LABEL_BITS-1:0] x_label;
  logic                    draws;
  logic [LABEL_BITS-1:0]   label_next;

  assign draws      = x_send[0] && p8_cause_q != 3'd0 && p8_cause_q != 3'd7;
  assign label_next = draws ? word[LABEL_BITS-1:0] : label;

  always_ff @(posedge clk) begin
    x_send    <= {x_send[2:0], e_send && known};
    x_restart <= {x_restart[2:0], restart};
    x_spray   <= {x_spray[2:0], spray};
    x_forced  <= {x_forced[2:0], forced};
    x_idle    <= {x_idle[2:0], idle};
    x_paused  <= {x_paused[2:0], paused};
    x_clean   <= {x_clean[2:0], clean};
    label     <= label_next;
    x_label   <= {x_label[2*LABEL_BITS-1:0], label_next};
    seen      <= seen || draws;
    if (rst_q) begin
      x_send <= '0;
      seen   <= 1'b0;
    end
  end

  logic [2:0] x_seen;

  always_ff @(posedge clk) begin
    x_seen <= {x_seen[1:0], seen || draws};
    if (rst_q) begin
      x_seen <= '0;
    end
  end

  `PROPERTY(only_for_a_reason, x_send[3] && m_send_new, x_restart[3] || x_spray[3] || x_forced[3] || x_idle[3])
  `PROPERTY(asked_is_answered, x_send[3] && x_restart[3], m_send_new && m_send_cause == 3'd3)
  `PROPERTY(forced_at_next_send, x_send[3] && x_forced[3], m_send_new)
  `PROPERTY(idle_at_next_send, x_send[3] && x_idle[3], m_send_new)
  `PROPERTY(paused_only_by_rto, x_send[3] && x_paused[3] && !x_spray[3] && m_send_new, m_send_cause == 3'd3)
  `PROPERTY(clean_round_resets, x_send[3] && x_clean[3] && !x_restart[3] && !x_spray[3], !m_send_new)
  `PROPERTY(label_kept, x_send[3] && x_seen[2], m_send_label == x_label[2*LABEL_BITS +: LABEL_BITS])

  // How the memories stand for that.
  (* hierconn *) logic [ROWS*(1+ROUND_BITS)-1:0] \labels.rounds.words ;
  (* hierconn *) logic [ROWS*(1+ROUND_BITS)-1:0] \labels.rounds_to_send.words ;
  (* hierconn *) logic [ROWS-1:0]                \labels.asked.words ;
  (* hierconn *) logic [ROWS-1:0]                \labels.given.words ;
  (* hierconn *) logic [ROWS-1:0]                \labels.label_era.words ;
  (* hierconn *) logic [ROWS*LABEL_BITS-1:0]     \labels.labels.words ;
  logic                  of_era, of_label_era, of_asked, of_given;
  logic [ROUND_BITS-1:0] of_rounds;

  assign {of_era, of_rounds} = \labels.rounds.words [conn*(1+ROUND_BITS) +: 1+ROUND_BITS];
  assign of_label_era        = \labels.label_era.words [conn];
  assign of_asked            = \labels.asked.words [conn];
  assign of_given            = \labels.given.words [conn];



  `LEMMA(nothing_stale, !(known || e_open) || stale == '0)
  `LEMMA(asked_in_memory, !known || asked == (of_asked != of_given))
  `LEMMA(rounds_in_memory, !known || asked || rounds_now == (of_era == of_label_era ? of_rounds : '0))
  `LEMMA(rounds_twice, !(known || e_open) || {of_era, of_rounds} == \labels.rounds_to_send.words [conn*(1+ROUND_BITS) +: 1+ROUND_BITS])
  `LEMMA(asked_when_opened, !e_open || of_asked)
  `LEMMA(paused_has_none, !known || !paused || asked || rounds_now == '0)
  `LEMMA(clean_has_none, !known || !clean || asked || rounds_now == '0)
  `LEMMA(seen_is_known, known || !(seen || x_send != '0))
  `LEMMA(label_in_memory, !seen || \labels.labels.words [conn*LABEL_BITS +: LABEL_BITS] == label)
