
  // It is read in this cycle or the next.
  (* hierconn *) logic             \base.p3_write_tau_q , \base.p4_write_tau_q ;
  (* hierconn *) logic [IDX_W-1:0] \base.p3_idx_q , \base.p4_idx_q ;
  logic                            mine_before, mine_early;

  assign mine_before = (pw_last || pw_use[0]) && pw.conn[IDX_W-1:0] == conn;
  assign mine_early  = (p1_last_q && p1_idx == conn) || (p2_last_q && p2_conn_q[IDX_W-1:0] == conn);

  `PROPERTY(tau_is_last, mine_before, !mine_early && !(\base.p3_write_tau_q && \base.p3_idx_q == conn) &&
    !(\base.p4_write_tau_q && \base.p4_idx_q == conn))
