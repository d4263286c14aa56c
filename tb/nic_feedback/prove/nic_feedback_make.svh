  // What leaves, for any list, template, back-pressure and reset. A list that is offered stands.
  `AFTER_RESET

  localparam int unsigned LIST = $bits(s_marks);

  logic               waits;
  logic [IDX_W-1:0]   was_conn;
  logic [23:0]        was_psn;
  logic [4:0]         was_count;
  logic [16*LIST-1:0] was_evs;
  logic [LIST-1:0]    was_marks;
  logic               was_exists, was_again;

  always_ff @(posedge clk) begin
    waits      <= s_valid && !s_ready && !rst;
    was_conn   <= s_conn;
    was_psn    <= s_psn;
    was_count  <= s_count;
    was_evs    <= s_evs;
    was_marks  <= s_marks;
    was_exists <= s_exists;
    was_again  <= s_again;
  end

  always_comb assume (!waits || (s_valid && {s_conn, s_psn, s_count, s_evs, s_marks, s_exists, s_again} ==
    {was_conn, was_psn, was_count, was_evs, was_marks, was_exists, was_again}));

  // A list: how many entropy values it has, and one of them, any one, by its place on the wire.
  `ANY(4, place)

  logic        taking, open;  // it was begun and not taken; its packet was begun and has not left
  logic        has;           // the list has that entropy value
  logic [4:0]  count;
  logic [4:0]  from;          // where on the port it is
  logic [23:0] psn;
  logic [15:0] ev;
  logic        mark, again;
  logic [3:0]  udp;           // the template's lane
  logic        second;        // the second beat is made, or offered

  assign from = 5'(LIST) - s_count + 5'(place);

  always_ff @(posedge clk) begin
    taking <= (start || (taking && !s_ready)) && !rst;
    open   <= (start || (open && !over)) && !rst;
    if (start) begin
      has    <= 5'(place) < s_count && s_count <= 5'(LIST);
      count  <= s_count;
      psn    <= s_psn;
      again  <= s_again;
      ev     <= s_evs[16*from +: 16];
      mark   <= s_marks[from];
      second <= 1'b0;
    end
    if (p1_first_q) begin
      udp    <= lane;
    end
    if (taken) begin
      second <= !m_last;
    end
    if (rst) begin
      second <= 1'b0;
    end
  end

  // A beat that waits, and the one before it.
  logic         held, was_last;
  logic [63:0]  was_keep;
  logic [511:0] was_data;

  always_ff @(posedge clk) begin
    held     <= m_valid && !m_ready && !rst;
    was_last <= m_last;
    was_keep <= m_keep;
    was_data <= m_data;
  end

  // The frame: its words, and in which beat one of them is, any half of it.
  logic [5:0]  words;         // with the ICRC
  logic [6:0]  bytes;         // of the second beat
  logic [5:0]  at_head, at_ev;
  logic        high_ev;
  logic        head_in, ev_in;
  logic [15:0] ev_shown, marks_shown;

  assign words   = 6'(udp) + 6'd7 + 6'((count + 5'd1) >> 1) + 6'd1;
  assign bytes   = 7'(4 * (32'(words) - 1) + 2 - 64);
  assign at_head = 6'(udp) + 6'd6;
  assign at_ev   = 6'(udp) + 6'd7 + 6'(place >> 1);
  assign high_ev = place[0];
  // Half 0 of word 0 is none of the frame: a beat has 32 halves, from half 1 of word 0 on.
  logic [6:0]  half_ev, half_marks;

  assign half_ev     = {at_ev, high_ev} - 7'd1;
  assign half_marks  = {at_head, 1'b1} - 7'd1;
  assign ev_in       = half_ev[6:5] == {1'b0, second};
  assign head_in     = half_marks[6:5] == {1'b0, second};
  assign ev_shown    = m_data[16*half_ev[4:0] +: 16];
  assign marks_shown = m_data[16*half_marks[4:0] +: 16];

  `PROPERTY(beat_stands, held, m_valid && m_last == was_last && m_keep == was_keep && m_data == was_data)
  `PROPERTY(two_beats, m_valid, m_last == second)
  `PROPERTY(whole_frame, m_valid, m_keep == (m_last ? (64'd1 << bytes) - 64'd1 : '1))
  `PROPERTY(ev_in_its_place, m_valid && has && ev_in, ev_shown == {ev[7:0], ev[15:8]})
  `PROPERTY(mark_of_its_ev, m_valid && has && head_in, marks_shown[4'(place - 4'd8)] == mark)
  `PROPERTY(one_place, 1'b1, (token_q & (token_q - 17'd1)) == '0 && !(m_valid && token_q != '0))
  `PROPERTY(taken_once, s_ready, taking && s_valid)
  `PROPERTY(one_packet_at_a_time, start, !open && !m_valid)
  `PROPERTY(packet_of_a_list, m_valid, open)
  `PROPERTY(none_is_lost, open, 3'(begin_q[0]) + 3'(begin_q[1]) + 3'(p1_first_q) + 3'(token_q != '0) + 3'(m_valid) == 3'd1)

  // How the registers stand for that. A packet is begun, or its words go through p1 and p2 to the place
  // of the token: at is that of p2's in the frame.
  logic [4:0] at;
  logic       runs;           // they do, or a beat waits
  logic [4:0] end_of_list;    // place of the ICRC
  logic       in_list;
  logic [5:0] here;           // word in p1
  logic [16:0] below;         // places that are filled

  always_comb begin
    at = '0;
    for (int unsigned i = 0; i < 17; i++) begin
      if (token_q[i]) begin
        at = 5'(i);
      end
    end
  end

  assign runs        = token_q != '0 || m_valid;
  assign end_of_list = 5'd9 + {2'b00, most_q[3:1]};
  assign here        = 6'(place_q - 5'd1 + 5'(udp));
  assign below       = token_q - 17'd1;
  assign in_list     = place_q >= 5'd8 && place_q < end_of_list;

  `LEMMA(busy_is_open, busy_q == open && (open || (begin_q == '0 && !p1_first_q && token_q == '0 && !m_valid)))
  `LEMMA(goes_unless_held, go_q == !(token_q[16] || m_valid))
  `LEMMA(not_yet, !begin_q[0] && !begin_q[1] && !p1_first_q || (!second && !m_last && !p1_list_q && !p1_icrc_q && !p2_last_q))
  `LEMMA(place_before, (!begin_q[0] || place_q == 5'd17) && (!begin_q[1] || place_q == 5'd18) && (!p1_first_q || place_q == 5'd19))
  `LEMMA(idle_is_clean, open || (!second && !m_last))
  `LEMMA(lane_is_one, !runs || (udp >= 4'd8 && udp != 4'd11 && udp != 4'd12))
  `LEMMA(place_of_token, token_q == '0 || place_q == at + 5'd2 - 5'(udp) + (second ? 5'd16 : 5'd0))
  `LEMMA(place_of_beat, !m_valid || place_q == (m_last ? end_of_list + 5'd2 : 5'd18 - 5'(udp)))
  `LEMMA(legal_count, !open || (most_q == 4'(count - 5'd1) && (!legal_q || (count != '0 && count <= 5'(LIST)))))
  `LEMMA(legal_runs, !runs || legal_q)
  `LEMMA(not_behind, !runs || m_last || !second || place_q <= end_of_list + 5'd1)
  `LEMMA(list_by_place, !runs || p1_list_q == in_list)
  `LEMMA(icrc_by_place, !runs || p1_icrc_q == (place_q == end_of_list))
  `LEMMA(last_by_place, !runs || p2_last_q == (place_q == end_of_list + 5'd1))
  `LEMMA(last_is_second, !m_last || (m_valid && second))
  `LEMMA(kept_below, token_q == '0 || token_q[0] || keep_q == (below & 17'h1ffff))
  `LEMMA(kept_all, !m_valid || keep_q == (m_last ? (17'd1 << (5'(words) - 5'd16)) - 17'd1 : '1))

  // The list while it is gathered: the entry that is written, and those that were.
  logic gathered_ev, passed_ev, passed_head;

  assign gathered_ev = open && legal_q && has && !(gather_q && entry_q >= place);
  assign passed_ev   = m_valid || (token_q != '0 && 6'(half_ev[4:0] + 5'd1) >> 1 < 6'(at));
  assign passed_head = m_valid || (token_q != '0 && 6'(half_marks[4:0] + 5'd1) >> 1 < 6'(at));

  `LEMMA(gathers_what_stands, taking == gather_q && (!gather_q || (waits && open)))
  `LEMMA(gathers_down, !gather_q || (from_q <= most_q && entry_q == most_q - from_q))
  `LEMMA(gathers_in_time, !gather_q || (!second && !m_valid && from_q == (begin_q[0] ? 4'd0 : begin_q[1] ? 4'd1 : p1_first_q ? 4'd2 : 4'(at + 5'd3)) && at <= 5'd12))
  `LEMMA(all_gathered, !open || gather_q || (entry_q == '1 && !begin_q[0]))
  `LEMMA(same_list, !gather_q || (was_count == count && has == (5'(place) < was_count && was_count <= 5'(LIST)) &&
    (!has || (was_evs[16*(5'(LIST) - was_count + 5'(place)) +: 16] == ev && was_marks[5'(LIST) - was_count + 5'(place)] == mark))))
  `LEMMA(list_has, !open || has == (5'(place) < count && count <= 5'(LIST)))
  `LEMMA(ev_is_gathered, !gathered_ev || (place[0] ? odd[place[3:1]] : even[place[3:1]]) == ev)
  `LEMMA(mark_is_gathered, !gathered_ev || ce_q[4'(place - entry_q - 4'd1)] == mark)
  `LEMMA(head_by_place, !runs || p1_head_q == (place_q == 5'd7))
  `LEMMA(odd_by_place, !runs || !p1_list_q || p1_odd_q == (!most_q[0] && place_q[2:0] == most_q[3:1]))
  `LEMMA(p2_has_ev, !runs || !has || here - 6'd1 != at_ev || p2_word_q[16*high_ev +: 16] == {ev[7:0], ev[15:8]})
  `LEMMA(p2_has_marks, !runs || !has || here - 6'd1 != at_head || p2_word_q[16 + 32'(4'(place - 4'd8))] == mark)
  `LEMMA(beat_has_ev, !has || !ev_in || !passed_ev || ev_shown == {ev[7:0], ev[15:8]})
  `LEMMA(beat_has_marks, !has || !head_in || !passed_head || marks_shown[4'(place - 4'd8)] == mark)
