  // One cell, any one: in the ring, in the packet that comes, or in a queue. A cell is known two cycles
  // after it was taken; so are all of the places here. Only cells of queues are given back.
  `AFTER_RESET
  `ANY(CELL_W, one)

  localparam int unsigned CELLS = 1 << CELL_W;

  logic                held, stored;           // in the packet, in a queue
  logic                held_next;
  logic [2:0]          fresh;                  // fresh_q, up to two cycles ago
  logic [1:0]          takes, commits, rollbacks;
  logic [2*CELL_W+1:0] taken_places;           // take_q one and two cycles ago
  logic [CELL_W:0]     first;                  // the first place of the ring, two cycles ago
  logic [CELL_W:0]     n_held, n_stored, n_now;  // cells of the packet and of queues, now; all that are not free
  logic                e_take, e_commit, e_rollback;

  assign e_take     = takes[1];
  assign e_commit   = commits[1];
  assign e_rollback = rollbacks[1];
  assign first      = taken_places[CELL_W+1 +: CELL_W+1];
  assign held_next  = held || (e_take && cell_taken == one);

  always_comb assume (!take || some);
  always_comb assume (!commit || !rollback);
  always_comb assume (!give || n_stored != '0);
  always_comb assume (!give || give_cell != one || stored);

  assign n_now = n_held + (CELL_W+1)'(take);

  always_ff @(posedge clk) begin
    takes        <= {takes[0], take};
    commits      <= {commits[0], commit};
    rollbacks    <= {rollbacks[0], rollback};
    fresh        <= {fresh[1:0], fresh_q};
    taken_places <= {taken_places[CELL_W:0], take_q};
    held         <= held_next && !e_commit && !e_rollback;
    stored       <= (stored && !(give && give_cell == one)) || (held_next && e_commit);
    n_held       <= (commit || rollback) ? '0 : n_now;
    n_stored     <= n_stored + (commit ? n_now : '0) - (CELL_W+1)'(give);
    if (rst) begin
      takes        <= 2'b00;
      commits      <= 2'b00;
      rollbacks    <= 2'b00;
      fresh        <= 3'b111;
      taken_places <= '0;
      held         <= 1'b0;
      stored       <= 1'b0;
      n_held       <= '0;
      n_stored     <= '0;
    end
  end

  // How often the cell is in the ring.
  logic [CELL_W:0]   places, in_ring;
  logic [CELLS-1:0]  is_it;
  (* hierconn *) logic [CELLS*CELL_W-1:0] \ring.words ;

  assign places = give_q - first;

  for (genvar g = 0; g < CELLS; g++) begin : g_place
    logic [CELL_W:0]   place;
    logic [CELL_W-1:0] holds;

    assign place = first + (CELL_W+1)'(g);
    assign holds = (fresh[1] && !place[CELL_W]) ? place[CELL_W-1:0] : \ring.words [place[CELL_W-1:0]*CELL_W +: CELL_W];
    assign is_it[g] = (CELL_W+1)'(g) < places && holds == one;
  end

  always_comb begin
    in_ring = '0;
    for (int unsigned g = 0; g < CELLS; g++) begin
      in_ring = in_ring + (CELL_W+1)'(is_it[g]);
    end
  end

  logic [CELL_W:0] was_free;

  always_ff @(posedge clk) begin
    was_free <= give_q - take_q;
    if (rst) begin
      was_free <= (CELL_W+1)'(CELLS);
    end
  end

  `PROPERTY(in_one_place, 1'b1, in_ring + (CELL_W+1)'(held) + (CELL_W+1)'(stored) == (CELL_W+1)'(1))
  `PROPERTY(taken_is_free, e_take && cell_taken == one, !held && !stored)
  `PROPERTY(cells_are_conserved, 1'b1, (CELL_W+1)'(give_q - take_q) + n_held + n_stored == (CELL_W+1)'(CELLS))
  `PROPERTY(some_while_free, 1'b1, some == (n_held + n_stored != (CELL_W+1)'(CELLS)))
  `PROPERTY(free_is_their_number, 1'b1, free == was_free)

  `LEMMA(places_late, taken_places[CELL_W:0] + (CELL_W+1)'(takes[0]) == take_q || rollbacks[0])
  `LEMMA(held_fits, n_held <= (CELL_W+1)'(CELLS) && n_stored <= (CELL_W+1)'(CELLS))
  `LEMMA(kept_is_before, take_q - kept_q == n_held)
  `LEMMA(places_fit, places <= (CELL_W+1)'(CELLS) && (CELL_W+1)'(give_q - taken_places[CELL_W:0]) <= (CELL_W+1)'(CELLS))
