  // One connection, any one, from a reset on: what registers and memories held before it is any.
  `AFTER_REGISTERED_RESET
  `ANY(CONN_BITS, conn)
  always_comb assume (32'(conn) < CONNECTIONS);

  logic was_low = 1'b0;

  always_ff @(posedge clk) begin
    was_low <= was_low || !rst;
  end

  always_comb assume (!was_low || !rst);

  // Its opening in the sweep after the reset, by stages, and not what came from before it.
  logic [7:1] opens;

  always_ff @(posedge clk) begin
    opens <= {opens[6:1], p0_clear_q};
    if (rst_q) begin
      opens <= '0;
    end
  end

  logic [7:1] clears;
  logic [7:1] stale;
  logic       stale_first;

  assign clears = {p7_clear_q, clear_q};
  assign stale  = clears & ~opens;

  always_comb begin
    stale_first = 1'b1;
    for (int unsigned i = 1; i < 7; i++) begin
      for (int unsigned j = i + 1; j <= 7; j++) begin
        if (stale[i] && opens[j]) begin
          stale_first = 1'b0;
        end
      end
    end
  end

  `LEMMA(stale_goes_first, stale_first)
  `LEMMA(opens_are_clears, (opens & ~clears) == '0)
