  // The order of a flush, with any answers of the lanes.
  `AFTER_RESET

  logic [RING-1:0] cleared;      // entries, since the flush began
  logic [3:0]      lanes;        // that have cleared their words
  logic [LEFT_W:0] waited;       // cycles in CLEARS before the first entry
  logic            over;         // all of it was cleared
  logic            popped;       // its packets were discarded

  always_comb assume (!slot_taken || slot_clear);
  always_comb assume (ready || state_q == REST);
  always_comb assume (!ended || stored == (enter && enter_idx == s_idx));
  always_comb assume (state_q == REST || s_idx == held);

  logic [IDX_W-1:0] held;        // the connection

  always_ff @(posedge clk) held <= s_idx;

  always_ff @(posedge clk) begin
    if (state_q == ASKED) begin
      cleared <= '0;
      lanes   <= '0;
      waited  <= '0;
    end else if (state_q == CLEARS) begin
      if (slot_taken) begin
        cleared[slot] <= 1'b1;
      end
      if (!slots) begin
        waited <= waited + 1'b1;
      end
      lanes <= lanes | (clear & clear_taken);
    end
    if (state_q == ASKED) begin
      popped <= pops;
    end
    over <= state_q == CLEARS && last_q && clear_q == '0 && &cleared && lanes == '1;
    if (state_q == END || state_q == PAST) begin
      over <= over;
    end
    if (rst) begin
      over   <= 1'b0;
      popped <= 1'b0;
    end
  end

  logic came;  // a packet was stored since the pop, in the cycles of quiet

  always_ff @(posedge clk) begin
    came <= (came || (enter && enter_idx == s_idx)) && !(state_q == ASKED && pops);
    if (rst) begin
      came <= 1'b0;
    end
  end

  `PROPERTY(all_entries, done, over)
  `PROPERTY(after_what_is_on_its_way, slot_clear, 32'(waited) == DRAIN)
  `PROPERTY(packets_are_gone, done && popped, !came)
  `PROPERTY(one_thing, want, !visit && !slot_clear && !ends)

  logic [RING-1:0] ahead;        // entries that come yet

  for (genvar g = 0; g < RING; g++) begin : g_ahead
    assign ahead[g] = !last_q && (!slots || 32'(left_q) >= g);
  end

  `LEMMA(entries, state_q != CLEARS || (cleared | ahead) == '1)

  `LEMMA(lane, state_q != CLEARS || (lanes | clear_q) == '1)
  `LEMMA(wait_fits, state_q != CLEARS || last_q || 32'(waited) == (slots ? DRAIN : RING + DRAIN - 1 - 32'(left_q)))
  `LEMMA(left_fits, state_q != CLEARS || 32'(left_q) < RING + DRAIN || last_q)
  `LEMMA(quiet_is_not_came, !mine_q || quiet_q == !came)
  `LEMMA(popped_is_mine, state_q == REST || state_q == WANTS || state_q == ASKED || popped == mine_q)
  `LEMMA(mine_in_visit, state_q != VISITS || mine_q)
  `LEMMA(mine_at_end, (state_q != END && state_q != PAST) || mine_q)
  `LEMMA(over_at_end, (state_q != END && state_q != PAST) || over)
