
  (* hierconn *) logic \race.any_wins ;
  logic any_wins;

  assign any_wins = \race.any_wins ;

  `PROPERTY(least_key_wins, m_pick_valid && alive != '0, !any_wins)
