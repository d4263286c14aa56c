
  // An ACK takes as many beats as it has hops, at least one, with the same header.
  localparam int unsigned ANSWER_W = 6;
  localparam int unsigned FLAGS_W  = 1 + PATH_BITS + COUNT_W;

  logic                 between;  // an ACK is taken in part
  logic [CONN_BITS-1:0] begun;    // its connection
  logic [3:0]           taken;    // of it

  assign e_last = s_ack_valid && s_ack_ready && 5'(s_ack_hop_cnt) <= 5'(taken) + 5'd1;

  always_ff @(posedge clk) begin
    if (s_ack_valid && s_ack_ready) begin
      between <= !e_last;
      begun   <= s_ack_conn;
      taken   <= e_last ? '0 : taken + 1'b1;
    end
    if (rst) begin
      between <= 1'b0;
      taken   <= '0;
    end
  end

  always_comb assume (!between || !s_ack_valid || s_ack_conn == begun);

  `LEMMA(beats_same, between_q == between && 5'(beat_q) == 5'(taken) + 5'd1 && taken != 4'd15)
  `LEMMA(beats_between, between == (taken != '0))

  // Algorithm 1 but for the arithmetic: what an ACK does, and when a round trip is over.
  logic [PATH_BITS-1:0] path;
  logic [COUNT_W-1:0]   count;
  logic [COUNT_W-1:0]   e_count;
  logic [FLAGS_W-1:0]   is_flags, was_flags;
  logic                 e_some, e_update, e_over;
  logic [31:0]          left;   // to acknowledge up to the mark
  logic [31:0]          beyond; // the mark over what was sent

  function automatic logic told(input logic [2:0] out, input logic [2:0] cause);
    told = out == cause || (cause == CAUSE_UPDATED && out == CAUSE_STALE);
  endfunction

  function automatic logic flags_same(input logic [FLAGS_W-1:0] a, input logic [FLAGS_W-1:0] b);
    flags_same = a == b || (!a[FLAGS_W-1] && !b[FLAGS_W-1]);
  endfunction

  assign is_flags = {have, path, count};
  assign e_count  = (32'(s_ack_hop_cnt) > HOPS) ? COUNT_W'(HOPS) : COUNT_W'(s_ack_hop_cnt);
  assign e_some   = s_ack_hop_cnt != '0;
  assign e_fresh  = !have;
  assign e_update = e_some && have && path == s_ack_path && count == e_count;
  assign left     = s_ack_seq - mark;
  assign beyond   = s_ack_snd_nxt - mark;
  assign e_over   = !(left == '0 || left[31]) || beyond[31];
  assign e_renew  = e_some && (!e_update || e_over);
  assign e_cause  = !e_some ? CAUSE_NO_SAMPLE : !have ? CAUSE_FIRST : !e_update ? CAUSE_CHANGED : CAUSE_UPDATED;

  always_ff @(posedge clk) begin
    if (e_ack || e_flush) begin
      was_flags <= is_flags;
      was_have  <= have;
      was_mark  <= mark;
    end
    if (e_ack && e_some) begin
      have  <= 1'b1;
      path  <= s_ack_path;
      count <= e_count;
    end
    if (e_ack && e_renew) begin
      mark <= s_ack_snd_nxt;
    end
    if (e_flush) begin
      have <= 1'b0;
    end
    if (rst) begin
      have <= 1'b0;
    end
  end

  // A record of the connection, any hop's.
  `ANY(HOP_W, hop)
  logic [2:0]                x_beat;       // a beat of that hop is in stages 1 to 3
  logic                      record_written;
  logic [SUM_W+TIME_W-1:0]   last_record;
  logic [RECORD_W-1:0]       row;

  assign row        = {conn[IDX_W-1:0], hop};
  assign bad_writes = x_bad[3] && g_lane[0].p3_write_q;

  always_ff @(posedge clk) begin
    x_beat <= {x_beat[1:0], e_beat && 32'(taken) == 32'(hop) && taken < s_ack_hop_cnt && 32'(hop) < HOPS};
    if (g_lane[0].p3_write_q && p3_record_q == row) begin
      record_written <= 1'b1;
      last_record    <= {g_lane[0].p3_sum_q, g_lane[0].p3_time_q};
    end
    if (rst) begin
      x_beat         <= '0;
      record_written <= 1'b0;
    end
  end

  (* hierconn *) logic [RECORDS*(SUM_W+TIME_W)-1:0] \g_lane[0].records.words ;

  `LEMMA(beat_1, !x_beat[0] || (p0_use_q[0] && p0_conn_q == conn && p0_hop_q == hop))
  `LEMMA(beat_2, !x_beat[1] || (p1_use_q[0] && p1_idx == conn[IDX_W-1:0] && p1_hop_q == hop))
  `LEMMA(beat_3, (p2_use_q[0] && p2_conn_q[IDX_W-1:0] == conn[IDX_W-1:0] && p2_hop_q == hop) == x_beat[2])
  logic beyond_hop;  // the rest of the ACK has other hops

  assign beyond_hop = between && begun == conn && 32'(taken) > 32'(hop);

  `LEMMA(beat_once, beyond_hop || ((!x_beat[0] || x_ack[0]) && (!x_beat[1] || x_ack[1:0] != '0) && (!x_beat[2] || x_ack[2:0] != '0)))
  `LEMMA(record_memory, !record_written || \g_lane[0].records.words [row*(SUM_W+TIME_W) +: SUM_W+TIME_W] == last_record)
  `PROPERTY(record_is_last, x_beat[2] && record_written,
    {g_lane[0].p2_old_sum, g_lane[0].p2_old_time} == last_record && !(g_lane[0].p3_write_q && p3_record_q == row))

  // An entry of the link-rate table is taken after a while.
  logic [3:0] rate_waited;

  always_ff @(posedge clk) begin
    rate_waited <= (s_rate_valid && !s_rate_ready) ? rate_waited + 1'b1 : '0;
    if (rst) begin
      rate_waited <= '0;
    end
  end

  logic [RATE_LAT-1:0] rate_early;

  for (genvar g = 0; g < RATE_LAT; g++) begin : g_rate_early
    assign rate_early[g] = g < 32'(rate_waited) && rate_new_q[g];
  end

  `LEMMA(rate_alone, rate_early == '0)
  `PROPERTY(rate_waits_bounded, s_rate_valid && 32'(rate_waited) >= RATE_LAT, s_rate_ready)
