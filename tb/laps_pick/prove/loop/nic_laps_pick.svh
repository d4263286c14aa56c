
  (* hierconn *) logic [INDEX_W-1:0] \race.loop_index ;
  logic [INDEX_W-1:0] loop_index;

  assign loop_index = \race.loop_index ;

  `PROPERTY(tree_is_loop, m_pick_valid && some_alive, m_pick_index == loop_index)
