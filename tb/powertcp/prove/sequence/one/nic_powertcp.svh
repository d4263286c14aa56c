
  `ANY(IDX_W, conn)

  logic mine_in_part;

  assign mine_in_part = 1'b0;
