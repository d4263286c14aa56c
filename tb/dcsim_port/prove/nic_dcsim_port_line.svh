  // Time in real numbers, times the rate, from the clock of now: what of the frames so far has
  // still to pass when a frame that is picked now begins; 0 or below, the line is free.
  `AFTER_RESET
  `ANY(RATE_W, any_rate)
  `ANY(GAP_W, any_gap)
  always_comb assume (rate == any_rate && gap == any_gap);

  // A frame is picked only if the line is free, and taken in one of the next cycles.
  logic offered;

  always_comb assume (!pick || (free && !offered));
  always_comb assume (hold == (offered && !take));
  always_comb assume (!take || offered);

  localparam int unsigned D_W = CREDIT_W + 2;

  logic signed [D_W-1:0] debt, r, part;
  logic                  set;

  assign r    = D_W'({1'b0, any_rate});
  assign part = D_W'({len, FRAC_W'(0)}) + D_W'({any_gap, FRAC_W'(0)});

  // While a frame is offered, debt is what was left when it was picked.
  always_ff @(posedge clk) begin
    offered <= (offered || pick) && !take;
    if (offered) begin
      if (take) begin
        debt <= debt + part - r - r;
      end
    end else if (pick) begin
      debt <= (debt <= -r - r) ? '0 : debt;
    end else begin
      debt <= (debt <= 0) ? '0 : debt - r;
    end
    if (rst) begin
      offered <= 1'b0;
      debt    <= '0;
      set     <= 1'b1;
    end
  end

  logic signed [D_W-1:0] credit, gaps, longest;

  assign credit  = {{2{credit_q[CREDIT_W-1]}}, credit_q};
  assign gaps    = D_W'({any_gap, FRAC_W'(0)});
  assign longest = D_W'({1'b0, {LEN_W{1'b1}}, FRAC_W'(0)});

  `LEMMA(set_at_reset, set)
  `LEMMA(settings_are_here, !set || (rate_q == CREDIT_W'(any_rate) &&
    step_q == CREDIT_W'({any_rate, 1'b1}) - CREDIT_W'({any_gap, FRAC_W'(0)})))
  `LEMMA(credit_is_debt, offered || credit == -debt)
  `LEMMA(credit_offered, !offered || credit == r + r + 1 - gaps - debt)
  `LEMMA(debt_below, debt >= -(r + r + r + r))
  `LEMMA(debt_offered, !offered || (debt <= 0 && debt > -(r + r)) || debt == 0)
  `LEMMA(debt_above, debt <= longest + gaps)

  `PROPERTY(time_is_exact, !offered, free == (debt <= 0))
