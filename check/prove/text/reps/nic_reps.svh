  `AFTER_RESET

  // numberOfValidEVs, as the lanes see it.
  logic [SLOT_W:0] ack_nv;
  logic [SLOT_W:0] send_nv;

  assign ack_nv  = ack_ack.pushes - ack_pops;
  assign send_nv = send_ack.pushes - send_send.pops;

  `PROPERTY(nv_fits_ack, ready_q && p1_good_q, 32'(ack_nv) <= BUFFER_DEPTH)
  `PROPERTY(nv_fits_send, ready_q && p1_reps_q, 32'(send_nv) <= BUFFER_DEPTH)

