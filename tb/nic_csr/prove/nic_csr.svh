  // A write goes to one block, a read has one word.
  `AFTER_RESET

  `PROPERTY(one_writes, csr_wr_go || reps_wr_go || reps_detector_wr_go, 3'(csr_wr_go) + 3'(reps_wr_go) + 3'(reps_detector_wr_go) == 3'd1)
  `PROPERTY(one_reads, rd_hit && fixed_data != 32'd0, levels_data == 32'd0)
  `PROPERTY(no_data_in_a_hole, !rd_hit, rd_data == 32'd0)
