
  // A pick, with any random bits and any noise.
  `AFTER_RESET
  localparam int unsigned INDEX_W = $clog2(PATHS);

  // Bit i is stage i: the request is stage 0, the answer stage LATENCY.
  logic [LATENCY:1]          x_valid;
  logic [LATENCY*TAG_W:1]    x_tag;
  logic [LATENCY*PATHS:1]    x_usable, x_alive;

  logic [PATHS-1:0] e_alive;  // usable and not saturated

  for (genvar g = 0; g < PATHS; g++) begin : g_alive
    assign e_alive[g] = s_pick_usable[g] && s_pick_latency[14*g+9 +: 5] != 5'd31;
  end

  always_ff @(posedge clk) begin
    x_valid  <= {x_valid[LATENCY-1:1], s_pick_valid};
    x_tag    <= {x_tag[(LATENCY-1)*TAG_W:1], s_pick_tag};
    x_usable <= {x_usable[(LATENCY-1)*PATHS:1], s_pick_usable};
    x_alive  <= {x_alive[(LATENCY-1)*PATHS:1], e_alive};
    if (rst) begin
      x_valid <= '0;
    end
  end

  logic [PATHS-1:0]   usable, alive;  // of the answer
  logic [INDEX_W-1:0] first;          // usable path with the lowest number

  assign usable = x_usable[LATENCY*PATHS -: PATHS];
  assign alive  = x_alive[LATENCY*PATHS -: PATHS];

  always_comb begin
    first = '0;
    for (int i = PATHS - 1; i >= 0; i--) begin
      if (usable[i]) begin
        first = INDEX_W'(i);
      end
    end
  end
