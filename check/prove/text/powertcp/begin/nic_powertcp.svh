
  // PowerTCP for one connection, any one. It sees the ports only: what an ACK does is
  // settled when its last beat is taken, as if nothing else were under way.
  `AFTER_RESET
  `ANY(CONN_BITS, conn)
  always_comb assume (32'(conn) < CONNECTIONS);

  // Stages after the last beat: the ACK lane's begins with stage LANE, the answer is stage LAST.
  localparam int unsigned LANE = 3 + START_LAT;
  localparam int unsigned LAST = LANE + ACK_LAT;

  logic       e_last;    // the last beat of an ACK, any
  logic       e_ack;     // of the connection
  logic       e_flush;
  logic       e_beat;    // any beat of the connection
  logic       e_bad;     // a beat or a flush of one that does not exist
  logic       e_fresh;   // the connection has no state
  logic       e_renew;   // a round trip begins
  logic [2:0] e_cause;

  assign e_ack   = e_last && s_ack_conn == conn;
  assign e_flush = s_flush_valid && s_flush_ready && s_flush_conn == conn;
  assign e_beat  = s_ack_valid && s_ack_ready && s_ack_conn == conn;
  assign e_bad   = (s_ack_valid && s_ack_ready && 32'(s_ack_conn) >= CONNECTIONS) ||
                   (s_flush_valid && s_flush_ready && 32'(s_flush_conn) >= CONNECTIONS);

  // What is where: bit i - 1 is stage i.
  logic [LAST-1:0]   x_last, x_ack, x_flush, x_bad, x_fresh, x_renew;
  logic [LAST*3-1:0] x_cause;
  logic [LAST-1:0]   x_event;

  assign x_event = x_ack | x_flush;

  always_ff @(posedge clk) begin
    x_last  <= {x_last[LAST-2:0], e_last};
    x_ack   <= {x_ack[LAST-2:0], e_ack};
    x_flush <= {x_flush[LAST-2:0], e_flush};
    x_bad   <= {x_bad[LAST-2:0], e_bad};
    x_fresh <= {x_fresh[LAST-2:0], e_fresh};
    x_renew <= {x_renew[LAST-2:0], e_renew};
    x_cause <= {x_cause[(LAST-1)*3-1:0], e_cause};
    if (rst) begin
      x_last  <= '0;
      x_ack   <= '0;
      x_flush <= '0;
      x_bad   <= '0;
    end
  end

  // What the algorithm keeps, after the youngest event and before it.
  logic        have, was_have;    // there is state
  logic [31:0] mark, was_mark;    // where the round trip ends
  logic        bad_writes;        // an event of no connection writes a memory of the variant

  (* hierconn *) logic [ROWS*32-1:0] \marks.words ;
