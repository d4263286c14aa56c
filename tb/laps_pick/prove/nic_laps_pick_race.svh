
  // Paths any and pick, any ones: what a winner is, told of two paths. At each level of the
  // tree, the winner of any's part of it is not above any: it has the smaller key, or an equal
  // one and a number that is not larger with the bits of the ties turned. And if pick won its
  // part so far, what stands there is pick's key.
  localparam int unsigned LEVELS = $clog2(PATHS);

  `ANY(LEVELS, any)
  `ANY(LEVELS, pick)

  // Of p1_key_q and p1_tie_q: entry j is of j cycles ago.
  logic [LEVELS*KEY_W-1:0]     any_key_q, pick_key_q;
  logic [LEVELS*LEVELS-1:0]    tie_q;
  logic [(LEVELS+1)*KEY_W-1:0] any_key, pick_key;
  logic [(LEVELS+1)*LEVELS-1:0] ties;
  logic [LEVELS-1:0]           any_lost, pick_kept; // bit j: so it is at level j
  logic                        any_wins;            // over pick, after the last level

  assign any_key  = {any_key_q, p1_key_q[any*KEY_W +: KEY_W]};
  assign pick_key = {pick_key_q, p1_key_q[pick*KEY_W +: KEY_W]};
  assign ties     = {tie_q, p1_tie_q};

  always_ff @(posedge clk) begin
    any_key_q  <= any_key[0 +: LEVELS*KEY_W];
    pick_key_q <= pick_key[0 +: LEVELS*KEY_W];
    tie_q      <= ties[0 +: LEVELS*LEVELS];
  end

  assign any_lost[0]  = 1'b1;
  assign pick_kept[0] = 1'b1;

`define LEVEL(level, key, number) \
  if (LEVELS > level) begin : g_level_``level \
    logic [KEY_W-1:0] of_any, of_pick, was_any, was_pick; \
    logic [level-1:0] number_any, number_pick, turned; \
    assign of_any      = key[(any >> level)*KEY_W +: KEY_W]; \
    assign of_pick     = key[(pick >> level)*KEY_W +: KEY_W]; \
    assign number_any  = number[(any >> level)*level +: level]; \
    assign number_pick = number[(pick >> level)*level +: level]; \
    assign was_any     = any_key[level*KEY_W +: KEY_W]; \
    assign was_pick    = pick_key[level*KEY_W +: KEY_W]; \
    assign turned      = ties[level*LEVELS +: level]; \
    assign any_lost[level] = of_any < was_any || \
      (of_any == was_any && (number_any ^ turned) <= (any[level-1:0] ^ turned)); \
    assign pick_kept[level] = number_pick != pick[level-1:0] || of_pick == was_pick; \
  end

  `LEVEL(1, p2_key_q, p2_index_q)
  `LEVEL(2, p3_key_q, p3_index_q)
  `LEVEL(3, p4_key_q, p4_index_q)
  `LEVEL(4, p5_key_q, p5_index_q)

  logic [KEY_W-1:0]  last_any, last_pick;
  logic [LEVELS-1:0] last_ties;

  assign last_any  = any_key[LEVELS*KEY_W +: KEY_W];
  assign last_pick = pick_key[LEVELS*KEY_W +: KEY_W];
  assign last_ties = ties[LEVELS*LEVELS +: LEVELS];
  assign any_wins  = last_any < last_pick || (last_any == last_pick && (any ^ last_ties) < (pick ^ last_ties));
