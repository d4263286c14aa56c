
  localparam int unsigned APART    = 9;                    // cycles from the last beat of an ACK in which there is no other of its connection
  localparam int unsigned WAIT     = RAM_LATENCY - 1;      // cycles from stage 0 to the one before stage 1
  localparam int unsigned AT_TOP   = WAIT + 3;             // from the last beat to stage 2
  localparam int unsigned AT_ACK   = AT_TOP + START_LAT;   // to stage 0 of the ACK lane
  localparam int unsigned AT_POWER = AT_ACK + 16;          // to the write of the power
  localparam int unsigned LAST     = AT_ACK + 31;          // to that of the windows
  localparam int unsigned HEADER_W = CONN_BITS + 5 + THETA_W;

  logic mine_last, mine_flush;

  assign mine_last  = last && s_ack_conn[IDX_W-1:0] == conn;
  assign mine_flush = s_flush_valid && s_flush_ready && s_flush_conn[IDX_W-1:0] == conn;

  // So many cycles ago: an ACK of the connection ended, the same or a flush of it was taken,
  // there was a reset. From stage 2, that the ACK is to store the power and cwnd, and cwnd_old.
  logic [LAST:1]  x_end, x_rst;
  logic [APART:1] x_mine;
  logic [LAST:AT_TOP+1] x_keep, x_renew;
  logic           e_keep, e_renew;

  assign e_keep  = p2_last_q && p2_conn_q[IDX_W-1:0] == conn && (p2_cause == CAUSE_FIRST || p2_cause == CAUSE_UPDATED);
  assign e_renew = e_keep && (p2_cause == CAUSE_FIRST || p2_renew);

  always_ff @(posedge clk) begin
    x_rst   <= {x_rst[LAST-1:1], rst_q};
    x_end   <= {x_end[LAST-1:1], mine_last};
    x_mine  <= {x_mine[APART-1:1], mine_last || mine_flush};
    x_keep  <= {x_keep[LAST-1:AT_TOP+1], e_keep};
    x_renew <= {x_renew[LAST-1:AT_TOP+1], e_renew};
    if (rst_q) begin
      x_end   <= '0;
      x_mine  <= '0;
      x_keep  <= '0;
      x_renew <= '0;
    end
  end

  (* hierconn *) logic [36:0]         \ack.p37_valid_q ;
  (* hierconn *) logic [31*IDX_W-1:0] \ack.p31_idx_q ;

  logic [31:1] here;    // stage of the ACK lane in which an ACK of the connection is
  logic [31:1] address; // in which its address is, with or without an ACK

  for (genvar g = 1; g <= 31; g++) begin : g_here
    assign address[g] = \ack.p31_idx_q [(31-g)*IDX_W +: IDX_W] == conn;
    assign here[g]    = address[g] && \ack.p37_valid_q [37-g];
  end

  // What an ACK of the connection reads now, no earlier one, nor a flush, is still to write.
  // Flags and mark are read in stage 0 or in the cycle after it, cwnd_old in stage 22 or 23.
  localparam int unsigned POWER_AT  = 10 - READ_LAT; // stages of the ACK lane in which the rest is
  localparam int unsigned OLD_AT    = 24 - OLD_LAT;
  localparam int unsigned WINDOW_AT = 26 - READ_LAT;

  logic mine_0, mine_waits;

  assign mine_0     = p0_last_q && p0_q.conn[IDX_W-1:0] == conn;
  assign mine_waits = WAIT != 0 && pw_last && pw.conn[IDX_W-1:0] == conn;

  `PROPERTY(flags_are_last, mine_0, !mine_waits && !(WAIT != 0 && pw_flush && pw.conn[IDX_W-1:0] == conn) && !(p1_write_q && p1_idx == conn))
  `PROPERTY(mark_is_last, mine_0, !mine_waits && !(p1_last_q && p1_idx == conn) && !(p2_last_q && p2_conn_q[IDX_W-1:0] == conn))
  `PROPERTY(power_is_last, x_end[AT_ACK+POWER_AT], here[POWER_AT] && power_rd_addr == conn && x_end[AT_POWER:AT_ACK+POWER_AT+1] == '0)
  `PROPERTY(old_is_last, x_end[AT_ACK+22] || x_end[AT_ACK+OLD_AT],
    (!x_end[AT_ACK+22] || x_end[LAST:AT_ACK+23] == '0) && (!x_end[AT_ACK+OLD_AT] || (here[OLD_AT] && old_rd_addr == conn)))
  `PROPERTY(window_is_last, x_end[AT_ACK+WINDOW_AT], here[WINDOW_AT] && window_rd_addr == conn && x_end[LAST:AT_ACK+WINDOW_AT+1] == '0)

  // Written is what the algorithm stores, in time, and nothing else, but for what a reset found
  // under way: that is written before anything that an ACK after the reset writes.
  `PROPERTY(power_when_due, x_rst[AT_POWER:1] == '0, (power_wr_en && power_wr_addr == conn) == x_keep[AT_POWER])
  `PROPERTY(window_when_due, x_rst == '0, (window_wr_en && window_wr_addr == conn) == x_keep[LAST])
  `PROPERTY(old_when_due, x_rst == '0, (old_wr_en && old_wr_addr == conn) == x_renew[LAST])

  // On the way.
  localparam int unsigned APART_IDX = APART * IDX_W;

  (* hierconn *) logic [APART-1:0]     \gate.held_valid_q ;
  (* hierconn *) logic [APART_IDX-1:0] \gate.held_idx_q ;
  (* hierconn *) logic [WAIT:0]        \gate.ready_q ;
  (* hierconn *) logic                 \gate.cleared_q ;
  (* hierconn *) logic [HEADER_W*START_LAT-1:0] \headers.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [15:0] \ack.delay_keep_16.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [14:0] \ack.delay_keep_31.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [30:0] \ack.delay_renew.genblk1.genblk1.g_line.line_q ;

  logic [HEADER_W*START_LAT-1:0] header;
  logic [31:1] keep, renew;
  logic        ok_held, ok_early, ok_headers, ok_here, ok_apart, ok_keep, ok_renew;

  assign header = \headers.genblk1.genblk1.g_line.line_q ;
  assign keep   = {\ack.delay_keep_31.genblk1.genblk1.g_line.line_q , \ack.delay_keep_16.genblk1.genblk1.g_line.line_q };
  assign renew  = \ack.delay_renew.genblk1.genblk1.g_line.line_q ;

  assign ok_early = x_end[1] == mine_0 && x_end[WAIT+1] == (pw_last && pw.conn[IDX_W-1:0] == conn) &&
                    x_end[WAIT+2] == (p1_last_q && p1_idx == conn) && x_end[AT_TOP] == (p2_last_q && p2_conn_q[IDX_W-1:0] == conn) &&
                    x_mine[1] == ((p0_last_q || p0_flush_q) && p0_q.conn[IDX_W-1:0] == conn) &&
                    x_mine[WAIT+1] == ((pw_last || pw_flush) && pw.conn[IDX_W-1:0] == conn);

  logic [START_LAT-1:0] h_mine, h_keep, h_renew;

  for (genvar g = 0; g < START_LAT; g++) begin : g_header
    logic [HEADER_W-THETA_W-1:0] h;

    assign h          = header[HEADER_W*g+THETA_W +: HEADER_W-THETA_W];
    assign h_mine[g]  = last_q[g] && h[5 +: IDX_W] == conn;
    assign h_keep[g]  = h_mine[g] && (h[4:2] == CAUSE_FIRST || h[4:2] == CAUSE_UPDATED);
    assign h_renew[g] = h_keep[g] && (h[4:2] == CAUSE_FIRST || h[0]);
  end

  always_comb begin
    ok_held  = 1'b1;
    ok_apart = !mine_in_part || x_mine == '0;
    ok_keep  = 1'b1;
    ok_renew = 1'b1;
    for (int unsigned i = 0; i < APART; i++) begin
      ok_held = ok_held && x_mine[i+1] == (\gate.held_valid_q [i] && \gate.held_idx_q [i*IDX_W +: IDX_W] == conn) && (!x_end[i+1] || x_mine[i+1]);
    end
    for (int unsigned i = 1; i <= LAST; i++) begin
      for (int unsigned j = 1; j <= APART; j++) begin
        ok_apart = ok_apart && (i + j > LAST || !(x_end[i] && x_end[i+j]));
      end
    end
    for (int unsigned i = 1; i <= 31; i++) begin
      ok_keep  = ok_keep && ((x_rst & ~({LAST{1'b1}} << (AT_ACK+i))) != '0 || (keep[i] && address[i]) == x_keep[AT_ACK+i]);
      ok_renew = ok_renew && ((x_rst & ~({LAST{1'b1}} << (AT_ACK+i))) != '0 || (renew[i] && address[i]) == x_renew[AT_ACK+i]);
    end
  end

  assign ok_headers = h_mine == x_end[AT_TOP+1 +: START_LAT] && h_keep == x_keep[AT_TOP+1 +: START_LAT] && h_renew == x_renew[AT_TOP+1 +: START_LAT];
  assign ok_here    = here == x_end[AT_ACK+1 +: 31];

  `LEMMA(held_is_mine, ok_held)
  `LEMMA(early_is_mine, ok_early)
  `LEMMA(header_is_mine, ok_headers)
  `LEMMA(here_is_mine, ok_here)
  `LEMMA(mine_are_apart, ok_apart)
  `LEMMA(kept_is_due, ok_keep)
  `LEMMA(renewed_is_due, ok_renew)
  `LEMMA(ready_is_cleared, (\gate.ready_q == '0 || \gate.cleared_q ) && (!\gate.ready_q [0] || !p0_clear_q) && (!\gate.ready_q [WAIT] || !pw_clear))
  `LEMMA(ready_stays, !\gate.ready_q [WAIT] || \gate.ready_q [0])
