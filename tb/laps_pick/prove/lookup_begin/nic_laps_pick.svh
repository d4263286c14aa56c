
  // Paths any and pick, any ones.
  localparam int unsigned INDEX_W = $clog2(PATHS);

  (* hierconn *) logic [INDEX_W-1:0] \lookup.any , \lookup.pick ;
  logic [INDEX_W-1:0] any, pick;

  assign any  = \lookup.any ;
  assign pick = \lookup.pick ;
