  // One entry, any one, with times that do not wrap: the gap since its last packet, up to the
  // whole range of the time, and the quarters that have begun since.
  `AFTER_RESET
  `ANY(ENTRY_W, entry)
  `ANY(EVS_BITS, ev_any)
  `ANY(EVS_BITS + 1, evs_any)
  always_comb assume (evs_any != '0 && 32'(evs_any) <= 32'(1) << EVS_BITS);

  localparam int unsigned QUARTER_W = TIMER_BITS - 2;
  localparam int unsigned GAP_W     = TIMER_BITS + 2;
  localparam logic [GAP_W-1:0] LONG    = GAP_W'(1) << TIMER_BITS;
  localparam logic [GAP_W-1:0] QUARTER = GAP_W'(1) << QUARTER_W;

  always_comb assume (32'(entry) < ENTRIES && 32'(p2_entry) < ENTRIES && 32'(p4_entry) < ENTRIES);

  // The addresses are those of the entry to come.
  logic [ENTRY_W-1:0] entry_due;

  always_ff @(posedge clk) entry_due <= rst ? '0 : p3_entry;
  always_comb assume (!started || p4_entry == entry_due);
  always_comb assume (32'(p3_entry) < ENTRIES);

  // A legal clock: it goes on by less than half its range, from a quarter to itself or the next
  // one, and not before the banks are clear. Timeouts are below a quarter.
  logic [TIMER_BITS-1:0] now_last, step, timeout;
  logic [1:0]            quarter;   // of the time to come
  logic                  turned;    // since the reset

  assign step    = p4_now - now_last;
  assign timeout = p4_due_new - p4_now;

  always_comb assume (p3_ready && p4_ready);
  always_comb assume (!started || (p4_now[TIMER_BITS-1 -: 2] == quarter && !step[TIMER_BITS-1]));
  always_comb assume (p3_turn || p3_quarter == p4_quarter);
  always_comb assume (!p3_early);
  always_comb assume (32'(timeout) < 32'(QUARTER));

  // Events: a packet, or a flush, of which the first is that of the sweep.
  logic at, swept;

  assign at = p4_entry == entry;

  always_comb assume (!(p4_packet && p4_clear) && (!p4_sweep || p4_clear));
  always_comb assume (!p4_sweep || (!turned && !p3_turn));
  always_comb assume (!at || swept || p4_sweep || !(p4_packet || p4_clear));
  always_comb assume (!rst || !(p4_packet || p4_clear));
  always_comb assume (!at || p4_evs == evs_any);

  logic                never, never_next;  // no packet since the flush
  logic [GAP_W-1:0]    gap, gap_now, gap_next, limit;
  logic [1:0]          turns, turns_next;  // 3: or more
  logic [EVS_BITS-1:0] ev, answer;
  logic                gone;

  assign gap_now = (gap == LONG || gap + GAP_W'(step) > LONG) ? LONG : gap + GAP_W'(step);
  assign gone    = never || gap_now > limit;
  assign answer  = p4_round ? (({1'b0, ev} >= p4_evs) ? '0 : ev)
                 : (gone || {1'b0, ev} >= p4_evs) ? p4_fresh : ev;

  always_comb begin
    never_next = never;
    gap_next   = gap_now;
    turns_next = turns;
    if (at && p4_packet) begin
      never_next = 1'b0;
      gap_next   = '0;
      turns_next = 2'd0;
    end
    if (at && p4_clear) begin
      never_next = 1'b1;
    end
    if (p3_turn && turns_next != 2'd3) begin
      turns_next = turns_next + 2'd1;
    end
    if (never_next) begin
      turns_next = 2'd3;
    end
  end

  // Packets in turn since one of any EV, by that of the entry.
  logic              met;
  logic [EVS_BITS:0] since;

  always_ff @(posedge clk) begin
    now_last <= p4_now;
    quarter  <= p3_quarter;
    turned   <= turned || p3_turn;
    never    <= never_next;
    gap      <= gap_next;
    turns    <= turns_next;
    if (at && p4_packet) begin
      limit <= GAP_W'(timeout);
      ev    <= p4_round ? answer + 1'b1 : answer;
      since <= since + 1'b1;
      if (answer == ev_any) begin
        met   <= 1'b1;
        since <= '0;
      end
      if (!p4_round) begin
        met <= 1'b0;
      end
    end
    if (at && p4_clear) begin
      ev    <= p4_fresh;
      met   <= 1'b0;
      swept <= swept || p4_sweep;
    end
    if (rst) begin
      swept  <= 1'b0;
      turned <= 1'b0;
      never  <= 1'b1;
      turns  <= 2'd3;
      met    <= 1'b0;
    end
  end

  // What the memories hold of the entry.
  (* hierconn *) logic [ENTRIES*EVS_BITS-1:0]   \evs.words ;
  (* hierconn *) logic [ENTRIES*TIMER_BITS-1:0] \dues.words ;
  (* hierconn *) logic [ENTRIES-1:0]            \aging.g_bank[0].bank.words ;
  (* hierconn *) logic [ENTRIES-1:0]            \aging.g_bank[1].bank.words ;
  (* hierconn *) logic [ENTRIES-1:0]            \aging.g_bank[2].bank.words ;
  (* hierconn *) logic [2:0]                    \aging.cur_q ;
  (* hierconn *) logic [2:0]                    \aging.last_q ;
  (* hierconn *) logic                          \aging.clearing_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \aging.clear_addr_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \evs.rd_addr_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \dues.rd_addr_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \aging.g_bank[0].bank.rd_addr_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \aging.g_bank[1].bank.rd_addr_q ;
  (* hierconn *) logic [ENTRY_W-1:0]            \aging.g_bank[2].bank.rd_addr_q ;

  logic [2:0]            seen, next_q;
  logic [TIMER_BITS-1:0] due_of, due_want;
  logic [GAP_W-1:0]      place;     // in its quarter, of the time before
  logic [GAP_W-1:0]      begun_in;  // quarters from that of the last packet to that of the time before
  logic [GAP_W-1:0]      begun_now; // and to that of the time to come

  assign seen      = {\aging.g_bank[2].bank.words [entry], \aging.g_bank[1].bank.words [entry],
                      \aging.g_bank[0].bank.words [entry]};
  assign next_q    = ~(\aging.cur_q | \aging.last_q );
  assign due_of    = \dues.words [entry*TIMER_BITS +: TIMER_BITS];
  assign due_want  = now_last + limit[TIMER_BITS-1:0] - gap[TIMER_BITS-1:0];
  assign place     = GAP_W'(now_last[QUARTER_W-1:0]);
  assign begun_in  = (gap > place) ? ((gap - place - 1'b1) >> QUARTER_W) + 1'b1 : '0;
  assign begun_now = begun_in + GAP_W'(quarter != now_last[TIMER_BITS-1 -: 2]);

  logic [EVS_BITS+1:0] turn_sum;    // of the EV after those since, if there were no end of the turn
  logic [EVS_BITS-1:0] turn_ev;
  logic [EVS_BITS-1:0] in_turn;     // the answer
  logic [EVS_BITS:0]   since_next;

  assign turn_sum   = {2'b00, ev_any} + {1'b0, since} + 1'b1;
  assign turn_ev    = (turn_sum <= {1'b0, evs_any}) ? turn_sum[EVS_BITS-1:0] : turn_sum[EVS_BITS-1:0] - evs_any[EVS_BITS-1:0];
  assign in_turn    = p4_over ? '0 : p4_ev;
  assign since_next = since + 1'b1;

  `LEMMA(read_there, (\evs.rd_addr_q == entry_due && \dues.rd_addr_q == entry_due &&
    \aging.g_bank[0].bank.rd_addr_q == entry_due && \aging.g_bank[1].bank.rd_addr_q == entry_due &&
    \aging.g_bank[2].bank.rd_addr_q == entry_due))
  `LEMMA(banks_in_turn, (\aging.cur_q == 3'b001 && \aging.last_q == 3'b100) ||
    (\aging.cur_q == 3'b010 && \aging.last_q == 3'b001) || (\aging.cur_q == 3'b100 && \aging.last_q == 3'b010))
  `LEMMA(follows, quarter == now_last[TIMER_BITS-1 -: 2] || quarter == now_last[TIMER_BITS-1 -: 2] + 2'd1 || !turned)
  `LEMMA(ev_kept, !swept || \evs.words [entry*EVS_BITS +: EVS_BITS] == ev)
  `LEMMA(due_kept, never || (swept && 32'(limit) < 32'(QUARTER) && gap <= LONG))
  `LEMMA(due_is, never || gap == LONG || due_of == due_want)
  `LEMMA(turns_of_gap, never || turns == ((begun_now > GAP_W'(3)) ? 2'd3 : begun_now[1:0]))
  `LEMMA(turns_of_none, !never || turns == 2'd3)
  `LEMMA(bank_of_now, !swept || turns != 2'd0 || (seen & \aging.cur_q ) != 3'd0)
  `LEMMA(not_in_now, !swept || turns == 2'd0 || (seen & \aging.cur_q ) == 3'd0)
  `LEMMA(bank_before, !swept || turns != 2'd1 || (seen & \aging.last_q ) != 3'd0)
  `LEMMA(not_before, !swept || turns < 2'd2 || (seen & \aging.last_q ) == 3'd0)
  `LEMMA(bank_to_come, !swept || (\aging.clearing_q && \aging.clear_addr_q <= entry) || (seen & next_q) == 3'd0)
  `LEMMA(clears_within, !\aging.clearing_q || 32'(\aging.clear_addr_q ) < ENTRIES)
  `LEMMA(clears_after_turn, !\aging.clearing_q || turned)
  `LEMMA(since_within, !met || (since < evs_any && (EVS_BITS+1)'(ev_any) < evs_any))
  `LEMMA(turn_stands, !met || ev == turn_ev)

  `PROPERTY(goes_on_until_timeout, at && p4_packet && !p4_round && !gone && (EVS_BITS+1)'(ev) < p4_evs, !p4_new && p4_ev == ev)
  `PROPERTY(ends_above_timeout, at && p4_packet && !p4_round && gone, p4_new)
  `PROPERTY(once_in_a_turn, at && p4_packet && p4_round && met,
    (in_turn == ev_any) == (since_next == evs_any))
