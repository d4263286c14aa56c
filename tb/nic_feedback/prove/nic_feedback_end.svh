  // Packets received, of any bytes, gaps and resets: those that take one place of the queue, any one.
  // Numbers of places go twice around the queue, as wr_q and rd_q do.
  `AFTER_RESET
  `ANY(ADDR_W + 1, place)

  // What becomes of a frame that is a feedback packet.
  logic       opens, closes;  // its first beat, its last one
  logic       inside, kept;   // of a frame; there was a place for it
  logic [1:0] beats;          // so far; 2: or more
  logic       x_list, x_lane, x_full, x_single, x_closes, x_bad;

  assign opens  = s_valid && !inside;
  assign closes = s_valid && s_last;

  always_ff @(posedge clk) begin
    if (s_valid) begin
      inside <= !s_last;
      beats  <= opens ? 2'd1 : 2'd2;
    end
    if (opens) begin
      kept   <= s_list && lane_ok && !full;
    end
    x_list   <= opens && s_list && !rst;
    x_lane   <= lane_ok;
    x_full   <= full;
    x_single <= s_last;
    x_closes <= closes && !opens && kept && !rst;
    x_bad    <= !s_good;
    if (rst) begin
      inside <= 1'b0;
      kept   <= 1'b0;
    end
  end

  // The packet of the place, as it came: bytes 54 to 117.
  logic                 takes;        // with its first beat
  logic                 fills, waits; // it comes; it waits, or its list is given out
  logic                 leaves, left; // its list is over; its place is free
  logic                 judged;       // it was counted as wrong
  logic [511:0]         window;
  logic [CONN_BITS-1:0] conn;
  logic [3:0]           udp;
  logic [13:0]          words;

  assign takes  = opens && s_list && lane_ok && !full && wr_q == place;
  assign leaves = waits && go && ends && rd_q == place;

  always_ff @(posedge clk) begin
    if (takes) begin
      window[79:0]   <= s_data[432 +: 80];
      conn           <= s_conn;
      udp            <= s_lane;
      words          <= s_words;
    end
    if (fills && s_valid && beats == 2'd1) begin
      window[511:80] <= s_data[431:0];
    end
    if (s_valid) begin
      fills <= (takes || fills) && !s_last;
    end
    waits <= (waits || (fills && closes && s_good)) && !leaves;
    left  <= (left && !takes) || leaves;
    if (leaves) begin
      judged <= wrong;
    end
    if (rst) begin
      fills <= 1'b0;
      waits <= 1'b0;
      left  <= 1'b0;
    end
  end

  // Its list. Halves of words are as on the wire, the first byte in the low bits.
  logic [4:0]  head;          // the half with version and number
  logic [4:0]  head_ce, head_ev;
  logic [15:0] head_half, ce_half, ev_half, ce;
  logic [3:0]  most;          // entropy values, less one
  logic        right;         // it is of this version, and long enough

  assign head      = 5'(2 * (32'(udp) - 8));
  assign head_ce   = head + 5'd1;
  assign head_ev   = head + 5'd2 + given;
  assign head_half = window[{head, 4'd0} +: 16];
  assign ce_half   = window[{head_ce, 4'd0} +: 16];
  assign ce        = {ce_half[7:0], ce_half[15:8]};
  assign most      = head_half[3:0];
  assign right     = head_half[7:4] == '0 && 4 * 32'(words) >= 28 + 4 * ((32'(most) + 2) / 2);

  // What is given out of it.
  logic            of;        // its list is read
  logic            shown;     // one of its entropy values is offered
  logic [4:0]      given;     // so many were taken
  logic [ADDR_W:0] source;    // the place of what is offered

  assign of      = busy_q && rd_q == place;
  assign ev_half = window[{head_ev, 4'd0} +: 16];

  always_ff @(posedge clk) begin
    if (go) begin
      shown  <= p1_ev_q && of;
      source <= rd_q;
    end
    if (begins && rd_q == place) begin
      given  <= '0;
    end else if (shown && m_ready) begin
      given  <= given + 5'd1;
    end
    if (rst) begin
      shown  <= 1'b0;
    end
  end

  // The cycle before.
  logic                 held, was_mark, was_left, was_right;
  logic [CONN_BITS-1:0] was_conn;
  logic [15:0]          was_ev;

  always_ff @(posedge clk) begin
    held      <= m_valid && !m_ready && !rst;
    was_conn  <= m_conn;
    was_ev    <= m_ev;
    was_mark  <= m_mark;
    was_left  <= leaves && !rst;
    was_right <= right;
  end

  `PROPERTY(one_fate, x_list, illegal == !x_lane && dropped == (x_lane && x_full) && refused == (x_lane && !x_full && x_single))
  `PROPERTY(refused_if_bad, x_closes, refused == x_bad)
  `PROPERTY(else_no_event, !x_list && !x_closes, !refused && !dropped && !illegal)
  `PROPERTY(wrong_if_wrong, was_left, judged == !was_right)
  `PROPERTY(one_of_a_place, takes, !waits && !fills)
  `PROPERTY(value_stands, held, m_valid && m_conn == was_conn && m_ev == was_ev && m_mark == was_mark)
  `PROPERTY(value_of_a_packet, m_valid && source == place, shown && (waits || left))
  `PROPERTY(values_in_order, shown, right && given <= 5'(most) && m_ev == {ev_half[7:0], ev_half[15:8]})
  `PROPERTY(mark_of_its_value, shown, m_mark == ce[given[3:0]])
  `PROPERTY(its_connection, shown, m_conn == conn)
  `PROPERTY(all_are_given, left && !shown, given == (judged ? 5'd0 : 5'(most) + 5'd1))
  `PROPERTY(goes_on, busy_q, !lost)

  // How the registers stand for that: the ends of the queue, and what is stored.
  logic [ADDR_W:0] fill;
  logic [4:0]      half_p1;   // in p1

  assign fill    = wr_q - rd_q;
  assign half_p1 = p0_half_q - 5'd1;

  `LEMMA(same_frame, inside == !idle_q && (keep_q == (inside && kept)) && second_q == (keep_q && beats == 2'd1) && (!inside || beats == 2'd1 || beats == 2'd2))
  `LEMMA(never_too_full, fill <= (ADDR_W+1)'(1 << ADDR_W) && (!keep_q || !full))
  `LEMMA(fills_the_end, fills == (keep_q && wr_q == place))
  `LEMMA(waits_between, waits == ((ADDR_W+1)'(place - rd_q) < fill))
  `LEMMA(lane_is_one, !(fills || waits) || udp[3])
  `LEMMA(first_is_stored, !(fills || waits) || (first[place[ADDR_W-1:0]] == window[79:0] && about[place[ADDR_W-1:0]] ==
    {words[13:3] != '0, words[13:4] != '0 ? 3'd7 : words[2:0], udp[2:0], conn}))
  `LEMMA(second_is_stored, !(waits || (fills && beats == 2'd2)) || second[place[ADDR_W-1:0]] == window[511:80])

  // And the list that is read: one of its halves is in p1, the next one is read.
  `LEMMA(busy_has_one, !busy_q || wr_q != rd_q)
  `LEMMA(one_step, 3'(p0_head_q) + 3'(p1_head_q) + 3'(busy_q && p1_marks_q) + 3'(p1_ev_q) == 3'(busy_q) && p0_marks_q == p1_head_q)
  `LEMMA(reads_by_step, !of || p0_half_q == head + (p0_head_q ? 5'd0 : p1_head_q ? 5'd1 : p1_marks_q ? 5'd2 : 5'd3 + 5'(place_q)))
  `LEMMA(half_by_step, !of || p0_head_q || half == window[{half_p1, 4'd0} +: 16])
  `LEMMA(number_holds, !of || p0_head_q || p1_head_q || (right && most_q == most))
  `LEMMA(marks_hold, !of || !p1_ev_q || (ce_q == ce && place_q <= most))
  `LEMMA(place_of_ev, !of || (p1_ev_q ? 5'(place_q) == given + 5'(shown) : given == '0 && !shown))
  `LEMMA(first_of_a_list, p1_ev_q || !busy_q || p0_head_q || p1_head_q || place_q == '0)
  `LEMMA(conn_holds, !of || m_conn == conn)
  `LEMMA(shown_is_valid, shown == (m_valid && source == place))
  `LEMMA(shown_of_what, !shown || (left ? rd_q == place + 1'b1 && !busy_q && !judged && given == 5'(most) : of && p1_ev_q))
  `LEMMA(left_is_gone, !left || (!waits && !fills))
