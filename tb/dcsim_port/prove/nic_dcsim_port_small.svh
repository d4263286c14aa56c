  // Counts of one class, any one, and one packet of it, any one that finds room: how many are
  // before it, and its row.
  `AFTER_RESET
  `ANY(2, one)
  `ANY(QUEUE_W, any_most)
  always_comb assume (one != 2'd3);
  always_comb assume (most == any_most);
  always_comb assume (s_class != 2'd3);
  always_comb assume (!push || !full);
  always_comb assume (!pop || (m_class == 2'd0 && some[0]) || (m_class == 2'd1 && some[1]) || (m_class == 2'd2 && some[2]));

  localparam int unsigned N_W = DEPTH_W + 2;

  logic               in, out, mark, marked;
  logic [N_W-1:0]     waits, before, was;
  logic [DEPTH_W-1:0] row;
  logic               its;

  assign in  = push && s_class == one;
  assign out = pop && m_class == one;

  always_ff @(posedge clk) begin
    waits <= waits + N_W'(in) - N_W'(out);
    was   <= waits;
    if (in && mark && !marked) begin
      marked <= 1'b1;
      row    <= push_row;
      before <= waits - N_W'(out);
    end else if (marked && out) begin
      if (before == '0) begin
        marked <= 1'b0;
      end
      before <= before - 1'b1;
    end
    if (rst) begin
      waits  <= '0;
      was    <= '0;
      marked <= 1'b0;
    end
  end

  // The pointers of the class.
  logic [PTR_W-1:0] its_wr, its_rd, its_gone;

  assign its_wr   = one[1] ? wr_q[2*PTR_W +: PTR_W] : one[0] ? wr_q[PTR_W +: PTR_W] : wr_q[0 +: PTR_W];
  assign its_rd   = one[1] ? rd_q[2*PTR_W +: PTR_W] : one[0] ? rd_q[PTR_W +: PTR_W] : rd_q[0 +: PTR_W];
  assign its_gone = one[1] ? gone_q[2*PTR_W +: PTR_W] : one[0] ? gone_q[PTR_W +: PTR_W] : gone_q[0 +: PTR_W];
  assign its      = one[1] ? some[2] : one[0] ? some[1] : some[0];

  // What waits, with what left in the cycle before.
  logic           left;
  logic [N_W-1:0] held;

  assign held = waits + N_W'(left);

  always_ff @(posedge clk) begin
    left <= out && !rst;
  end

  `LEMMA(waits_fits, 32'(waits) <= (1 << DEPTH_W))
  `LEMMA(waits_is_fill, PTR_W'(waits) == PTR_W'(its_wr - its_rd))
  `LEMMA(held_is_fill, PTR_W'(held) == PTR_W'(its_wr - its_gone))
  `LEMMA(held_fits, 32'(held) <= (1 << DEPTH_W))
  `LEMMA(left_before, its_rd == its_gone + PTR_W'(left))
  `LEMMA(marked_waits, !marked || before < waits)
  `LEMMA(marked_row, !marked || row == DEPTH_W'(its_rd + PTR_W'(before)))

  `PROPERTY(never_above_b, s_class == one && !full, 32'(waits) < 32'(most) && 32'(waits) < (1 << DEPTH_W))
  `PROPERTY(full_only_at_b, s_class == one && full, 32'(held) >= 32'(most) || 32'(held) == (1 << DEPTH_W))
  `PROPERTY(some_is_some, 1'b1, its == (waits != '0))
  `PROPERTY(first_in_first_out, marked && before == '0 && m_class == one, its && head_row == row)
  `PROPERTY(row_is_its_own, marked && in, push_row != row)
