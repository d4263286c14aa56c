
  `PROPERTY(rtt_is_last, p1_last_q && p1_idx == conn, !(p2_last_q && p2_conn_q[IDX_W-1:0] == conn) && !(p3_write_q && p3_idx_q == conn))
  `PROPERTY(tau_is_last, p1_last_q && p1_idx == conn, !(p2_last_q && p2_conn_q[IDX_W-1:0] == conn) && !(p3_write_tau_q && p3_idx_q == conn) &&
    !(p4_write_tau_q && p4_idx_q == conn))
