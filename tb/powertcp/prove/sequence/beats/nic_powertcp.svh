
  `ANY(IDX_W, conn)

  // An ACK says the same connection with all its beats.
  logic [CONN_BITS-1:0] part; // of the ACK that is taken in part
  logic                 mine_in_part;

  assign mine_in_part = taken != 5'd0 && part[IDX_W-1:0] == conn;

  always_comb assume (taken == 5'd0 || s_ack_conn == part);

  always_ff @(posedge clk) begin
    if (beat) begin
      part <= s_ack_conn;
    end
  end

  // The record is read in this cycle or the next.
  (* hierconn *) logic \g_lane[0].lane.p3_write_q ;
  logic [RECORD_W-1:0] pw_record;

  assign pw_record = {pw.conn[IDX_W-1:0], pw.hop};

  `PROPERTY(record_is_last, pw_use[0] && pw.conn[IDX_W-1:0] == conn,
    !(p1_use_q[0] && {p1_idx, p1_q.hop} == pw_record) && !(p2_use_q[0] && {p2_conn_q[IDX_W-1:0], p2_hop_q} == pw_record) &&
    !(\g_lane[0].lane.p3_write_q && p3_record_q == pw_record))
