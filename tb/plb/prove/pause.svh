
  // The pause of the connection in stage p2, one event after another: each cycle the ACK, then
  // the RTO. until is what the RTO writes, which may be anything.
  logic              e_open, e_ack, e_rto;
  logic              here;       // it was opened in this stage
  logic              fresh;      // an RTO, or the opening, since the last ACK
  logic              none;
  logic [TICK_W-1:0] until_now;

  assign e_open = opens[2] && 32'(ack_idx_q[2*IDX_W +: IDX_W]) == 32'(conn);
  assign e_ack  = ack_q[2] && 32'(ack_idx_q[2*IDX_W +: IDX_W]) == 32'(conn);
  assign e_rto  = rto_q[2] && 32'(rto_idx_q[2*IDX_W +: IDX_W]) == 32'(conn);

  (* hierconn *) logic [TICK_W-1:0]              \pause.p2_until ;
  (* hierconn *) logic [ROWS-1:0]                \pause.begun.words ;
  (* hierconn *) logic [ROWS-1:0]                \pause.seen.words ;
  (* hierconn *) logic [ROWS*(1+TICK_W)-1:0]     \pause.untils.words ;
  (* hierconn *) logic [ROWS*(3+BALANCE_BITS)-1:0] \rounds.balances.words ;

  assign here = known || once[4] || once[5] || once[6] || once[7] || once[8];

  always_ff @(posedge clk) begin
    fresh <= e_open || e_rto || (fresh && !e_ack);
    if (e_open || e_rto) begin
      none      <= e_open || p2_open_q;
      until_now <= \pause.p2_until ;
    end
  end

  // The same events in stage p5, where the ACK has its verdict; p4 compares the time.
  logic [3:1]              x_known, x_open, x_ack, x_rto, x_fresh;
  logic [2:1]              x_none;
  logic [2*TICK_W-1:0]     x_until;
  logic                    p5_expired;
  logic                    paused, paused_now;  // from an RTO to the first ACK at or after until
  logic                    p6_paused, p6_of;
  logic [TICK_W-1:0]       p4_left;              // until the end of the pause

  assign p4_left    = x_until[TICK_W +: TICK_W] - now_q[4*TICK_W +: TICK_W];
  assign paused_now = paused && !(x_ack[3] && p5_expired);

  always_ff @(posedge clk) begin
    x_known    <= {x_known[2:1], here};
    x_open     <= {x_open[2:1], e_open || (e_rto && p2_open_q)};
    x_ack      <= {x_ack[2:1], e_ack && here};
    x_rto      <= {x_rto[2:1], e_rto && !p2_open_q};
    x_fresh    <= {x_fresh[2:1], fresh};
    x_none     <= {x_none[1], none};
    x_until    <= {x_until[TICK_W-1:0], until_now};
    p5_expired <= x_none[2] || p4_left == '0 || 32'(p4_left) > (32'd2 << PAUSE_W);
    paused     <= x_rto[3] || (paused_now && !x_open[3]);
    p6_paused  <= paused_now;
    p6_of      <= x_ack[3];
    if (rst_q) begin
      x_known <= '0;
      x_open  <= '0;
      x_ack   <= '0;
      x_rto   <= '0;
      paused  <= 1'b0;
      p6_of   <= 1'b0;
    end
  end

  `PROPERTY(pause_ends_in_time, x_ack[3], p5_expired_q == p5_expired)
  `PROPERTY(no_verdict_in_a_pause, p6_of && p6_paused, !p6_verdict_q && !p6_congested_q)
  `PROPERTY(verdict_of_an_ack, p6_verdict_q, p6_ack_q)
  `PROPERTY(congested_is_a_verdict, p6_congested_q, p6_verdict_q)

  // How the memories stand for that.
  logic                    of_none, of_over;
  logic [TICK_W-1:0]       of_until;
  logic [1+BALANCE_BITS:0] of_rest;
  logic                    unused_rest;

  assign {of_none, of_until} = \pause.untils.words [conn*(1+TICK_W) +: 1+TICK_W];
  assign {of_over, of_rest}  = \rounds.balances.words [conn*(3+BALANCE_BITS) +: 3+BALANCE_BITS];
  assign unused_rest         = ^of_rest;

  `LEMMA(nothing_stale, !(here || e_open) || stale[2:1] == '0)
  `LEMMA(fresh_in_memory, !here || fresh == (\pause.begun.words [conn] != \pause.seen.words [conn]))
  `LEMMA(none_in_memory, !here || none == of_none)
  `LEMMA(until_in_memory, !here || none || until_now == of_until)
  `LEMMA(paused_in_memory, !x_known[3] || !paused || x_fresh[3] || !of_over)
  `LEMMA(fresh_when_known, !here || x_known[3] || (!paused))
