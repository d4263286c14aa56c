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
  logic [CELL_W:0]     stored_1, stored_2, n_known;  // stored one and two cycles ago; of queues, known
  logic                e_take, e_commit, e_rollback;

  assign e_take     = takes[1];
  assign e_commit   = commits[1];
  assign e_rollback = rollbacks[1];
  assign first      = taken_places[CELL_W+1 +: CELL_W+1];
  assign held_next  = held || (e_take && cell_taken == one);

  always_comb assume (!take || some);
  always_comb assume (!commit || !rollback);
  always_comb assume (!give || n_known != '0);
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
    stored_1     <= commit ? n_now : '0;
    stored_2     <= stored_1;
    n_known      <= n_known + stored_2 - (CELL_W+1)'(give);
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
      stored_1     <= '0;
      stored_2     <= '0;
      n_known      <= '0;
    end
  end

  // How often the cell is in the ring.
  logic [CELL_W:0]   places, in_ring;
  logic [CELLS-1:0]  is_it, is_kept;
  logic [2*CELL_W+1:0] kepts;               // kept_q one and two cycles ago
  logic [CELL_W:0]   kept, in_kept;         // the ring with the packet's cells
  (* hierconn *) logic [CELLS*CELL_W-1:0] \ring.words ;

  assign places = give_q - first;
  assign kept   = kepts[CELL_W+1 +: CELL_W+1];

  always_ff @(posedge clk) begin
    kepts <= rst ? '0 : {kepts[CELL_W:0], kept_q};
  end

  for (genvar g = 0; g < CELLS; g++) begin : g_place
    logic [CELL_W:0]   place;
    logic [CELL_W-1:0] holds;

    assign place = first + (CELL_W+1)'(g);
    assign holds = (fresh[1] && !place[CELL_W]) ? place[CELL_W-1:0] : \ring.words [place[CELL_W-1:0]*CELL_W +: CELL_W];
    logic [CELL_W:0]   k_place;
    logic [CELL_W-1:0] k_holds;

    assign k_place   = kept + (CELL_W+1)'(g);
    assign k_holds   = (fresh[1] && !k_place[CELL_W]) ? k_place[CELL_W-1:0] : \ring.words [k_place[CELL_W-1:0]*CELL_W +: CELL_W];
    assign is_kept[g] = (CELL_W+1)'(g) < (CELL_W+1)'(give_q - kept) && k_holds == one;
    assign is_it[g] = (CELL_W+1)'(g) < places && holds == one;
  end

  always_comb begin
    in_ring = '0;
    in_kept = '0;
    for (int unsigned g = 0; g < CELLS; g++) begin
      in_ring = in_ring + (CELL_W+1)'(is_it[g]);
      in_kept = in_kept + (CELL_W+1)'(is_kept[g]);
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
  `LEMMA(known_of_stored, n_stored == n_known + stored_1 + stored_2 && 5'(n_known) + 5'(stored_1) + 5'(stored_2) <= 5'(CELLS))
  `LEMMA(fresh_at_first, !fresh_q || !kept_q[CELL_W])
  `LEMMA(kept_in_place, in_kept + (CELL_W+1)'(stored) == (CELL_W+1)'(1))
  `LEMMA(kept_fit, (CELL_W+1)'(give_q - kept) <= (CELL_W+1)'(CELLS) && (CELL_W+1)'(give_q - kepts[CELL_W:0]) <= (CELL_W+1)'(CELLS))
  `LEMMA(kept_is_before, take_q - kept_q == n_held)
  `LEMMA(places_fit, places <= (CELL_W+1)'(CELLS) && (CELL_W+1)'(give_q - taken_places[CELL_W:0]) <= (CELL_W+1)'(CELLS))
