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
  logic       sweeps;  // the opening in stage p0 is of this sweep
  logic       known;   // the connection was opened

  always_ff @(posedge clk) begin
    sweeps <= !rst_q;
    opens  <= {opens[6:1], p0_clear_q && sweeps};
    if (opens[7] && 32'(send_idx_q[7*IDX_W +: IDX_W]) == 32'(conn)) begin
      known <= 1'b1;
    end
    if (rst_q) begin
      opens <= '0;
      known <= 1'b0;
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

  // It is opened once.
  logic [9:0] once;
  logic       once_holds;

  always_comb begin
    once[0] = !ready_q && 32'(clear_idx) >= 32'(conn);
    once[1] = p0_clear_q && sweeps && 32'(IDX_W'(p0_send_conn_q)) == 32'(conn);
    for (int unsigned i = 1; i <= 7; i++) begin
      once[i+1] = opens[i] && 32'(send_idx_q[i*IDX_W +: IDX_W]) == 32'(conn);
    end
    once[9] = known;
    once_holds = (once & (once - 1'b1)) == '0;
  end

  `LEMMA(opened_once, rst_q || once_holds)
  `LEMMA(sweep_in_range, ready_q || rst_q || 32'(clear_idx) < CONNECTIONS)
  `LEMMA(stale_goes_first, stale_first)
  `LEMMA(opens_are_clears, (opens & ~clears) == '0)
