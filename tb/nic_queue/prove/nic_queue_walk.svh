  // The beats of a packet, any one, as its length says. Lengths come a cycle after the cell, and what
  // waits is any visit; that of an empty queue has no packet.
  `AFTER_RESET

  logic [7:0] follow;       // beats that still come of the packet
  logic       follows;      // its length is known
  logic [7:0] length, after;
  logic       due;          // its length comes in this cycle
  logic       walks;        // a packet is being read or discarded
  logic       half;         // the beat of a cell that comes next
  logic [7:0] gives, needs; // cells that were given back, and those of the packet
  logic       may;

  always_comb assume (!visit_none || !visit_more);

  logic a_begins;           // the first beat of a packet is read, or discarded

  assign a_begins = state_q == A && first_q && a_go && !none_q;
  assign length   = due ? size_beat : follow;

  // One cycle after the first beat of a next packet its length is there; a first packet's was before.
  always_ff @(posedge clk) begin
    due  <= a_begins && open_q && !rst;
    may  <= may_begin && !rst;
    half <= a_begins ? 1'b1 : !half;
    if (a_begins) begin
      follow <= open_q ? 8'd0 : rest_q;
      gives  <= 8'(give);
      needs  <= {1'b0, rest_q[7:1]} + 8'd1;
    end else begin
      if (due) begin
        needs <= {1'b0, size_beat[7:1]} + 8'd1;
      end
      follow <= length - 8'(length != 8'd0);
      gives  <= gives + 8'(give);
    end
    walks <= (walks || a_begins) && !finish;
    if (rst) begin
      follow <= 8'd0;
      walks  <= 1'b0;
      gives  <= 8'd0;
      needs  <= 8'd0;
    end
  end

  // The packet is over where the next one begins, or the visit ends.
  logic was_walk, was_finish;
  logic [7:0] gives_all, needs_all;

  assign gives_all = gives + 8'(give && !a_begins);
  assign needs_all = due ? {1'b0, size_beat[7:1]} + 8'd1 : needs;

  `PROPERTY(no_gap, !a_begins && length != 8'd0 && !discard_q, read_valid && !read_first)
  `PROPERTY(no_beat_too_many, !a_begins && length == 8'd0, !read_valid)
  `PROPERTY(discard_reads_nothing, discard_q && state_q != REST, !read_valid)
  `PROPERTY(halves_of_a_cell, read_valid && !read_first, read_place[0] == half)
  `PROPERTY(begins_when_it_may, a_begins && open_q && !discard_q, may)
  `PROPERTY(cells_are_given, walks && a_begins, gives == needs)
  `PROPERTY(all_are_given, finish && walks && !a_begins, gives_all == needs_all)
  `PROPERTY(one_is_given, finish && a_begins, give && rest_q == 8'd0)

  `LEMMA(follow_begin, (state_q != REST && !(state_q == A && first_q)) || follow == 8'd0)
  `LEMMA(cells_a, state_q != A || first_q || needs == gives + 8'd1 + {1'b0, rest_q[7:1]})
  `LEMMA(cells_b, state_q != B || open_q || needs == gives + 8'd1 + {1'b0, rest_q[7:1]})
  `LEMMA(cells_due, !due || gives == 8'd0)
  `LEMMA(cells_d, state_q != D || needs == gives + {1'b0, rest_q[7:1]})
  `LEMMA(cells_begin, state_q != A || !first_q || !walks || needs == gives)
  `LEMMA(walks_off, !walks || state_q != REST)
  `LEMMA(walks_none, !walks || !none_q || state_q == REST)
  `LEMMA(walks_on, walks || state_q == REST || (state_q == A && first_q))
  `LEMMA(due_in_b, !due || (state_q == B && open_q))
  `LEMMA(follow_a, state_q != A || first_q || (follow == rest_q + 8'd1 && !open_q))
  `LEMMA(follow_b, state_q != B || open_q || follow == rest_q)
  `LEMMA(open_b, state_q != B || !open_q || due)
  `LEMMA(follow_d, state_q != D || follow == (rest_q == 8'd0 ? 8'd0 : rest_q - 8'd1))
