
  // Two lanes, each with a memory of records.
  `PROPERTY(record_is_last, p1_use_q != '0 && p1_idx == conn,
    (p1_use_q & p2_use_q & {2{p2_conn_q[IDX_W-1:0] == p1_record}}) == '0 &&
    (p1_use_q & {g_lane[1].p3_write_q, g_lane[0].p3_write_q} & {2{p3_record_q == p1_record}}) == '0)
