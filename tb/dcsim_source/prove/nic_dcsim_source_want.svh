  // n_DATA - n_SIM of one flow, any one, by counting.
  `AFTER_RESET
  `ANY(FLOW_W, flow)

  logic [FLOW_W:0]   swept;
  logic              done;
  logic              on_late, on_again, on_serve, on_data, added;
  logic [WANT_W:0]   want;

  assign done = swept[FLOW_W];
  always_comb assume (clear == !done && clear_flow == swept[FLOW_W-1:0]);
  always_comb assume (done || (!late_valid && !again_valid && !data_valid));
  always_comb assume (data_count != '0);
  // Packets that come back were counted before: the sum stays within the range.
  always_comb assume (!(late_valid || again_valid) || want < (WANT_W+1)'((1 << WANT_W) - 1));

  // A flow is served only if it wants a SIM: asserted in every co-simulation.
  always_comb assume (!on_serve || want != '0);

  assign on_late  = late_valid && late_flow == flow;
  assign on_again = again_valid && again_ready && again_flow == flow;
  assign on_serve = serve && list_flow == flow;
  assign on_data  = data_valid && data_ready && data_flow == flow;

  // New DATAs count a cycle later, when it is known whether they are taken.
  assign added = w1_data && !w1_refused && w1_flow == flow;

  always_ff @(posedge clk) begin
    if (!done) begin
      swept <= swept + 1'b1;
    end
    want <= want + (WANT_W+1)'(on_late) + (WANT_W+1)'(on_again) - (WANT_W+1)'(on_serve) +
            (added ? (WANT_W+1)'(w1_count) : '0);
    if (rst) begin
      swept <= '0;
      want  <= '0;
    end
  end

  `PROPERTY(refused_only_if_many, w1_refused && w1_flow == flow, 32'(want) >= (1 << (WANT_W - 1)))
  `PROPERTY(late_goes_first, late_valid, !serve && !again_ready && !data_ready)
