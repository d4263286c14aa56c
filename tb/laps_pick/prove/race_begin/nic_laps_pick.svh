
  // Paths any and pick, any ones.
  localparam int unsigned INDEX_W = $clog2(PATHS);

  (* hierconn *) logic [INDEX_W-1:0] \race.any , \race.pick ;
  logic [INDEX_W-1:0] any, pick;

  assign any  = \race.any ;
  assign pick = \race.pick ;
