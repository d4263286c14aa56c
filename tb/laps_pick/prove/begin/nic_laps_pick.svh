
  // A pick, with any random bits and any noise.
  `AFTER_REGISTERED_RESET

  // Of a request: whether some path is usable, or also not saturated (alive), and the usable
  // one with the lowest number; and of the two paths.
  logic [PATHS-1:0]   e_alive;
  logic [INDEX_W-1:0] e_first;
  logic               e_any_alive, e_pick_usable, e_pick_alive;

  for (genvar g = 0; g < PATHS; g++) begin : g_alive
    assign e_alive[g] = s_pick_usable[g] && s_pick_latency[14*g+9 +: 5] != 5'd31;
  end

  always_comb begin
    e_first = '0;
    for (int i = PATHS - 1; i >= 0; i--) begin
      if (s_pick_usable[i]) begin
        e_first = INDEX_W'(i);
      end
    end
  end

  assign e_any_alive   = 32'(any) < PATHS && e_alive[any];
  assign e_pick_usable = 32'(pick) < PATHS && s_pick_usable[pick];
  assign e_pick_alive  = 32'(pick) < PATHS && e_alive[pick];

  // Bit or entry i is stage i: the request is stage 0, the answer stage LATENCY.
  logic [LATENCY:1]         x_valid;
  logic [LATENCY*TAG_W:1]   x_tag;
  logic [LATENCY*INDEX_W:1] x_first;
  logic [LATENCY:1]         x_some_usable, x_some_alive, x_any_alive, x_pick_usable, x_pick_alive;

  always_ff @(posedge clk) begin
    x_valid       <= {x_valid[LATENCY-1:1], s_pick_valid};
    x_tag         <= {x_tag[(LATENCY-1)*TAG_W:1], s_pick_tag};
    x_first       <= {x_first[(LATENCY-1)*INDEX_W:1], e_first};
    x_some_usable <= {x_some_usable[LATENCY-1:1], s_pick_usable != '0};
    x_some_alive  <= {x_some_alive[LATENCY-1:1], e_alive != '0};
    x_any_alive   <= {x_any_alive[LATENCY-1:1], e_any_alive};
    x_pick_usable <= {x_pick_usable[LATENCY-1:1], e_pick_usable};
    x_pick_alive  <= {x_pick_alive[LATENCY-1:1], e_pick_alive};
    if (rst_q) begin
      x_valid <= '0;
    end
  end

  // Of the answer.
  logic               some_usable, some_alive, any_alive, pick_usable, pick_alive;
  logic [INDEX_W-1:0] first;

  assign first       = x_first[LATENCY*INDEX_W -: INDEX_W];
  assign some_usable = x_some_usable[LATENCY];
  assign some_alive  = x_some_alive[LATENCY];
  assign any_alive   = x_any_alive[LATENCY];
  assign pick_usable = x_pick_usable[LATENCY];
  assign pick_alive  = x_pick_alive[LATENCY];
