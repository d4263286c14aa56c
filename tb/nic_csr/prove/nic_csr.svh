  // Of constants and blocks one at most answers.
  `AFTER_RESET

  // What a read was before the reset is gone a cycle later.
  logic settled;

  always_ff @(posedge clk) settled <= !rst;

  `PROPERTY(one_reads, settled && rd_hit, 3'(constants_rd_hit) + 3'(csr_rd_hit) + 3'(reps_rd_hit) + 3'(reps_detector_rd_hit) == 3'd1)
  `PROPERTY(one_writes, wr_hit, 3'(csr_wr_hit) + 3'(reps_wr_hit) + 3'(reps_detector_wr_hit) == 3'd1)
  `PROPERTY(no_data_in_a_hole, settled && !rd_hit, rd_data == 32'd0)
