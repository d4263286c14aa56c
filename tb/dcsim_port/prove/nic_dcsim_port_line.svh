  // Two lines in real numbers, times the rate: what of the frames so far has still to pass when a
  // frame that is picked now begins; below 0, how late the line is. They differ only in how much of
  // that is kept while frames wait: `owed` is late by 2^LATE_W - 2 clocks at most, `debt` by more than
  // 2^LATE_W + 2. When nothing is picked, nothing stays.
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

  logic signed [D_W-1:0] owed, debt, r, part, gaps, longest, least, most;
  logic                  set, kept;  // kept: never later than `least` since the line was idle

  assign r       = D_W'({1'b0, any_rate});
  assign gaps    = D_W'({any_gap, FRAC_W'(0)});
  assign part    = D_W'({len, FRAC_W'(0)}) + gaps;
  assign longest = D_W'({1'b0, {LEN_W{1'b1}}, FRAC_W'(0)});
  assign least   = (r <<< LATE_W) - r - r;
  assign most    = (r <<< LATE_W) + r + r + D_W'({1'b0, 1'b1, (FRAC_W+LATE_W)'(0)});

  // While a frame is offered, they are what was left when it was picked.
  always_ff @(posedge clk) begin
    offered <= (offered || pick) && !take;
    if (offered) begin
      if (take) begin
        owed <= owed + part - r - r;
        debt <= debt + part - r - r;
      end
    end else if (pick) begin
      owed <= (owed < -least) ? -least : owed;
      debt <= (debt < -most) ? -most : debt;
      kept <= kept && owed >= -least;
    end else if (free) begin
      owed <= (owed <= r) ? '0 : owed - r;
      debt <= '0;
      kept <= kept || owed <= r;
    end else begin
      owed <= owed - r;
      debt <= (debt - r < -most) ? -most : debt - r;
    end
    if (rst) begin
      offered <= 1'b0;
      owed    <= '0;
      debt    <= '0;
      kept    <= 1'b1;
      set     <= 1'b1;
    end
  end

  // What the register would be if the clocks of a pick always counted.
  logic signed [D_W-1:0] credit, base;

  assign credit = {{2{credit_q[CREDIT_W-1]}}, credit_q};
  assign base   = offered ? credit + gaps - r - r : credit;

  `LEMMA(set_at_reset, set)
  `LEMMA(settings_are_here, !set || (rate_q == CREDIT_W'(any_rate) &&
    step_q == CREDIT_W'({any_rate, 1'b0}) - CREDIT_W'({any_gap, FRAC_W'(0)})))
  `LEMMA(credit_between, -owed <= base && base <= -debt)
  `LEMMA(credit_above, base >= (offered ? 0 : -longest - gaps))
  `LEMMA(credit_below, base < (offered ? most - r - r + gaps : most))
  `LEMMA(long_gap, r + r > gaps || base < r || base == 0)
  `LEMMA(owed_below, owed >= (offered ? -least : -least - r - r))
  `LEMMA(owed_above, owed + base <= most - least + gaps)
  `LEMMA(owed_fits, owed <= most - least + longest + gaps + gaps)
  `LEMMA(debt_below, debt >= (offered ? -most : -most - r - r))
  `LEMMA(debt_above, debt <= owed)
  `LEMMA(kept_is_exact, !kept || owed == debt)

  `PROPERTY(never_more, free && !offered, debt <= 0)
  `PROPERTY(never_less, owed <= 0 && !offered, free)
  `PROPERTY(time_is_exact, kept && !offered, free == (owed <= 0))
