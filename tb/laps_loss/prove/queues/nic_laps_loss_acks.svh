
  // What the properties say of the queues, in vectors.
  logic [QUEUES*(PLACE_W+1)-1:0]   x_wr, x_rd, x_keep;
  logic [QUEUES*QUEUE_N*ACK_W-1:0] x_acks;
  logic [QUEUES-1:0]               x_seen, x_blocked, x_rest, x_push, x_mine;

  for (genvar g = 0; g < QUEUES; g++) begin : g_x
    assign x_wr[g*(PLACE_W+1) +: PLACE_W+1]   = g_queue[g].wr_q;
    assign x_rd[g*(PLACE_W+1) +: PLACE_W+1]   = g_queue[g].rd_q;
    assign x_keep[g*(PLACE_W+1) +: PLACE_W+1] = g_queue[g].keep_q;
    assign x_seen[g]    = g_queue[g].seen_q;
    assign x_blocked[g] = g_queue[g].blocked_q;
    assign x_rest[g]    = g_queue[g].rest;
    assign x_push[g]    = g_queue[g].push;
    assign x_mine[g]    = g_queue[g].e0_mine;

    for (genvar k = 0; k < QUEUE_N; k++) begin : g_word
      assign x_acks[(g*QUEUE_N+k)*ACK_W +: ACK_W] = g_queue[g].acks[k];
    end
  end
