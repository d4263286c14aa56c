
  `ANY(CONN_BITS, conn)

  // Flushes at the port, and what was taken of the connection.
  localparam int unsigned APART = 9; // cycles from the last beat of an ACK in which there is no other of its connection

  logic               flush, mine;
  logic [LATENCY:1]   x_last;
  logic [APART:1]     x_mine;    // an ACK of the connection ended or a flush was taken so many cycles ago
  logic [3:0]         waited;

  assign flush = s_flush_valid && s_flush_ready;
  assign mine  = (last && s_ack_conn[IDX_W-1:0] == conn[IDX_W-1:0]) || (flush && s_flush_conn[IDX_W-1:0] == conn[IDX_W-1:0]);

  always_ff @(posedge clk) begin
    x_last <= {x_last[LATENCY-1:1], last};
    x_mine <= {x_mine[APART-1:1], mine};
    waited <= (sts_ready && s_ack_valid && s_ack_conn == conn && !s_ack_ready) ? waited + 1'b1 : '0;
    if (rst_q) begin
      x_last <= '0;
      x_mine <= '0;
      waited <= '0;
    end
  end

  `PROPERTY(ends_with_its_last_hop, beat, in_last == last)
  `PROPERTY(never_too_close, beat && taken == 5'd0 && s_ack_conn == conn, x_mine == '0)
  `PROPERTY(waits_for_its_own, sts_ready && s_ack_valid && s_ack_conn == conn && (taken != 5'd0 || x_mine == '0), s_ack_ready)
  `PROPERTY(waits_at_most, sts_ready && waited == 4'(APART) && s_ack_valid && s_ack_conn == conn, s_ack_ready)
  `PROPERTY(flush_waits_for_acks, sts_ready && s_flush_valid && !s_ack_valid && taken == 5'd0 && s_flush_conn == conn && x_mine == '0, s_flush_ready)
  `PROPERTY(one_answer_each, x_last[LATENCY] || m_win_valid, x_last[LATENCY] && m_win_valid)

  localparam int unsigned APART_IDX = APART * IDX_W;
  localparam int unsigned WAIT      = RAM_LATENCY - 1; // cycles from stage 0 to the one before stage 1

  (* hierconn *) logic [36:0]          \ack.p37_valid_q ;
  (* hierconn *) logic [APART-1:0]     \gate.held_valid_q ;
  (* hierconn *) logic [APART_IDX-1:0] \gate.held_idx_q ;

  logic ok_held, ok_waited, ok_last;

  always_comb begin
    ok_held   = 1'b1;
    ok_waited = waited <= 4'(APART);
    ok_last   = x_last[1] == p0_last_q && x_last[WAIT+1] == pw_last && x_last[WAIT+2] == p1_last_q && x_last[WAIT+3] == p2_last_q &&
                x_last[WAIT+4 +: START_LAT] == last_q;
    for (int unsigned i = 0; i < APART; i++) begin
      ok_held   = ok_held && x_mine[i+1] == (\gate.held_valid_q [i] && \gate.held_idx_q [i*IDX_W +: IDX_W] == conn[IDX_W-1:0]);
      ok_waited = ok_waited && !(i < 32'(waited) && x_mine[i+1]);
    end
    for (int unsigned i = 0; i < 37; i++) begin
      ok_last = ok_last && x_last[LATENCY-i] == \ack.p37_valid_q [i];
    end
  end

  `LEMMA(held_is_mine, ok_held)
  `LEMMA(waited_without, ok_waited)
  `LEMMA(last_moves, ok_last)
