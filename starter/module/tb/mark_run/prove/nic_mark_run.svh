  // The run of one connection, any one, as the ports show it.
  `AFTER_RESET
  `ANY(CONN_BITS, conn)
  always_comb assume (32'(conn) < CONNECTIONS);

  logic                e_ack, e_legal;
  logic [RUN_BITS-1:0] run, run_next;

  assign e_ack    = s_ack_valid && sts_ready && s_ack_conn == conn;
  assign e_legal  = s_ack_valid && sts_ready && 32'(s_ack_conn) < CONNECTIONS;
  assign run_next = !e_ack ? run : !s_ack_ecn ? '0 : run == '1 ? run : run + 1'b1;

  // Its answers and those of all connections, by the cycles since the ACK.
  logic [3:0]            x_ack, x_legal, x_hot;
  logic [4*RUN_BITS-1:0] x_run;

  always_ff @(posedge clk) begin
    run     <= run_next;
    x_ack   <= {x_ack[2:0], e_ack};
    x_legal <= {x_legal[2:0], e_legal};
    x_hot   <= {x_hot[2:0], run_next >= cfg_threshold};
    x_run   <= {x_run[3*RUN_BITS-1:0], run_next};
    if (rst) begin
      run     <= '0;
      x_ack   <= '0;
      x_legal <= '0;
    end
  end

  `PROPERTY(run_as_counted, x_ack[3], m_ack_valid && m_ack_conn == conn &&
    m_ack_run == x_run[4*RUN_BITS-1 -: RUN_BITS] && m_ack_hot == x_hot[3])
  `PROPERTY(answered_once, 1'b1, m_ack_valid == x_legal[3])
