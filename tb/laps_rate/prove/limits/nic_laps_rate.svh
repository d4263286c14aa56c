
  // From any state.
  logic [2:0] age = '0;
  logic       started;

  always_ff @(posedge clk) begin
    if (age != '1) begin
      age <= age + 1'b1;
    end
  end

  assign started = age >= 3'd4;

  // As an argument of a macro the name would lose the space that ends it.
  (* hierconn *) logic \rates.stored.wr_en ;
  logic stores;

  assign stores = \rates.stored.wr_en ;

  // The settings of two cycles ago. A rate is written in the cycle of its answer.
  logic [RATE_W-1:0] max_1, max_2, min_1, min_2;

  always_ff @(posedge clk) begin
    max_1 <= cfg_max_rate;
    max_2 <= max_1;
    min_1 <= cfg_min_rate;
    min_2 <= min_1;
  end

  logic changed;

  assign changed = m_rate_valid && m_rate_cause >= CAUSE_DECREASE && m_rate_cause <= CAUSE_OPEN;

  `PROPERTY(changed_within_limits, changed && min_2 <= max_2, m_rate_current <= max_2 && m_rate_expected <= max_2)
  `PROPERTY(decrease_within_limits, m_rate_valid && m_rate_cause == CAUSE_DECREASE, m_rate_current >= min_2)
  `PROPERTY(held_keeps, m_rate_valid && m_rate_cause == CAUSE_HELD, !stores)
