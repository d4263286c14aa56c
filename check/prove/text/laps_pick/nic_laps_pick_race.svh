
  // Path any, any one, against the winner: the smaller key, and of equal keys the one whose
  // number, with the bits of the ties turned, is smaller.
  localparam int unsigned LEVELS = $clog2(PATHS);

  `ANY(LEVELS, any)
  logic [LEVELS*LEAVES*KEY_W-1:0] key_past;
  logic [LEVELS*LEVELS-1:0]       tie_past;
  logic [LEAVES*KEY_W-1:0]        keys;
  logic [LEVELS-1:0]              ties;
  logic [KEY_W-1:0]               key_any, key_index;
  logic                           any_wins;

  always_ff @(posedge clk) begin
    key_past <= (LEVELS*LEAVES*KEY_W)'({key_past, p1_key_q});
    tie_past <= (LEVELS*LEVELS)'({tie_past, p1_tie_q});
  end

  assign keys      = key_past[(LEVELS-1)*LEAVES*KEY_W +: LEAVES*KEY_W];
  assign ties      = tie_past[(LEVELS-1)*LEVELS +: LEVELS];
  assign key_any   = keys[any*KEY_W +: KEY_W];
  assign key_index = keys[index*KEY_W +: KEY_W];
  assign any_wins  = key_any < key_index || (key_any == key_index && (any ^ ties) < (index ^ ties));
