
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

  `PROPERTY(record_is_last, p1_use_q[0] && p1_idx == conn,
    !(p2_use_q[0] && {p2_conn_q[IDX_W-1:0], p2_hop_q} == p1_record) && !(g_lane[0].p3_write_q && p3_record_q == p1_record))
