
  // An ACK has one beat.
  logic       beat, last;
  logic [4:0] taken;

  assign beat  = s_ack_valid && s_ack_ready;
  assign last  = beat;
  assign taken = '0;
