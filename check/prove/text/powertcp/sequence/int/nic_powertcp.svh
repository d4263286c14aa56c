
  `AFTER_RESET
  `ANY(IDX_W, conn)

  // An ACK says the same connection and number of hops with all its beats.
  logic                 beat, last;
  logic [3:0]           taken;  // beats of the ACK that is taken in part
  logic [3:0]           hops;   // that it said
  logic [CONN_BITS-1:0] part;   // and its connection
  logic                 mine_in_part;

  assign beat         = s_ack_valid && s_ack_ready;
  assign last         = beat && (s_ack_hop_cnt == 4'd0 || taken + 4'd1 == s_ack_hop_cnt);
  assign mine_in_part = taken != 4'd0 && part[IDX_W-1:0] == conn;

  always_comb assume (taken == 4'd0 || (s_ack_hop_cnt == hops && s_ack_conn == part));

  always_ff @(posedge clk) begin
    if (beat) begin
      taken <= last ? 4'd0 : taken + 4'd1;
      hops  <= s_ack_hop_cnt;
      part  <= s_ack_conn;
    end
    if (rst) begin
      taken <= '0;
    end
  end

  `PROPERTY(record_is_last, p1_use_q[0] && p1_idx == conn,
    !(p2_use_q[0] && {p2_conn_q[IDX_W-1:0], p2_hop_q} == p1_record) && !(g_lane[0].p3_write_q && p3_record_q == p1_record))

  `LEMMA(beats_are_counted, beat_q == taken + 4'd1 && between_q == (taken != 4'd0) && (taken == 4'd0 || taken < hops))
