
  // Two lanes, each with a memory of records, which are read in this cycle or the next.
  (* hierconn *) logic \g_lane[0].lane.p3_write_q , \g_lane[1].lane.p3_write_q ;

  `PROPERTY(record_is_last, pw_use != '0 && pw.conn[IDX_W-1:0] == conn,
    (pw_use & p1_use_q & {2{p1_idx == conn}}) == '0 && (pw_use & p2_use_q & {2{p2_conn_q[IDX_W-1:0] == conn}}) == '0 &&
    (pw_use & {\g_lane[1].lane.p3_write_q , \g_lane[0].lane.p3_write_q } & {2{p3_record_q == conn}}) == '0)
