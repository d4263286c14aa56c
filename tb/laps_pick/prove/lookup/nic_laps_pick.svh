
  localparam int unsigned LEVELS = $clog2(PATHS);
  localparam int unsigned LAST   = LATENCY - 1; // stages as the lookup counts them: one less

  (* hierconn *) logic [LAST:0]     \lookup.tree_holds , \lookup.pick_weighs , \lookup.all_weigh ;
  (* hierconn *) logic              \lookup.any_not_below , \lookup.low_below , \lookup.high_below , \lookup.in_path ;
  (* hierconn *) logic [LEVELS-1:0] \lookup.rest_below , \lookup.rest_holds ;
  logic [LAST:0]     tree_holds, pick_weighs, all_weigh;
  logic              any_not_below, low_below, high_below, in_path;
  logic [LEVELS-1:0] rest_below, rest_holds;

  assign tree_holds    = \lookup.tree_holds ;
  assign pick_weighs   = \lookup.pick_weighs ;
  assign all_weigh     = \lookup.all_weigh ;
  assign any_not_below = \lookup.any_not_below ;
  assign low_below     = \lookup.low_below ;
  assign high_below    = \lookup.high_below ;
  assign in_path       = \lookup.in_path ;
  assign rest_below    = \lookup.rest_below ;
  assign rest_holds    = \lookup.rest_holds ;

  // Requests that are in a stage, and those of them with a path that is alive.
  logic [LAST:0] here, race;

  assign here = x_valid;
  assign race = x_valid & x_some_alive;

  // Whether any is not slower than pick. The loop spares a multiplier, which would be open.
  logic [13:0] e_any_latency, e_pick_latency;
  logic [6:1]  x_not_slower;

  always_comb begin
    e_any_latency  = '0;
    e_pick_latency = '0;
    for (int unsigned i = 0; i < PATHS; i++) begin
      if (i == 32'(any)) begin
        e_any_latency = s_pick_latency[14*i +: 14];
      end
      if (i == 32'(pick)) begin
        e_pick_latency = s_pick_latency[14*i +: 14];
      end
    end
  end

  always_ff @(posedge clk) begin
    x_not_slower <= {x_not_slower[5:1], e_any_latency <= e_pick_latency};
  end

  // What the answer is if no path races, on its way through stages 2 to LAST - 1.
  localparam int unsigned FIRST_W = 2 + LEVELS;

  (* hierconn *) logic [(LAST-2)*FIRST_W-1:0] \delay_first.genblk1.genblk1.g_line.line_q ;
  logic [(LAST-2)*FIRST_W-1:0] waiting;
  logic [LAST-1:2]             first_waits;

  assign waiting = \delay_first.genblk1.genblk1.g_line.line_q ;

  for (genvar g = 2; g < LAST; g++) begin : g_waits
    assign first_waits[g] = waiting[(g-2)*FIRST_W +: FIRST_W] ==
      {!x_some_usable[g+1], x_some_usable[g+1] && !x_some_alive[g+1], x_first[g*LEVELS+1 +: LEVELS]};
  end

  // The products are open: of them is known what the sets product_low and product_high prove.
  always_comb assume (!started || !all_weigh[6+LEVELS] || (low_below && high_below));

  `LEMMA(first_on_its_way, (here[LAST-1:2] & ~first_waits) == '0)
  `LEMMA(tree_of_sums, (here[LAST:6] & ~tree_holds[LAST:6]) == '0)
  `LEMMA(dead_weighs_nothing, (here[LAST:5] & pick_weighs[LAST:5] & ~x_pick_alive[LATENCY:6]) == '0)
  `LEMMA(alive_weigh, (race[LAST:5+LEVELS] & ~all_weigh[LAST:5+LEVELS]) == '0)
  `LEMMA(rests_below, (race[LAST-1:7+LEVELS] & ~rest_below) == '0)
  `LEMMA(rests_hold, (race[LAST-1:7+LEVELS] & ~rest_holds) == '0)

  `PROPERTY(faster_not_rarer, here[5] && x_any_alive[6] && x_pick_alive[6] && x_not_slower[6], any_not_below)
  `PROPERTY(threshold_below_sum, race[7+LEVELS], rest_below[0])
  `PROPERTY(threshold_in_path, m_pick_valid && some_alive, in_path)
