  // A word is in its three copies from its first writing on.
  `LEMMA(send_is_written, !settled || written_send)
  `LEMMA(ack_is_written, !emptied || written_ack)
