  // Turns, with any views of what connections have in flight, any words of their own, and any answers of
  // pacer and queues.
  `AFTER_RESET

  logic [3:0] fill;       // POPs that the queues have not taken
  logic [3:0] decided;    // turns and flushes on their way to the queue of POPs

  assign fill    = pops_fill;
  assign decided = 4'(g1_due_q || g1_flush_q) + 4'(g2_due_q || g2_flush_q) + 4'(g3_pop_q);

  // What is seen in g1, and what follows from it.
  logic [BYTE_W-1:0] v2_inflight, v2_window, v3_inflight, v3_window, v3_left;
  logic [PSN_W-1:0]  v2_used, v3_used;
  logic [15:0]       v2_quantum, v3_quantum;
  logic              v3_forced;
  logic              v3_room, v3_none, v3_below, v3_unlimited;

  always_ff @(posedge clk) begin
    v2_inflight <= g1_nxt - (g1_restart != g1_taken ? g1_restart_una : g1_una);
    v2_used     <= g1_known ? g1_psn_nxt - (g1_restart != g1_taken ? g1_restart_psn : g1_psn_una) : '0;
    v2_window   <= g1_window;
    v2_quantum  <= (cfg_quantum == '0) ? 16'd1 : cfg_quantum;
    v3_inflight <= v2_inflight;
    v3_used     <= v2_used;
    v3_window   <= v2_window;
    v3_quantum  <= v2_quantum;
    v3_forced   <= g2_forced;
  end

  assign v3_room      = 32'(v3_used) < 2 ** RING_W;
  assign v3_none      = v3_inflight == '0;
  assign v3_below     = v3_inflight < v3_window;
  assign v3_unlimited = v3_window == '1;
  assign v3_left      = v3_window - v3_inflight;

  logic lets, shut;

  assign lets = g3_pop_q && !g3_discard_q;
  assign shut = !v3_none && (!v3_room || !(v3_unlimited || v3_below));

  logic             was_valid;
  logic [POP_W-1:0] was_word;

  always_ff @(posedge clk) begin
    was_valid <= m_pop_valid && !m_pop_ready && !rst;
    was_word  <= {m_pop_idx, m_pop_budget, m_pop_discard};
  end

  `PROPERTY(credits, 1'b1, place_q == (32'(decided) + 32'(fill) < PLACES) && 32'(decided) + 32'(fill) <= PLACES)
  `PROPERTY(pop_has_a_place, g3_pop_q, 32'(fill) < PLACES)
  `PROPERTY(pop_stays, was_valid, m_pop_valid && {m_pop_idx, m_pop_budget, m_pop_discard} == was_word)
  `PROPERTY(shut_sends_nothing, lets && shut, v3_forced)
  `PROPERTY(within_the_window, lets && !shut && !v3_unlimited && v3_below, BYTE_W'(g3_budget) <= v3_left)
  `PROPERTY(one_packet, lets && (shut || !v3_room || !(v3_unlimited || v3_below)), g3_budget == 16'd1)
  `PROPERTY(within_the_quantum, lets, g3_budget != 16'd0 && g3_budget <= v3_quantum)
  `PROPERTY(within_the_ring, lets && !shut && v3_room, 32'(g3_budget) <= 32 * (2 ** RING_W - 32'(v3_used)))
  `PROPERTY(turn_or_wait, g2_legal, g2_pop != (g2_write && g2_waiting_next))
  `PROPERTY(told_once, g2_push, g2_waiting && g2_write && !g2_waiting_next)
