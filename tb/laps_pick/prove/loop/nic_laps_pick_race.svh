
  // The same by going through the paths.
  logic [LEVELS-1:0]        least;
  logic [LEVELS*LEVELS-1:0] least_past;
  logic [LEVELS-1:0]        loop_index;
  logic [KEY_W-1:0]         key_least;

  always_comb begin
    least     = '0;
    key_least = p1_key_q[0 +: KEY_W];
    for (int unsigned i = 1; i < PATHS; i++) begin
      if (p1_key_q[KEY_W*i +: KEY_W] < key_least ||
          (p1_key_q[KEY_W*i +: KEY_W] == key_least && (LEVELS'(i) ^ p1_tie_q) < (least ^ p1_tie_q))) begin
        least     = LEVELS'(i);
        key_least = p1_key_q[KEY_W*i +: KEY_W];
      end
    end
  end

  always_ff @(posedge clk) begin
    least_past <= (LEVELS*LEVELS)'({least_past, least});
  end

  assign loop_index = least_past[(LEVELS-1)*LEVELS +: LEVELS];
