
  // What is in the memories of pointers and rings does not matter here: they give anything.
  //
  // The reset acts a cycle after it comes: what holds, holds from the cycle after that on.
  logic begun   = 1'b0;
  logic started = 1'b0;
  logic reset_acts__holds;

  always_ff @(posedge clk) begin
    begun   <= 1'b1;
    started <= begun;
  end

  always_comb if (!begun) assume (rst);

  assign reset_acts__holds = (begun || !started) && (!begun || started || rst_q);
  always_comb begin
    reset_acts : assert (reset_acts__holds);
  end

  localparam int unsigned QUEUE_W   = $clog2(QUEUES);
  localparam int unsigned PLACE_W   = $clog2(QUEUE_N);
  localparam int unsigned ACK_W     = PID_BITS + WORD_W + LAT_W + TIME_W;
  localparam int unsigned ROUND_W   = $clog2(SLOTS);
  localparam int unsigned LAST      = SLOTS - 1;
  localparam int unsigned WRITE     = 1 + RAM_LATENCY;
  localparam int unsigned LAST_STEP = RAM_LATENCY + 4;

  // Of the parts.
  (* hierconn *) logic                            \queues.e0_valid_q , \queues.e1_valid_q , \queues.e1_scan_q , \queues.e0_load ;
  (* hierconn *) logic [ACK_W-1:0]                \queues.e0_q , \queues.e1_q ;
  (* hierconn *) logic [SLOTS-1:0]                \queues.e1_same_q ;
  (* hierconn *) logic [ROUND_W-1:0]              \queues.round_q ;
  (* hierconn *) logic [QUEUES*(PLACE_W+1)-1:0]   \queues.x_wr , \queues.x_rd , \queues.x_keep ;
  (* hierconn *) logic [QUEUES*QUEUE_N*ACK_W-1:0] \queues.x_acks ;
  (* hierconn *) logic [QUEUES-1:0]               \queues.x_seen , \queues.x_blocked , \queues.x_rest , \queues.x_push , \queues.x_mine ;
  (* hierconn *) logic [QUEUES-1:0]               \queues.ack_some_q , \queues.ack_turn , \queues.ack_after_q , \queues.ack_room ;
  (* hierconn *) logic [SLOTS-1:0]                \barrel.timer_q , \barrel.report_q , \barrel.legal_q , \barrel.follow_q ;
  (* hierconn *) logic [SLOTS-2:0]                \barrel.first_q ;
  (* hierconn *) logic [SLOTS*WORD_W-1:0]         \barrel.words_q ;
  (* hierconn *) logic                            \barrel.last_any_q , \barrel.last_order_q ;
  (* hierconn *) logic                            \scan.busy_q , \scan.held_q , \scan.seen_q , \scan.gone ;
  (* hierconn *) logic [2:0]                      \scan.step_q ;
  (* hierconn *) logic                            \send.ready_q , \send.clearing_q ;
  (* hierconn *) logic [WRITE:0]                  \send.send_q , \send.clear_q ;
  (* hierconn *) logic [LOST_W-1:0]               \lost.wr_q , \lost.rd_q ;

  logic                e0_valid, e1_valid, ready_q;
  logic [ACK_W-1:0]    e0_q, e1_q;
  logic [ROUND_W-1:0]  round_q;
  logic [QUEUES-1:0]   some, turn, room;

  assign e0_valid = \queues.e0_valid_q ;
  assign e1_valid = \queues.e1_valid_q ;
  assign e0_q     = \queues.e0_q ;
  assign e1_q     = \queues.e1_q ;
  assign round_q  = \queues.round_q ;
  assign some     = \queues.ack_some_q ;
  assign turn     = \queues.ack_turn ;
  assign room     = \queues.ack_room ;
  assign ready_q  = \send.ready_q ;

  logic x_any;
  logic x_order;
  logic [2:0] x_step;
  logic x_scan_busy;
  logic x_scan_gone;
  logic x_e1_scan;
  logic x_clearing;
  logic [WRITE:0] x_clear;
  logic [WRITE:0] x_sends;
  logic x_load;

  assign x_any = \barrel.last_any_q ;
  assign x_order = \barrel.last_order_q ;
  assign x_step = \scan.step_q ;
  assign x_scan_busy = \scan.busy_q ;
  assign x_scan_gone = \scan.gone ;
  assign x_e1_scan = \queues.e1_scan_q ;
  assign x_clearing = \send.clearing_q ;
  assign x_clear = \send.clear_q ;
  assign x_sends = \send.send_q ;
  assign x_load = \queues.e0_load ;

  // The barrel; stage i is bit i.
  logic [SLOTS-1:0]        x_valid, x_timer, x_report, x_legal;
  logic [SLOTS-1:0]        x_done;   // an ACK that ends in the barrel, from its second pass on
  logic [SLOTS*WORD_W-1:0] x_word;

  assign x_valid  = ahead | busy;
  assign x_timer  = \barrel.timer_q ;
  assign x_report = \barrel.report_q ;
  assign x_legal  = \barrel.legal_q ;
  assign x_word   = \barrel.words_q ;
  assign x_done   = busy & ~x_timer;

  // ---- the barrel

  logic ok_exclusive, ok_same, ok_follow, ok_kind, ok_held, ok_timer;

  always_comb begin
    ok_exclusive = 1'b1;
    ok_same      = 1'b1;
    ok_follow    = 1'b1;
    ok_kind      = 1'b1;
    ok_held      = 1'b1;
    ok_timer     = 1'b1;
    for (int unsigned i = 0; i < SLOTS; i++) begin
      for (int unsigned j = 0; j < SLOTS; j++) begin
        if (i != j && x_valid[j] && paths[i*PID_BITS +: PID_BITS] == paths[j*PID_BITS +: PID_BITS]) begin
          ok_exclusive = ok_exclusive && !busy[i];
          if (j < i && ahead[i] && ahead[j]) begin
            ok_follow = ok_follow && \barrel.follow_q [i];
          end
        end
        ok_timer = ok_timer && !(i != j && x_valid[i] && x_timer[i] && x_valid[j] && x_timer[j]);
      end
      if (e1_valid && x_valid[i]) begin
        ok_same = ok_same && \queues.e1_same_q [i] == (ack_path == paths[i*PID_BITS +: PID_BITS]);
      end
      ok_kind = ok_kind && !(ahead[i] && busy[i]) && !(ahead[i] && (x_timer[i] || x_report[i])) && !(busy[i] && !x_legal[i]);
      if (i < LAST) begin
        ok_kind = ok_kind && !(ahead[i] && !\barrel.first_q [i]) && !(busy[i] && !x_timer[i] && \barrel.first_q [i]);
      end
      ok_timer = ok_timer && !(x_valid[i] && x_timer[i] && !(\scan.busy_q && paths[i*PID_BITS +: PID_BITS] == scan_path));
      if (i < LAST && scan_want && x_valid[i] && paths[i*PID_BITS +: PID_BITS] == scan_path) begin
        ok_held = ok_held && \scan.held_q ;
      end
    end
    ok_timer = ok_timer && !(\scan.busy_q && (x_valid & x_timer) == '0);
  end

  `LEMMA(one_busy_a_path, ok_exclusive)
  `LEMMA(same_is_same, ok_same)
  `LEMMA(follow_is_behind, ok_follow)
  `LEMMA(kinds, ok_kind)
  `LEMMA(held_is_there, ok_held)
  `LEMMA(timer_is_busy, ok_timer)
  `LEMMA(order_is_any, !x_order || x_any)
  `LEMMA(want_is_stable, !scan_want || (32'(x_step) == LAST_STEP && !x_scan_busy))
  `LEMMA(step_is_small, 32'(x_step) <= LAST_STEP)
  `LEMMA(scan_is_same, !(e1_valid && x_step != 3'd0) || x_e1_scan == (ack_path == scan_path))
  `LEMMA(scan_is_legal, 32'(scan_path) < PATHS)
  `LEMMA(ready_for_good, !ready_q || (!x_clearing && x_clear[WRITE-1:0] == '0))
  `LEMMA(nothing_before_ready, ready_q || (!e0_valid && !e1_valid && x_valid == '0 && !scan_want && !x_scan_busy && some == '0))

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
    for (int unsigned i = 0; i < SLOTS; i++) begin
      if (32'(round_q) >= i && x_valid[i] && x_timer[i]) begin
        seen_timer = \scan.seen_q ;
      end
    end
  end

  assign q_push = \queues.x_push ;
  assign q_rest = \queues.x_rest ;
  assign q_wr   = \queues.x_wr ;
  assign q_keep = \queues.x_keep ;

  for (genvar g = 0; g < QUEUES; g++) begin : g_look
    logic [SLOTS-1:0]         mine;
    logic                     e1_mine;
    logic [PLACE_W:0]         place;
    logic                     seen, words;
    logic [QUEUE_N*ACK_W-1:0] acks;
    logic [ACK_W-1:0]         ack;
    logic [PLACE_W:0]         kept, used;
    logic [4:0]               many;   // at most SLOTS + 2
    logic [PLACE_W:0]         rd, keep, wr;

    assign wr   = \queues.x_wr [g*(PLACE_W+1) +: PLACE_W+1];
    assign rd   = \queues.x_rd [g*(PLACE_W+1) +: PLACE_W+1];
    assign keep = \queues.x_keep [g*(PLACE_W+1) +: PLACE_W+1];
    assign acks = \queues.x_acks [g*QUEUE_N*ACK_W +: QUEUE_N*ACK_W];

    for (genvar k = 0; k < QUEUE_N; k++) begin : g_word
      assign q_paths[g*QUEUE_N + k] = acks[k*ACK_W + ACK_W-1 -: PID_BITS] == path;
      assign q_here[g*QUEUE_N + k]  = acks[k*ACK_W + LAT_W+TIME_W +: WORD_W] == word;
    end

    assign e1_mine = e1_valid && ack_path[QUEUE_W-1:0] == QUEUE_W'(g);

    // What it holds belongs to it.
    logic own;

    always_comb begin
      own = 1'b1;
      for (int unsigned k = 0; k < QUEUE_N; k++) begin
        if ({1'b0, PLACE_W'(k) - keep[PLACE_W-1:0]} < used) begin
          own = own && acks[k*ACK_W + ACK_W-PID_BITS +: QUEUE_W] == QUEUE_W'(g);
        end
      end
    end

    // In their order in the queue: those in the barrel, the one in e1, the one in e0.
    always_comb begin
      place = keep;
      many  = '0;
      words = 1'b1;
      seen  = 1'b1;
      ack   = '0;
      for (int unsigned i = SLOTS; i > 0; i--) begin
        mine[i-1] = paths[(i-1)*PID_BITS +: QUEUE_W] == QUEUE_W'(g);
        ack       = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        if (ahead[i-1] && mine[i-1]) begin
          words = words && ack[ACK_W-1 -: PID_BITS+WORD_W] == {paths[(i-1)*PID_BITS +: PID_BITS], x_word[(i-1)*WORD_W +: WORD_W]};
          place = place + 1'b1;
          many = many + 1'b1;
        end
        if (32'(round_q) >= i - 1 && x_valid[i-1] && mine[i-1]) begin
          seen = \queues.x_seen [g];
        end
      end
      if (e1_mine) begin
        seen  = \queues.x_seen [g];
        ack   = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        words = words && ack == e1_q;
        place = place + 1'b1;
        many = many + 1'b1;
      end
      if (\queues.x_mine [g]) begin
        ack   = acks[place[PLACE_W-1:0]*ACK_W +: ACK_W];
        words = words && ack == e0_q;
        place = place + 1'b1;
        many = many + 1'b1;
      end
    end

    assign kept = rd - keep;
    assign used = wr - keep;

    assign q_count[g]   = 32'(many) == 32'(kept);
    assign q_words[g]   = words && own;
    assign q_fill[g]    = kept <= used && 32'(used) <= QUEUE_N;
    assign q_some[g]    = (ready_q || used == '0) && (!some[g] || rd != wr);
    assign q_seen[g]    = seen;
    assign q_blocked[g] = !\queues.x_blocked [g] || (busy & mine) != '0 ||
                          (scan_want && scan_path[QUEUE_W-1:0] == QUEUE_W'(g) && \queues.x_seen [g]);
    assign q_rest_fine[g] = keep == rd && !\queues.x_blocked [g];
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
  `PROPERTY(look_is_never_gone, x_scan_gone , !x_scan_busy)

  // ---- the ACKs of a path, any one

  localparam int unsigned FILL_W = PLACE_W + 3;

  logic [QUEUE_W-1:0]       queue;
  logic [QUEUE_N-1:0]       my_paths, my_words;  // places that hold ACKs of the path, and its word
  logic [PLACE_W:0]         my_wr, my_keep, my_used;
  logic                     push, answer, leaves;
  logic                     mark, marked, left, out;
  logic [PLACE_W:0]         place;
  logic [FILL_W-1:0]        front;   // answers of the path before its own
  logic [FILL_W-1:0]        fill;    // ACKs of the path that were taken and not answered

  assign queue   = path[QUEUE_W-1:0];
  assign my_paths = q_paths[queue*QUEUE_N +: QUEUE_N];
  assign my_words = q_here[queue*QUEUE_N +: QUEUE_N];
  assign my_wr   = q_wr[queue*(PLACE_W+1) +: PLACE_W+1];
  assign my_keep = q_keep[queue*(PLACE_W+1) +: PLACE_W+1];
  assign my_used = my_wr - my_keep;
  assign push    = s_ack_valid && s_ack_ready && s_ack_pid == path;
  assign answer  = m_ack_valid && m_ack_pid == path;
  assign leaves  = ahead[LAST] && paths[LAST*PID_BITS +: QUEUE_W] == queue;

  always_ff @(posedge clk) begin
    fill <= fill + FILL_W'(push) - FILL_W'(answer);
    if (push && mark && !marked) begin
      marked <= 1'b1;
      word   <= {s_ack_flow, s_ack_seq};
      place  <= my_wr;
      front  <= fill - FILL_W'(answer);
    end
    if (marked && !left && leaves && my_keep == place) begin
      left <= 1'b1;
    end
    if (marked && !out && answer) begin
      front <= front - 1'b1;
      out   <= front == '0;
    end
    if (rst_q) begin
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
    for (int unsigned i = 0; i < SLOTS; i++) begin
      if (x_done[i] && paths[i*PID_BITS +: PID_BITS] == path) begin
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
  assign waits  = !left && in_queue && front == in_front;
  assign ends   = left && ((in_busy == FILL_W'(1) && busy_word && front == FILL_W'(answer)) ||
                           (in_busy == '0 && answer && {m_ack_flow, m_ack_seq} == word && front == '0));

  `LEMMA(fill_is_all, fill == in_all)
  `LEMMA(marked_flags, (marked || (!left && !out)) && (left || !out))

  `PROPERTY(nothing_lost, inside, waits || ends)
  `PROPERTY(in_order, inside && answer && front == '0, {m_ack_flow, m_ack_seq} == word)
  `PROPERTY(only_what_was_taken, answer, fill != '0)

  // ---- turns

  `ANY(QUEUE_W, one)

  localparam int unsigned WAIT_W = QUEUE_W + 1;

  logic [WAIT_W-1:0] waiting;   // loads of the first stage while it could have been read
  logic [WAIT_W-1:0] steps;     // from the queue whose turn was last to it
  logic              turns;     // the register is one of those that it may be

  always_comb begin
    steps = WAIT_W'(one) + 1'b1;
    turns = \queues.ack_after_q  == '0;
    for (int unsigned i = 1; i < QUEUES; i++) begin
      if (\queues.ack_after_q  == QUEUES'(~((64'd1 << i) - 64'd1))) begin
        turns = 1'b1;
        steps = (32'(one) >= i) ? WAIT_W'(32'(one) - i) + 1'b1 : WAIT_W'(32'(one) + QUEUES - i) + 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (rst_q || !some[one] || (\queues.e0_load  && turn[one])) begin
      waiting <= '0;
    end else if (\queues.e0_load ) begin
      waiting <= waiting + 1'b1;
    end
  end

  `LEMMA(turns_are_right, turns)
  `LEMMA(waiting_is_short, 32'(waiting) + 32'(steps) <= QUEUES)
  `PROPERTY(one_turn, some != '0, turn != '0 && (turn & (turn - 1'b1)) == '0 && (turn & ~some) == '0)
  `PROPERTY(turn_comes, waiting == WAIT_W'(QUEUES - 1) && some[one] && x_load , turn[one])

  // ---- streams

  logic              was_room, was_lost;
  logic [PID_BITS+WORD_W:0] was_data;
  logic [WRITE+1:0]  x_send;

  always_ff @(posedge clk) begin
    was_room <= sts_ready && room[one] && !q_push[one] && !rst;
    was_lost <= m_lost_valid && !m_lost_ready && !rst_q;
    was_data <= {m_lost_pid, m_lost_flow, m_lost_seq, m_lost_timeout};
    x_send   <= {x_send[WRITE:0], s_send_valid && sts_ready};
    if (rst_q) begin
      x_send <= '0;
    end
  end

  logic [LOST_W-1:0] lost_fill;

  assign lost_fill = \lost.wr_q - \lost.rd_q ;

  `LEMMA(sends_move, x_send[WRITE:0] == x_sends)
  `LEMMA(lost_in_range, 32'(lost_fill) <= LOST_N)
  `LEMMA(room_is_room, !lost_room_q || 32'(lost_fill) < LOST_N)

  `PROPERTY(ack_ready_stays, was_room, sts_ready && room[one])
  `PROPERTY(lost_stays, was_lost, m_lost_valid && {m_lost_pid, m_lost_flow, m_lost_seq, m_lost_timeout} == was_data)
  `PROPERTY(lost_never_overflows, lost_push, unused_lost_ready)
  `PROPERTY(lost_is_counted, m_lost_valid, lost_used_q == lost_fill)
  `PROPERTY(sends_are_answered, 1'b1, m_send_valid == x_send[WRITE+1])
