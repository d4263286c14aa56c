
  // An ACK has one beat.
  logic       beat, last;
  logic [4:0] taken;

  assign beat  = s_ack_valid && s_ack_ready;
  assign last  = beat;
  assign taken = '0;

  (* hierconn *) logic [4:0] \gate.beat_q ;
  (* hierconn *) logic       \gate.between_q ;

  `LEMMA(no_beat_is_awaited, !\gate.between_q && \gate.beat_q == 5'd1)
