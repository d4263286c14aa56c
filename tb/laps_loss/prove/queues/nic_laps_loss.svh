
  // What is in the memories of pointers and rings does not matter here: they give anything.
  `AFTER_RESET

  // The barrel; stage i is bit i.
  logic [6:0]            x_valid, x_timer, x_first, x_report, x_legal;
  logic [6:0]            x_done;   // an ACK that ends in the barrel, from its second pass on
  logic [7*PID_BITS-1:0] x_path;
  logic [7*WORD_W-1:0]   x_word;

  assign x_valid  = ahead_q | busy_q;
  assign x_timer  = {b6_q.timer, b5_q.timer, b4_q.timer, b3_q.timer, b2_q.timer, b1_q.timer, b0_q.timer};
  assign x_first  = {b6_q.first, b5_q.first, b4_q.first, b3_q.first, b2_q.first, b1_q.first, b0_q.first};
  assign x_report = {b6_q.report, b5_q.report, b4_q.report, b3_q.report, b2_q.report, b1_q.report, b0_q.report};
  assign x_legal  = {b6_q.legal, b5_q.legal, b4_q.legal, b3_q.legal, b2_q.legal, b1_q.legal, b0_q.legal};
  assign x_path   = {b6_q.path, b5_q.path, b4_q.path, b3_q.path, b2_q.path, b1_q.path, b0_q.path};
  assign x_word   = {b6_q.flow, b6_q.seq, b5_q.flow, b5_q.seq, b4_q.flow, b4_q.seq, b3_q.flow, b3_q.seq,
                     b2_q.flow, b2_q.seq, b1_q.flow, b1_q.seq, b0_q.flow, b0_q.seq};
  assign x_done   = busy_q & ~x_timer;

  // ---- the barrel

  logic ok_exclusive, ok_same, ok_follow, ok_kind, ok_held, ok_timer;

  always_comb begin
    ok_exclusive = 1'b1;
    ok_same      = 1'b1;
    ok_follow    = 1'b1;
    ok_kind      = 1'b1;
    ok_held      = 1'b1;
    ok_timer     = 1'b1;
    for (int unsigned i = 0; i < 7; i++) begin
      for (int unsigned j = 0; j < 7; j++) begin
        if (i != j && x_valid[j] && x_path[i*PID_BITS +: PID_BITS] == x_path[j*PID_BITS +: PID_BITS]) begin
          ok_exclusive = ok_exclusive && !busy_q[i];
          if (j < i && ahead_q[i] && ahead_q[j]) begin
            ok_follow = ok_follow && follow_q[i];
          end
        end
        ok_timer = ok_timer && !(i != j && x_valid[i] && x_timer[i] && x_valid[j] && x_timer[j]);
      end
      if (e1_valid_q && x_valid[i]) begin
        ok_same = ok_same && e1_same_q[i] == (ack_path == x_path[i*PID_BITS +: PID_BITS]);
      end
      ok_kind = ok_kind && !(ahead_q[i] && busy_q[i]) && !(ahead_q[i] && (x_timer[i] || x_report[i] || !x_first[i])) &&
                !(busy_q[i] && !x_legal[i]) && !(busy_q[i] && !x_timer[i] && x_first[i]);
      ok_timer = ok_timer && !(x_valid[i] && x_timer[i] && !(scan_busy_q && x_path[i*PID_BITS +: PID_BITS] == scan_path_q));
      if (i < 6 && scan_want_q && x_valid[i] && x_path[i*PID_BITS +: PID_BITS] == scan_path_q) begin
        ok_held = ok_held && scan_held_q;
      end
    end
    ok_timer = ok_timer && !(scan_busy_q && (x_valid & x_timer) == '0);
  end

  `LEMMA(one_busy_a_path, ok_exclusive)
  `LEMMA(same_is_same, ok_same)
  `LEMMA(follow_is_behind, ok_follow)
  `LEMMA(kinds, ok_kind)
  `LEMMA(held_is_there, ok_held)
  `LEMMA(timer_is_busy, ok_timer)
  `LEMMA(order_is_any, !b6_order_q || b6_any_q)
  `LEMMA(want_is_stable, !scan_want_q || (scan_step_q == 3'd4 && !scan_busy_q))
  `LEMMA(step_is_small, scan_step_q <= 3'd4)
  `LEMMA(scan_is_same, !(e1_valid_q && scan_step_q != 3'd0) || e1_scan_q == (ack_path == scan_path_q))
  `LEMMA(scan_is_legal, 32'(scan_path_q) < PATHS)
  `LEMMA(ready_for_good, !ready_q || (!clearing_q && !p0_clear_q && !p1_clear_q))
  `LEMMA(nothing_before_ready, ready_q || (!e0_valid_q && !e1_valid_q && x_valid == '0 && !scan_want_q && !scan_busy_q && ack_some_q == '0))

  `ANY(PID_BITS, path)
  logic [WORD_W-1:0] word;  // of one of its ACKs, see below

  // ---- the queues

  logic [QUEUES-1:0]               q_count, q_fill, q_some, q_seen, q_blocked, q_words;
  logic [QUEUES*QUEUE_N-1:0]       q_paths, q_here;
  logic [QUEUES*(PLACE_W+1)-1:0]   q_wr, q_keep;
  logic [QUEUES-1:0]               q_rest, q_rest_fine, q_push;
  logic                            seen_timer;

  always_comb begin
    seen_timer = 1'b1;
    for (int unsigned i = 0; i < 7; i++) begin
      if (32'(round_q) >= i && x_valid[i] && x_timer[i]) begin
        seen_timer = scan_seen_q;
      end
    end
  end

  for (genvar g = 0; g < QUEUES; g++) begin : g_look
    logic [6:0]               mine;
    logic                     e1_mine;
    logic [PLACE_W:0]         place;
    logic                     seen, words;
    logic [QUEUE_N*ACK_W-1:0] acks;
    logic [ACK_W-1:0]         ack;
    logic [PLACE_W:0]         kept, used;
    logic [3:0]               many;   // at most 9

    for (genvar k = 0; k < QUEUE_N; k++) begin : g_word
      assign acks[k*ACK_W +: ACK_W] = g_queue[g].acks[k];
      assign q_paths[g*QUEUE_N + k] = acks[k*ACK_W + ACK_W-1 -: PID_BITS] == path;
      assign q_here[g*QUEUE_N + k]  = acks[k*ACK_W + LAT_W+TIME_W +: WORD_W] == word;
    end

    assign e1_mine = e1_valid_q && ack_path[QUEUE_W-1:0] == QUEUE_W'(g);

    // What it holds belongs to it.
    logic own;

    always_comb begin
      own = 1'b1;
      for (int unsigned k = 0; k < QUEUE_N; k++) begin
        if ({1'b0, PLACE_W'(k) - g_queue[g].keep_q[PLACE_W-1:0]} < used) begin
          own = own && acks[k*ACK_W + ACK_W-PID_BITS +: QUEUE_W] == QUEUE_W'(g);
        end
      end
    end

    // In their order in the queue: those in the barrel, the one in e1, the one in e0.
    always_comb begin
      place = g_queue[g].keep_q;
      many  = '0;
      words = 1'b1;
      seen  = 1'b1;
      ack   = '0;
      for (int unsigned i = 7; i > 0; i--) begin
        mine[i-1] = x_path[(i-1)*PID_BITS +: QUEUE_W] == QUEUE_W'(g);
        ack       = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        if (ahead_q[i-1] && mine[i-1]) begin
          words = words && ack[ACK_W-1 -: PID_BITS+WORD_W] == {x_path[(i-1)*PID_BITS +: PID_BITS], x_word[(i-1)*WORD_W +: WORD_W]};
          place = place + 1'b1;
          many = many + 1'b1;
        end
        if (32'(round_q) >= i - 1 && x_valid[i-1] && mine[i-1]) begin
          seen = g_queue[g].seen_q;
        end
      end
      if (e1_mine) begin
        seen  = g_queue[g].seen_q;
        ack   = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        words = words && ack == e1_q;
        place = place + 1'b1;
        many = many + 1'b1;
      end
      if (g_queue[g].e0_mine) begin
        ack   = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        words = words && ack == e0_q;
        place = place + 1'b1;
        many = many + 1'b1;
      end
    end

    assign kept = g_queue[g].rd_q - g_queue[g].keep_q;
    assign used = g_queue[g].wr_q - g_queue[g].keep_q;

    assign q_count[g]   = 32'(many) == 32'(kept);
    assign q_words[g]   = words && own;
    assign q_fill[g]    = kept <= used && 32'(used) <= QUEUE_N;
    assign q_some[g]    = (ready_q || used == '0) && (!ack_some_q[g] || g_queue[g].rd_q != g_queue[g].wr_q);
    assign q_seen[g]    = seen;
    assign q_blocked[g] = !g_queue[g].blocked_q || (busy_q & mine) != '0 ||
                          (scan_want_q && scan_path_q[QUEUE_W-1:0] == QUEUE_W'(g) && g_queue[g].seen_q);
    assign q_rest[g]      = g_queue[g].rest;
    assign q_rest_fine[g] = g_queue[g].keep_q == g_queue[g].rd_q && !g_queue[g].blocked_q;
    assign q_push[g]      = g_queue[g].push;

    assign q_wr[g*(PLACE_W+1) +: PLACE_W+1]           = g_queue[g].wr_q;
    assign q_keep[g*(PLACE_W+1) +: PLACE_W+1]         = g_queue[g].keep_q;
  end

  `LEMMA(kept_are_counted, &q_count)
  `LEMMA(kept_are_there, &q_words)
  `LEMMA(queue_in_range, &q_fill)
  `LEMMA(some_is_some, &q_some)
  `LEMMA(seen_is_seen, &q_seen)
  `LEMMA(blocked_for_a_reason, &q_blocked)
  `LEMMA(look_is_seen, seen_timer)

  // What mends the unit after an upset does nothing without one.
  `PROPERTY(rest_changes_nothing, q_rest != '0, (q_rest & ~q_rest_fine) == '0)
  `PROPERTY(look_is_never_gone, scan_gone, !scan_busy_q)

  // ---- the ACKs of a path, any one

  localparam int unsigned FILL_W = PLACE_W + 3;

  logic [QUEUE_W-1:0]       queue;
  logic [QUEUE_N-1:0]       my_paths, my_words;  // places that hold ACKs of the path, and its word
  logic [PLACE_W:0]         my_wr, my_keep, my_used;
  logic                     push, answer, leaves;
  logic                     mark, marked, left, out;
  logic [PLACE_W:0]         place;
  logic [FILL_W-1:0]        ahead;   // answers of the path before its own
  logic [FILL_W-1:0]        fill;    // ACKs of the path that were taken and not answered

  assign queue   = path[QUEUE_W-1:0];
  assign my_paths = q_paths[queue*QUEUE_N +: QUEUE_N];
  assign my_words = q_here[queue*QUEUE_N +: QUEUE_N];
  assign my_wr   = q_wr[queue*(PLACE_W+1) +: PLACE_W+1];
  assign my_keep = q_keep[queue*(PLACE_W+1) +: PLACE_W+1];
  assign my_used = my_wr - my_keep;
  assign push    = s_ack_valid && s_ack_ready && s_ack_pid == path;
  assign answer  = m_ack_valid && m_ack_pid == path;
  assign leaves  = ahead_q[6] && b6_q.path[QUEUE_W-1:0] == queue;

  always_ff @(posedge clk) begin
    fill <= fill + FILL_W'(push) - FILL_W'(answer);
    if (push && mark && !marked) begin
      marked <= 1'b1;
      word   <= {s_ack_flow, s_ack_seq};
      place  <= my_wr;
      ahead  <= fill - FILL_W'(answer);
    end
    if (marked && !left && leaves && my_keep == place) begin
      left <= 1'b1;
    end
    if (marked && !out && answer) begin
      ahead <= ahead - 1'b1;
      out   <= ahead == '0;
    end
    if (rst) begin
      fill   <= '0;
      marked <= 1'b0;
      left   <= 1'b0;
      out    <= 1'b0;
    end
  end

  logic [FILL_W-1:0]  in_all, in_front;   // of the path: in the unit, and before the marked one
  logic [FILL_W-1:0]  in_busy;
  logic               busy_word, in_queue;
  logic [PLACE_W:0]   at, marked_at;

  always_comb begin
    in_busy   = '0;
    busy_word = 1'b0;
    for (int unsigned i = 0; i < 7; i++) begin
      if (x_done[i] && x_path[i*PID_BITS +: PID_BITS] == path) begin
        in_busy   = in_busy + 1'b1;
        busy_word = x_word[i*WORD_W +: WORD_W] == word;
      end
    end
    in_all    = in_busy + FILL_W'(answer);
    in_front  = in_all;
    in_queue  = 1'b0;
    marked_at = place - my_keep;
    at        = '0;
    for (int unsigned k = 0; k < QUEUE_N; k++) begin
      at = {1'b0, PLACE_W'(k) - my_keep[PLACE_W-1:0]};
      if (at < my_used && my_paths[k]) begin
        in_all = in_all + 1'b1;
        if (at < marked_at) begin
          in_front = in_front + 1'b1;
        end
        if (at == marked_at && my_words[k]) begin
          in_queue = 1'b1;
        end
      end
    end
  end

  logic waits, ends, inside;

  assign inside = marked && !out;
  assign waits  = !left && in_queue && ahead == in_front;
  assign ends   = left && ((in_busy == FILL_W'(1) && busy_word && ahead == FILL_W'(answer)) ||
                           (in_busy == '0 && answer && {m_ack_flow, m_ack_seq} == word && ahead == '0));

  `LEMMA(fill_is_all, fill == in_all)
  `LEMMA(marked_flags, (marked || (!left && !out)) && (left || !out))

  `PROPERTY(nothing_lost, inside, waits || ends)
  `PROPERTY(in_order, inside && answer && ahead == '0, {m_ack_flow, m_ack_seq} == word)
  `PROPERTY(only_what_was_taken, answer, fill != '0)

  // ---- turns

  `ANY(QUEUE_W, one)

  localparam int unsigned WAIT_W = QUEUE_W + 1;

  logic [WAIT_W-1:0] waiting;   // loads of the first stage while it could have been read
  logic [WAIT_W-1:0] steps;     // from the queue whose turn was last to it
  logic              turns;     // the register is one of those that it may be

  always_comb begin
    steps = WAIT_W'(one) + 1'b1;
    turns = ack_after_q == '0;
    for (int unsigned i = 1; i < QUEUES; i++) begin
      if (ack_after_q == QUEUES'(~((64'd1 << i) - 64'd1))) begin
        turns = 1'b1;
        steps = (32'(one) >= i) ? WAIT_W'(32'(one) - i) + 1'b1 : WAIT_W'(32'(one) + QUEUES - i) + 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst || !ack_some_q[one] || (e0_load && ack_turn[one])) begin
      waiting <= '0;
    end else if (e0_load) begin
      waiting <= waiting + 1'b1;
    end
  end

  `LEMMA(turns_are_right, turns)
  `LEMMA(waiting_is_short, 32'(waiting) + 32'(steps) <= QUEUES)
  `PROPERTY(one_turn, ack_some_q != '0, ack_turn != '0 && (ack_turn & (ack_turn - 1'b1)) == '0 && (ack_turn & ~ack_some_q) == '0)
  `PROPERTY(turn_comes, waiting == WAIT_W'(QUEUES - 1) && ack_some_q[one] && e0_load, ack_turn[one])

  // ---- streams

  logic              was_room, was_lost;
  logic [PID_BITS+WORD_W:0] was_data;
  logic [3:0]        x_send;

  always_ff @(posedge clk) begin
    was_room <= ready_q && ack_room[one] && !q_push[one] && !rst;
    was_lost <= m_lost_valid && !m_lost_ready && !rst;
    was_data <= {m_lost_pid, m_lost_flow, m_lost_seq, m_lost_timeout};
    x_send   <= {x_send[2:0], s_send_valid && ready_q};
    if (rst) begin
      x_send <= '0;
    end
  end

  (* hierconn *) logic [LOST_W-1:0] \lost.wr_q ;
  (* hierconn *) logic [LOST_W-1:0] \lost.rd_q ;
  logic [LOST_W-1:0] lost_fill;

  assign lost_fill = \lost.wr_q - \lost.rd_q ;

  `LEMMA(sends_move, x_send[2:0] == {p2_send_q, p1_send_q, p0_send_q})
  `LEMMA(lost_in_range, 32'(lost_fill) <= LOST_N)
  `LEMMA(room_is_room, !b6_room_q || 32'(lost_fill) < LOST_N)

  `PROPERTY(ack_ready_stays, was_room, ready_q && ack_room[one])
  `PROPERTY(lost_stays, was_lost, m_lost_valid && {m_lost_pid, m_lost_flow, m_lost_seq, m_lost_timeout} == was_data)
  `PROPERTY(lost_never_overflows, b6_push, unused_lost_ready)
  `PROPERTY(lost_is_counted, m_lost_valid, lost_used_q == lost_fill)
  `PROPERTY(sends_are_answered, 1'b1, m_send_valid == x_send[3])
