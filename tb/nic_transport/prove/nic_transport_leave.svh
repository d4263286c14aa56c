  // The editor is a delay of L cycles. One of its beats among many, and one of those that go past
  // it.
  always_comb assume (!cut);

  `AFTER_RESET

  localparam int unsigned L = 9;
  localparam int unsigned W = OUT_W;  // last, tag, beat

  `ANY(1, any_two)
  always_comb assume (n_two == any_two);

  logic [L-1:0]   pipe;
  logic [W*L-1:0] words;

  always_ff @(posedge clk) begin
    pipe  <= {pipe[L-2:0], e_valid};
    words <= {words[W*(L-1)-1:0], e_last, e_tag, e_beat};
    if (rst) begin
      pipe <= '0;
    end
  end

  always_comb begin
    assume (d_valid == pipe[L-1]);
    assume ({d_last, d_tag, d_beat} == words[W*(L-1) +: W]);
  end

  // How many bits from one on are set.
  function automatic logic [5:0] some(input logic [L-1:0] bits, input logic [3:0] from);
    some = '0;
    for (int unsigned i = 0; i < L; i++) begin
      some = some + 6'(bits[i] && i >= 32'(from));
    end
  endfunction

  // ---- the way to the editor: turns

  logic       n_goes, q_goes, e_goes;
  logic       mid_in;               // of a frame beats are still to be read
  logic [1:0] mid_of, reads_of;

  assign n_goes   = n_read;
  assign q_goes   = q_read;
  assign e_goes   = e_read;
  assign reads_of = n_goes ? 2'd1 : q_goes ? 2'd2 : 2'd3;

  always_ff @(posedge clk) begin
    if (n_goes || q_goes || e_goes) begin
      mid_in <= n_goes ? (n_start && n_two) : q_goes ? !q_last : !f_last;
      mid_of <= reads_of;
    end
    if (rst) begin
      mid_in <= 1'b0;
    end
  end

  `LEMMA(one_inside, 3'(in_n_q) + 3'(in_q_q) + 3'(in_e_q) <= 3'd1 && !(in_e_q && in_p_q))
  `LEMMA(inside_is_mid, in_n_q == (mid_in && mid_of == 2'd1) && in_q_q == (mid_in && mid_of == 2'd2) && in_e_q == (mid_in && mid_of == 2'd3))
  `LEMMA(mid_is_some, !mid_in || mid_of != 2'd0)

  `PROPERTY(one_read, n_goes || q_goes || e_goes || p_read, !(n_goes && q_goes) && !(n_goes && e_goes) && !(q_goes && e_goes) && !(e_goes && p_read))
  `PROPERTY(one_frame, mid_in && (n_goes || q_goes || e_goes), reads_of == mid_of)
  `PROPERTY(queue_waits, q_start, q_frame_valid && q_ev_valid)
  `PROPERTY(frame_waits, f_start, f_frame_valid && (!f_edited || !f_wants || f_ev_valid))

  // ---- room

  logic [5:0] on_way;

  assign on_way = 6'(d_count) + some(pipe, 4'd0) + 6'(r1_edit_q) + 6'(r2_edit_q);

  logic [W*32-1:0] edited_words;
  logic [W*32-1:0] past_words;

  for (genvar g = 0; g < 32; g++) begin : g_past
    assign edited_words[W*g +: W] = edited_mem[g];
    assign past_words[W*g +: W] = past_mem[5'(g) + p_rd_q[4:0]];
  end

  logic [4:0] d_first;

  assign d_first = d_rd_q[4:0];

  `LEMMA(edit_may, !edit_ok_q || 32'(d_count) <= 17)
  `LEMMA(past_may, !past_ok_q || 32'(p_count) <= 17)
  `LEMMA(edit_all, 32'(on_way) + 32'(in_n_q) <= 21 + L)
  `LEMMA(past_all, 32'(p_count) + 32'(r1_past_q) + 32'(r2_past_q) <= 20)
  `LEMMA(edit_count, 32'(d_count) <= 32)
  `LEMMA(edit_some, !d_some_q || d_count != '0)
  `LEMMA(past_some, p_some_q == (p_count != '0))

  `PROPERTY(edit_has_room, d_valid, 32'(d_count) < 32)
  `PROPERTY(past_has_room, r2_past_q, 32'(p_count) < 32)

  // ---- the wire

  logic         take, of_d;       // whether what is offered came through the editor
  logic         mid_out, mid_d;   // of a frame beats are still to be taken
  logic         was;
  logic [W-1:0] was_word;

  assign take = m_valid && m_ready;

  always_ff @(posedge clk) begin
    if (free) begin
      of_d <= d_pop;
    end
    if (take) begin
      mid_out <= !m_last;
      mid_d   <= of_d;
    end
    was      <= m_valid && !m_ready && !rst;
    was_word <= {m_last, m_tag, m_beat};
    if (rst) begin
      mid_out <= 1'b0;
    end
  end

  `LEMMA(one_out, !(out_d_q && out_p_q))
  `LEMMA(offers_one, !m_valid || (out_d_q == (of_d && !m_last) && out_p_q == (!of_d && !m_last)))
  `LEMMA(offers_none, m_valid || (out_d_q == (mid_out && mid_d) && out_p_q == (mid_out && !mid_d)))

  `PROPERTY(not_mixed, mid_out && m_valid, of_d == mid_d)
  `PROPERTY(stands, was, m_valid && was_word == {m_last, m_tag, m_beat})

  // ---- a beat through the editor, any one

  logic         mark_e, e_in, e_out;
  logic [5:0]   e_ahead;    // that leave before it
  logic [3:0]   e_age;      // cycles in the editor
  logic [W-1:0] e_word;
  logic         e_there, e_inside, e_door;
  logic [4:0]   e_place;

  assign e_there  = e_in && !e_out;
  assign e_inside = e_there && e_age < 4'(L);
  assign e_door   = e_there && m_valid && of_d && e_ahead == '0;
  assign e_place  = d_first + 5'(e_ahead - 6'(m_valid && of_d));

  always_ff @(posedge clk) begin
    if (e_valid && mark_e && !e_in) begin
      e_in    <= 1'b1;
      e_word  <= {e_last, e_tag, e_beat};
      e_age   <= 4'd0;
      e_ahead <= some(pipe, 4'd0) + 6'(d_count) + 6'(m_valid && of_d) - 6'(take && of_d);
    end else if (e_there) begin
      if (e_inside) begin
        e_age <= e_age + 1'b1;
      end
      if (take && of_d) begin
        e_ahead <= e_ahead - 1'b1;
        e_out   <= e_ahead == '0;
      end
    end
    if (rst) begin
      e_in  <= 1'b0;
      e_out <= 1'b0;
    end
  end

  `LEMMA(e_order, !e_out || e_in)
  `LEMMA(e_in_editor, !e_inside || (pipe[e_age] && words[W*e_age +: W] == e_word
    && e_ahead == some(pipe, e_age + 4'd1) + 6'(d_count) + 6'(m_valid && of_d)))
  `LEMMA(e_in_queue, !e_there || e_inside || e_door || (e_ahead < 6'(d_count) + 6'(m_valid && of_d) && edited_words[W*e_place +: W] == e_word))
  `LEMMA(e_at_door, !e_door || {m_last, m_tag, m_beat} == e_word)

  `PROPERTY(edited_in_order, e_there && take && of_d && e_ahead == '0, !e_inside && {m_last, m_tag, m_beat} == e_word)

  // ---- a beat past it, any one

  logic         mark_p, p_in, p_gone;
  logic [5:0]   p_ahead;
  logic [W-1:0] p_word;
  logic         p_there, p_door;
  logic [4:0]   p_place;

  assign p_there = p_in && !p_gone;
  assign p_door  = p_there && m_valid && !of_d && p_ahead == '0;
  assign p_place = 5'(p_ahead - 6'(m_valid && !of_d));

  always_ff @(posedge clk) begin
    if (r2_past_q && mark_p && !p_in) begin
      p_in    <= 1'b1;
      p_word  <= {p2_last_q, p2_tag_q, f_beat};
      p_ahead <= 6'(p_count) + 6'(m_valid && !of_d) - 6'(take && !of_d);
    end else if (p_there && take && !of_d) begin
      p_ahead <= p_ahead - 1'b1;
      p_gone  <= p_ahead == '0;
    end
    if (rst) begin
      p_in   <= 1'b0;
      p_gone <= 1'b0;
    end
  end

  `LEMMA(p_order, !p_gone || p_in)
  `LEMMA(p_in_queue, !p_there || p_door || (p_ahead < 6'(p_count) + 6'(m_valid && !of_d) && past_words [W*p_place +: W] == p_word))
  `LEMMA(p_at_door, !p_door || {m_last, m_tag, m_beat} == p_word)

  `PROPERTY(past_in_order, p_there && take && !of_d && p_ahead == '0, {m_last, m_tag, m_beat} == p_word)
