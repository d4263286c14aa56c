
  // An ACK takes a beat.
  localparam int unsigned ANSWER_W = 3;
  localparam int unsigned FLAGS_W  = 1 + PATH_BITS;

  logic                 between;
  logic [CONN_BITS-1:0] begun;

  assign e_last  = s_ack_valid && s_ack_ready;
  assign between = 1'b0;
  assign begun   = '0;

  // Algorithm 2 but for the arithmetic: what an ACK does, and when a round trip is over.
  logic [PATH_BITS-1:0] path;
  logic [FLAGS_W-1:0]   is_flags, was_flags;
  logic [NOW_W-1:0]     time_of, was_time;  // of the last update
  logic                 e_some, e_update, e_over, e_in_rtt;
  logic [31:0]          left;    // to acknowledge up to the mark
  logic [31:0]          beyond;  // the mark over what was sent

  function automatic logic told(input logic [2:0] out, input logic [2:0] cause);
    told = out == cause;
  endfunction

  function automatic logic flags_same(input logic [FLAGS_W-1:0] a, input logic [FLAGS_W-1:0] b);
    flags_same = a == b || (!a[FLAGS_W-1] && !b[FLAGS_W-1]);
  endfunction

  assign is_flags = {have, path};
  assign e_some   = s_ack_rtt_valid && s_ack_rtt_ns != '0;
  assign e_fresh  = !have;
  assign e_update = e_some && have && path == s_ack_path;
  assign left     = s_ack_seq - mark;
  assign beyond   = s_ack_snd_nxt - mark;
  assign e_over   = !left[31] || beyond[31];
  assign e_in_rtt = !e_over || now_ns == time_of;
  assign e_renew  = e_some && (!e_update || !e_in_rtt);
  assign e_cause  = !e_some ? CAUSE_NO_SAMPLE : !have ? CAUSE_FIRST : !e_update ? CAUSE_CHANGED :
                    e_in_rtt ? CAUSE_IN_RTT : CAUSE_UPDATED;

  always_ff @(posedge clk) begin
    if (e_ack || e_flush) begin
      was_flags <= is_flags;
      was_have  <= have;
      was_mark  <= mark;
      was_time  <= time_of;
    end
    if (e_ack && e_some) begin
      have <= 1'b1;
      path <= s_ack_path;
    end
    if (e_ack && e_renew) begin
      mark    <= s_ack_snd_nxt;
      time_of <= now_ns;
    end
    if (e_flush) begin
      have <= 1'b0;
    end
    if (rst) begin
      have <= 1'b0;
    end
  end

  // The round-trip time of the last update, and the least one.
  logic                   rtt_written, tau_written;
  logic [RTT_W+NOW_W-1:0] last_rtt;
  logic [RTT_W-1:0]       last_tau;

  assign bad_writes = (x_bad[3] && (p3_write_q || p3_write_tau_q)) || (x_bad[4] && p4_write_tau_q);

  always_ff @(posedge clk) begin
    if (p3_write_q && p3_idx_q == conn[IDX_W-1:0]) begin
      rtt_written <= 1'b1;
      last_rtt    <= {p3_rtt_q, p3_now_q};
    end
    if (p4_write_tau_q && p4_idx_q == conn[IDX_W-1:0]) begin
      tau_written <= 1'b1;
      last_tau    <= p4_tau_q;
    end
    if (rst) begin
      rtt_written <= 1'b0;
      tau_written <= 1'b0;
    end
  end

  (* hierconn *) logic [ROWS*(RTT_W+NOW_W)-1:0] \rtts.words ;
  (* hierconn *) logic [ROWS*RTT_W-1:0]         \taus.words ;

  logic [RTT_W+NOW_W-1:0] of_rtt;

  assign of_rtt = \rtts.words [conn*(RTT_W+NOW_W) +: RTT_W+NOW_W];

  `LEMMA(time_alike, !((x_event[3:0] != '0) ? was_have : have) || of_rtt[NOW_W-1:0] == ((x_event[3:0] != '0) ? was_time : time_of))
  `LEMMA(rtt_memory, !rtt_written || of_rtt == last_rtt)
  `LEMMA(tau_memory, !tau_written || \taus.words [conn*RTT_W +: RTT_W] == last_tau)
  `PROPERTY(rtt_is_last, x_ack[2] && rtt_written, {p2_old_rtt, p2_old_now} == last_rtt && !x_ack[3])
  `PROPERTY(tau_is_last, x_ack[2] && tau_written, p2_old_tau == last_tau && x_ack[4:3] == '0)
