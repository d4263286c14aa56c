  // The level of the bucket in real numbers, times cost: it gains `gain` a clock, up to BUCKET
  // tokens, and loses cost with each token that is used. Rate and cost are any that stay.
  `AFTER_RESET
  `ANY(TOKEN_W, any_gain)
  `ANY(TOKEN_W, any_cost)
  always_comb assume (any_gain <= any_cost && any_cost != '0);
  always_comb assume (gain == any_gain && cost == any_cost);
  always_comb assume (!take || ready);

  localparam int unsigned LEVEL_W = TOKEN_W + 4;

  logic [LEVEL_W-1:0] size, level, spent, gained;
  logic [LEVEL_W-1:0] kept;
  logic               set;  // after the reset

  assign size   = LEVEL_W'(BUCKET) * LEVEL_W'(any_cost);
  assign spent  = take ? level - LEVEL_W'(any_cost) : level;
  assign gained = spent + LEVEL_W'(any_gain);
  // What the registers say.
  assign kept   = full ? size : LEVEL_W'(tokens_q) * LEVEL_W'(any_cost) + LEVEL_W'(any_cost) +
                  {{(LEVEL_W-TOKEN_W-1){credit_q[TOKEN_W]}}, credit_q};

  always_ff @(posedge clk) begin
    level <= (gained > size) ? size : gained;
    if (rst) begin
      level <= size;
      set   <= 1'b1;
    end
  end

  `LEMMA(settings_are_here, !set || (gain_q == {1'b0, any_gain} && step_q == gain_q - {1'b0, any_cost}))
  `LEMMA(set_at_reset, set)
  `LEMMA(level_fits, level <= size)
  `LEMMA(tokens_fit, 32'(tokens_q) < BUCKET)
  `LEMMA(credit_above, full || credit_q[TOKEN_W] || credit_q < {1'b0, any_gain})
  `LEMMA(credit_below, full || !credit_q[TOKEN_W] || '0 - credit_q <= {1'b0, any_cost})

  `PROPERTY(nothing_rounded, 1'b1, kept == level)
  `PROPERTY(ready_from_one_token, ready, level >= LEVEL_W'(any_cost))
  `PROPERTY(ready_at_one_token, level >= LEVEL_W'(any_cost), ready)
  `PROPERTY(full_keeps_no_fraction, full, level == size)
