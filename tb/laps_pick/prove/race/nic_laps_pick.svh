
  localparam int unsigned LEVELS = $clog2(PATHS);

  (* hierconn *) logic              \race.any_wins ;
  (* hierconn *) logic [LEVELS-1:0] \race.any_lost , \race.pick_kept ;
  logic              any_wins;
  logic [LEVELS-1:0] any_lost, pick_kept, here; // here: a request is at this level

  assign any_wins  = \race.any_wins ;
  assign any_lost  = \race.any_lost ;
  assign pick_kept = \race.pick_kept ;
  assign here      = x_valid[LATENCY-1 -: LEVELS];

  `LEMMA(any_lost_so_far, (here & ~any_lost) == '0)
  `LEMMA(pick_is_itself, (here & ~pick_kept) == '0)
  `PROPERTY(least_key_wins, m_pick_valid && some_alive && m_pick_index == pick, !any_wins)
