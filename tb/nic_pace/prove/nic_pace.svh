  // Where each of two connections is. The wheel is replaced by any one that gives back only what is in
  // it; so are the queue of PUSH, by any that keeps its head until it is taken, departure times and
  // rates.
  `AFTER_REGISTERED_RESET

  always_comb assume (!cfg_flush_force);

  logic [1:0] in_wheel, in_place, in_queue, leaves;
  logic [7:0] in_lane;   // four bits a connection: how often
  logic       left_idx, left_2_idx;
  logic [3:0] sum_0, sum_1;

  always_comb assume (!look_valid || !started || in_wheel[look_idx]);

  logic                 head_waits;
  logic [CONN_BITS-1:0] head;

  always_ff @(posedge clk) begin
    head_waits <= push_valid && !push_ready && !rst_q;
    head       <= push_conn;
  end

  always_comb assume (!head_waits || (push_valid && push_conn == head));

  // In the wheel from p6 to the look; in the queue from p6 to the turn; between them in the lane.
  for (genvar c = 0; c < 2; c++) begin : g_conn
    assign in_lane[4*c +: 4] = 4'(p0_look_q && p0_idx == c) + 4'(p1_look_q && p1_idx_q == c) +
                               4'(p2_look_q && p2_idx_q == c) + 4'(p3_enter_q && p3_idx_q == c) +
                               4'(p4_enter_q && p4_idx_q == c) + 4'(p5_enter_q && p5_idx_q == c);
    assign in_place[c] = (p6_due_q || p6_wait_q) && p6_idx_q == c;
    assign leaves[c]   = (left && left_idx == c) || (\due.left_2_q && left_2_idx == c);

    always_ff @(posedge clk) begin
      in_wheel[c] <= (in_wheel[c] && !(look && look_idx == c)) || (p6_wait_q && p6_idx_q == c);
      in_queue[c] <= (in_queue[c] && !(m_due_valid && m_due_ready && due_idx == c)) || (p6_due_q && p6_idx_q == c);
      if (rst_q) begin
        in_wheel[c] <= 1'b0;
        in_queue[c] <= 1'b0;
      end
    end
  end

  (* hierconn *) logic       \due.left_2_q ;
  (* hierconn *) logic [1:0] \due.wr_q ;
  (* hierconn *) logic [1:0] \due.rd_q ;
  (* hierconn *) logic       \due.shown_q ;
  (* hierconn *) logic [1:0] \due.queue.words ;
  (* hierconn *) logic [1:0] \due.bits.words ;
  (* hierconn *) logic [3:0] \places.words ;

  always_ff @(posedge clk) begin
    left_idx   <= due_idx;
    left_2_idx <= left_idx;
  end

  assign sum_0 = 4'(in_wheel[0]) + in_lane[3:0] + 4'(in_place[0]) + 4'(in_queue[0]);
  assign sum_1 = 4'(in_wheel[1]) + in_lane[7:4] + 4'(in_place[1]) + 4'(in_queue[1]);

  // The bits say so; they are there once the sweep was.
  logic [1:0] swept_in, swept_out, is_inside;
  logic       sweeps_1, sweeps_2, sweep_idx_1, sweep_idx_2;

  for (genvar c = 0; c < 2; c++) begin : g_bits
    assign is_inside[c] = \places.words [2*c+1] != \due.bits.words [c];

    always_ff @(posedge clk) begin
      swept_in[c]  <= swept_in[c] || (p2_sweep_q && p2_idx_q == c);
      swept_out[c] <= swept_out[c] || (sweeps_2 && sweep_idx_2 == c);
      if (rst_q) begin
        swept_in[c]  <= 1'b0;
        swept_out[c] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk) begin
    sweeps_1    <= p0_sweep_q && !rst_q;
    sweeps_2    <= sweeps_1 && !rst_q;
    sweep_idx_1 <= p0_idx;
    sweep_idx_2 <= sweep_idx_1;
  end

  `PROPERTY(one_place, 1'b1, sum_0 <= 4'd1 && sum_1 <= 4'd1)
  `PROPERTY(inside_is_somewhere, swept_out[p2_idx_q] && (p2_push_q || p2_done_q || p2_flush_q) && p2_exists_q && p2_inside,
    (p2_idx_q ? sum_1 : sum_0) + 4'(leaves[p2_idx_q]) == 4'd1)
  `PROPERTY(outside_is_nowhere, swept_out[p2_idx_q] && (p2_push_q || p2_done_q || p2_flush_q) && p2_exists_q && !p2_inside,
    (p2_idx_q ? sum_1 : sum_0) == 4'd0)
  `PROPERTY(turn_is_one_of_the_queue, m_due_valid, in_queue[due_idx])

  logic [1:0] fill;

  assign fill = \due.wr_q - \due.rd_q ;

  `PROPERTY(queue_never_overflows, m_due_valid, 3'(fill) + 3'd1 <= 3'd2)

  `LEMMA(bits_0, !(swept_in[0] && swept_out[0]) || sum_0 + 4'(leaves[0]) == 4'(is_inside[0]))
  `LEMMA(bits_1, !(swept_in[1] && swept_out[1]) || sum_1 + 4'(leaves[1]) == 4'(is_inside[1]))
  `LEMMA(nobody_before, ready_q || (sum_0 == 4'd0 && sum_1 == 4'd0 && leaves == 2'd0 && !m_due_valid))
  `LEMMA(fill_fits, 3'(fill) + 3'(m_due_valid) == 3'(in_queue[0]) + 3'(in_queue[1]))
  `LEMMA(queue_at_port, !m_due_valid || (due_idx == \due.queue.words [\due.shown_q ] && \due.shown_q == ~\due.rd_q [0]))
  `LEMMA(queue_first, fill == 2'd0 || in_queue[\due.queue.words [\due.rd_q [0]]])
  `LEMMA(queue_second, fill != 2'd2 || \due.queue.words [0] != \due.queue.words [1])
  `LEMMA(queue_both, !m_due_valid || fill == 2'd0 || \due.queue.words [0] != \due.queue.words [1])
  `LEMMA(will_sweep_0, (swept_in[0] && swept_out[0]) || (!ready_q) || (p0_sweep_q && !p0_idx) || (p1_sweep_q && !p1_idx_q) || (p2_sweep_q && !p2_idx_q))
  `LEMMA(will_sweep_1, (swept_in[1] && swept_out[1]) || (!ready_q && sweep_q >= SWEEP_W'(1)) || (p0_sweep_q && p0_idx) || (p1_sweep_q && p1_idx_q) || (p2_sweep_q && p2_idx_q))
  `LEMMA(sweeps_alike, p1_sweep_q == sweeps_1 && p2_sweep_q == sweeps_2)

  // Times. The time does not go back or jump by a 64th of its range, and the wheel is never a
  // quarter of it behind.
  logic [TURN_W-1:0] now, was, late, late_5, moved, p5_turn, p6_now, p6_time, p6_turn, p6_ahead, p6_left;
  logic [SLOT_W-1:0] goes_to;
  logic              known;
  logic [1:0]        quiet, swept;

  assign now   = now_ns[TIME_W-1:SHIFT];
  assign late  = now - turn_q;
  assign p5_turn = p5_last_q - TURN_W'(SLOTS - 1);
  assign late_5 = now - p5_turn;
  assign moved  = now - was;

  always_comb assume (!known || moved[TURN_W-1:TURN_W-6] == 6'd0);
  // Allowances are below a quarter of the time's range, as the ports' table says.
  always_comb assume (cfg_allowance_ns[TIME_W-1:TIME_W-2] == 2'b00 && cfg_idle_ns[TIME_W-1:TIME_W-2] == 2'b00);
  always_comb assume (late[TURN_W-1:TURN_W-2] != 2'b01 && late_5[TURN_W-1:TURN_W-2] != 2'b01);

  always_ff @(posedge clk) begin
    was     <= now;
    known   <= 1'b1;
    quiet   <= {quiet[0], !rst_q};
    swept   <= {swept[0], ready_q && !rst_q};
    p6_now  <= now;
    p6_time <= p5_time;
    p6_turn <= p5_turn;
  end

  assign p6_ahead = p6_time - p6_now;
  assign p6_left  = p6_time - p6_turn;
  assign goes_to  = p6_beyond_q ? p6_last_q : p6_slot_q;

  `PROPERTY(never_early, p6_due_q, p6_ahead == '0 || p6_ahead[TURN_W-1:TURN_W-2] != 2'b00)
  `PROPERTY(never_ahead, ready_q, !late[TURN_W-1])
  `PROPERTY(waits_for_its_slot, p6_wait_q && !p6_beyond_q, goes_to == p6_time[SLOT_W-1:0] && p6_left != '0 && p6_left < TURN_W'(SLOTS))
  `PROPERTY(waits_in_the_wheel, p6_wait_q, goes_to != p6_turn[SLOT_W-1:0])

  `LEMMA(looks_not_ahead, quiet != 2'b11 || !late_5[TURN_W-1])
  `LEMMA(taking_is_way, quiet == 2'b00 || taking_q || takes[6:0] == '0)
  `LEMMA(one_thing, !(p0_take_q && (p0_done_q || p0_push_q || p0_look_q)) && !(p1_take_q && (p1_done_q || p1_push_q || p1_look_q)) &&
    !(p2_take_q && (p2_done_q || p2_push_q || p2_look_q)) && !(p3_take_q && p3_enter_q) && !(p4_take_q && p4_enter_q) &&
    !(p5_take_q && p5_enter_q))

  // An event in the lane has a time of some cycles ago, and not before the slot that was taken last
  // when it entered: the newest one, unless that slot is behind it in the lane.
  logic [TURN_W-1:0] at_0, at_1, age_0, age_1, age_2, age_3, age_4, age_5;
  logic [TURN_W-1:0] lead_0, lead_1, lead_2, lead_3, lead_4, lead_5;
  logic [2:0]        enters;

  assign at_0   = p0_now_q[TIME_W-1:SHIFT];
  assign at_1   = p1_now_q[TIME_W-1:SHIFT];
  assign age_0  = now - at_0;
  assign age_1  = now - at_1;
  assign age_2  = now - p2_now_q;
  assign age_3  = now - p3_now_q;
  assign age_4  = now - p4_now_q;
  assign age_5  = now - p5_now_q;
  assign lead_0 = at_0 - (takes[0] ? p5_turn : turn_q);
  assign lead_1 = at_1 - (takes[1:0] != '0 ? p5_turn : turn_q);
  assign lead_2 = p2_now_q - (takes[2:0] != '0 ? p5_turn : turn_q);
  assign lead_3 = p3_now_q - (takes[3:0] != '0 ? p5_turn : turn_q);
  assign lead_4 = p4_now_q - (takes[4:0] != '0 ? p5_turn : turn_q);
  assign lead_5 = p5_now_q - (takes[5:0] != '0 ? p5_turn : turn_q);
  assign enters = {p2_done_q || p2_push_q || p2_look_q, p1_done_q || p1_push_q || p1_look_q,
                   p0_done_q || p0_push_q || p0_look_q};

  `LEMMA(ages_0, !enters[0] || age_0 < TURN_W'(1) << (TURN_W - 6))
  `LEMMA(ages_1, !enters[1] || age_1 < TURN_W'(2) << (TURN_W - 6))
  `LEMMA(ages_2, !enters[2] || age_2 < TURN_W'(3) << (TURN_W - 6))
  `LEMMA(ages_3, !p3_enter_q || age_3 < TURN_W'(4) << (TURN_W - 6))
  `LEMMA(ages_4, !p4_enter_q || age_4 < TURN_W'(5) << (TURN_W - 6))
  `LEMMA(ages_5, !p5_enter_q || age_5 < TURN_W'(6) << (TURN_W - 6))
  `LEMMA(turn_there, swept != 2'b11 || takes[5:0] != '0 || p5_turn == turn_q)
  `LEMMA(one_take, quiet == 2'b00 || (takes[6:0] & (takes[6:0] - 7'd1)) == 7'd0)
  `LEMMA(leads_0, !enters[0] || !lead_0[TURN_W-1])
  `LEMMA(leads_1, !enters[1] || !lead_1[TURN_W-1])
  `LEMMA(leads_2, !enters[2] || !lead_2[TURN_W-1])
  `LEMMA(leads_3, !p3_enter_q || !lead_3[TURN_W-1])
  `LEMMA(leads_4, !p4_enter_q || !lead_4[TURN_W-1])
  `LEMMA(leads_5, !p5_enter_q || !lead_5[TURN_W-1])
