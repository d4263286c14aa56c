
  // Beats at the port. An ACK says the same number of hops and the same algorithm with all its beats.
  logic       beat, last;
  logic [4:0] taken;  // beats of the ACK that is taken in part
  logic [4:0] hops;   // that it said

  assign beat = s_ack_valid && s_ack_ready;
  assign last = beat && (one || s_ack_hop_cnt == 5'd0 || taken + 5'd1 == s_ack_hop_cnt);

  always_comb assume (taken == 5'd0 || (s_ack_hop_cnt == hops && !one));

  always_ff @(posedge clk) begin
    if (beat) begin
      taken <= last ? 5'd0 : taken + 5'd1;
      hops  <= s_ack_hop_cnt;
    end
    if (rst_q) begin
      taken <= '0;
    end
  end

  (* hierconn *) logic [4:0] \gate.beat_q ;
  (* hierconn *) logic       \gate.between_q ;

  `LEMMA(beats_are_counted, \gate.beat_q == taken + 5'd1 && \gate.between_q == (taken != 5'd0) && (taken == 5'd0 || taken < hops))
