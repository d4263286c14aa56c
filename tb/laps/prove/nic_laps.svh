
  // Who takes what comes to the ports.
  `AFTER_REGISTERED_RESET

  logic to_tables, to_answers, to_loss; // the path tables take an ACK, the answer to a probe; the loss detector takes an ACK

  assign to_tables  = measured && unused_measured_ready && !s_answer_valid;
  assign to_answers = measured && unused_measured_ready && s_answer_valid;
  assign to_loss    = loss_ack_valid && loss_ack_ready;

  `PROPERTY(ack_to_both, s_ack_valid && s_ack_ready, to_tables && to_loss)
  `PROPERTY(to_both_only_acks, to_tables || to_loss, s_ack_valid && s_ack_ready)
  `PROPERTY(ack_as_it_is, to_tables, measured_pid == s_ack_pid && measured_delay == s_ack_delay_ns && measured_tag[FLOW_W-1:0] == s_ack_flow)
  `PROPERTY(answer_to_tables, (s_answer_valid && s_answer_ready) || to_answers,
    s_answer_valid && s_answer_ready && to_answers && measured_pid == s_answer_pid && measured_delay == s_answer_delay_ns)
  `PROPERTY(answer_before_ack, s_answer_valid && s_ack_valid, !s_ack_ready)
  `PROPERTY(answer_waits_for_packets, sts_ready && s_answer_valid && !s_packet_valid && !tables_hold, s_answer_ready)
  `PROPERTY(ack_waits_for_no_more, sts_ready && s_ack_valid && !s_packet_valid && !s_answer_valid && !tables_hold && loss_ack_ready, s_ack_ready)
  `PROPERTY(nothing_before_ready, !sts_ready && (s_packet_valid || s_ack_valid || s_answer_valid || s_route_valid || s_cfg_valid || s_open_valid),
    !s_ack_ready && !s_answer_ready && !s_route_ready && !s_cfg_ready && !s_open_ready && !packet_valid && !measured && !loss_ack_valid)
  `PROPERTY(delay_below_zero, to_loss && s_ack_delay_ns[DELAY_W-1], ack_latency == '0)
  `PROPERTY(delay_too_long, to_loss && !s_ack_delay_ns[DELAY_W-1] && s_ack_delay_ns >= DELAY_W'(1) << LAT_W, ack_latency == '1)
  `PROPERTY(delay_as_it_is, to_loss && s_ack_delay_ns < DELAY_W'(1) << LAT_W, DELAY_W'(ack_latency) == s_ack_delay_ns)

  `LEMMA(ready_as_tables, !ready_q || paths_ready)
