  // One frame among many, that whose first beat comes when mark is high for the first time, and
  // one beat among many. Each stands behind those that were there.
  always_comb assume (!cut);

  `AFTER_RESET

  localparam int unsigned N = 4;  // words in a queue
  localparam int unsigned B = 3 + USER_W;

  // What comes is as the parts around say: of a frame after the beat that it is of, in order.
  logic       into;         // the next beat that comes is not a first one
  logic [3:0] hdr_due;      // frames whose header is to come
  logic [3:0] found_due;    // and so on
  logic [3:0] echo_due;
  logic [3:0] end_due;
  logic [2:0] late;         // beats since s_room fell
  logic [3:0] inside;       // beats that came and did not leave
  logic [3:0] firsts;       // first beats among those that wait
  logic       take;

  assign take = m_valid && m_ready;

  always_ff @(posedge clk) begin
    if (s_valid) begin
      into <= !s_last;
    end
    hdr_due   <= hdr_due + 4'(s_valid && !into) - 4'(s_hdr_valid);
    found_due <= found_due + 4'(s_hdr_valid && s_hdr_search) - 4'(s_found_valid);
    echo_due  <= echo_due + 4'(s_found_valid && s_found_echo && HOLD) - 4'(s_echo_valid && HOLD);
    end_due   <= end_due + 4'(s_valid && s_last && HOLD) - 4'(s_end_valid && HOLD);
    late      <= s_room ? 3'd0 : late + 3'(s_valid);
    inside    <= inside + 4'(s_valid) - 4'(take);
    firsts    <= firsts + 4'(s_valid && !into) - 4'(go_first);
    if (rst) begin
      into      <= 1'b0;
      hdr_due   <= '0;
      found_due <= '0;
      echo_due  <= '0;
      end_due   <= '0;
      late      <= '0;
      inside    <= '0;
      firsts    <= '0;
    end
  end

  always_comb begin
    assume (!s_hdr_valid || hdr_due != '0);
    assume (!s_found_valid || found_due != '0);
    assume (!HOLD || !s_echo_valid || echo_due != '0);
    assume (!HOLD || !s_end_valid || end_due != '0);
    assume (!s_valid || s_room || 32'(late) < MARGIN - 2);
  end

  logic [2*N-1:0] flag_words;
  logic [2:0]     flag_fill;

  for (genvar g = 0; g < N; g++) begin : g_flags
    assign flag_words[2*g +: 2] = flags_mem[2'(g) + rd_q[1:0]];
  end

  assign flag_fill = count;
  (* hierconn *) logic [(HDR_W+1)*N-1:0]     \headers.words ;
  (* hierconn *) logic [2:0]                 \headers.fill ;
  (* hierconn *) logic [(FOUND_W+1)*N-1:0]   \founds.words ;
  (* hierconn *) logic [2:0]                 \founds.fill ;
  (* hierconn *) logic [(USER_W+2)*N-1:0]    \beats.words ;

  (* hierconn *) logic [ECHO_W*N-1:0]        \g_hold.echoes.words ;
  (* hierconn *) logic [2:0]                 \g_hold.echoes.fill ;
  (* hierconn *) logic [N-1:0]               \g_hold.ends.words ;
  (* hierconn *) logic [2:0]                 \g_hold.ends.fill ;

  // How many of the first words of a queue have a bit.
  function automatic logic [2:0] some(input logic [3:0] bits, input logic [2:0] words);
    some = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      some = some + 3'(bits[i] && i < 32'(words));
    end
  endfunction

  logic [3:0] lasts, searches, echoing;  // flags of words in queues

  for (genvar g = 0; g < 4; g++) begin : g_bits
    assign lasts[g]    = flag_words [2*g];
    assign searches[g] = \headers.words [(HDR_W+1)*g+HDR_W];
    assign echoing[g]  = \founds.words [(FOUND_W+1)*g+FOUND_W];
  end

  // ---- a beat, any one

  logic         mark_beat;
  logic         beat_in, beat_out;
  logic [2:0]   beat_ahead;   // beats that leave before it
  logic [B-1:0] the_beat;     // last, user, keep, data
  logic         the_first, the_bad;

  always_ff @(posedge clk) begin
    if (s_valid && mark_beat && !beat_in) begin
      beat_in    <= 1'b1;
      the_beat   <= {s_last, s_user, s_keep, s_data};
      the_first  <= !into;
      the_bad    <= s_bad;
      beat_ahead <= flag_fill + 3'(m_valid) - 3'(take);
    end
    if (beat_in && !beat_out && take) begin
      beat_ahead <= beat_ahead - 1'b1;
      beat_out   <= beat_ahead == '0;
    end
    if (rst) begin
      beat_in  <= 1'b0;
      beat_out <= 1'b0;
    end
  end

  logic       there;     // it is inside
  logic       at_door;   // it is offered
  logic [2:0] place;     // in the queue of flags, else
  logic [1:0] address;

  assign there   = beat_in && !beat_out;
  assign at_door = there && m_valid && beat_ahead == '0;
  assign place   = beat_ahead - 3'(m_valid);
  assign address = rd_q[1:0] + 2'(place);

  logic [1:0] waiting, before;

  assign waiting = count[1:0];
  assign before  = rd_q[1:0] - 2'd1;

  `LEMMA(count_is_fill, count == flag_fill && flag_fill <= 3'd4 && waiting == 2'( flag_fill ))
  `LEMMA(inside_is_fill, inside == 4'( flag_fill ) + 4'(m_valid))
  `LEMMA(into_is_last, into == (( flag_fill == 3'd0) ? inside_q : !lasts[2'( flag_fill - 3'd1)]))
  `LEMMA(out_after_in, !beat_out || beat_in)
  `LEMMA(beat_in_memory, !there || at_door || (
    flag_words [2*place[1:0]] == the_beat[B-1] && flag_words [2*place[1:0]+1] == the_bad && \beats.words [(B-1)*address +: B-1] == the_beat[B-2:0]))
  `LEMMA(first_in_memory, !there || at_door || the_first == ((place == 3'd0) ? !inside_q : lasts[2'(place - 3'd1)]))
  `LEMMA(beat_offered, !at_door || ({m_last, m_user, m_keep, m_data} == the_beat && m_first == the_first && m_bad == (m_last && (the_bad || m_short))
    && \beats.words [(B-1)*again_q +: B-1] == the_beat[B-2:0]))
  `LEMMA(again_is_before, !m_valid || again_q == before)
  `LEMMA(room_is_late, s_room || 32'( flag_fill ) <= 4 - MARGIN + 1 + 32'(late))
  `LEMMA(late_few, 32'(late) <= MARGIN - 2)
  `LEMMA(room_is_told, !s_room || 32'( flag_fill ) <= 4 - MARGIN)

  `PROPERTY(none_odd, !beat_valid, !odd)
  `PROPERTY(has_room, s_valid, 32'(count) < 4 && !(m_valid && wr_q[1:0] == again_q))
  `PROPERTY(not_lost, there, beat_ahead < flag_fill + 3'(m_valid))
  `PROPERTY(in_order, there && take && beat_ahead == '0, {m_last, m_user, m_keep, m_data} == the_beat && m_first == the_first)
  `PROPERTY(none_made, take, inside != '0)
  `PROPERTY(bad_stays, there && take && beat_ahead == '0 && m_last, m_bad == (the_bad || m_short))

  logic         was;
  logic [B+2:0] was_beat;
  logic [HDR_W+FOUND_W+ECHO_W+1:0] was_known;

  always_ff @(posedge clk) begin
    was       <= m_valid && !m_ready && !rst;
    was_beat  <= {m_first, m_bad, m_short, m_last, m_user, m_keep, m_data};
    was_known <= {m_search, m_hdr, m_found, m_echo_valid, m_echo};
  end

  `LEMMA(offer_in_memory, !m_valid || {m_user, m_keep, m_data} == \beats.words [(B-1)*again_q +: B-1])
  `PROPERTY(stands, was, m_valid && was_beat == {m_first, m_bad, m_short, m_last, m_user, m_keep, m_data}
    && was_known == {m_search, m_hdr, m_found, m_echo_valid, m_echo})

  // ---- a frame, any one

  logic               mark_frame;
  logic               frame_in, frame_gone;
  logic               shows;        // what is offered is of it
  logic [2:0]         frame_ahead;  // frames whose first beat leaves before its own
  logic               hdr_in, found_in, echo_in, end_in;
  logic [3:0]         hdr_pos, found_pos, echo_pos, end_pos;
  logic               the_search, the_echoes, the_short;
  logic [HDR_W-1:0]   the_hdr;
  logic [FOUND_W-1:0] the_found;
  logic [ECHO_W-1:0]  the_echo;
  logic               marks;
  logic               hdr_now, found_now, echo_now, end_now;

  assign marks     = s_valid && !into && mark_frame && !frame_in;
  assign hdr_now   = frame_in && !hdr_in && s_hdr_valid && hdr_pos == '0;
  assign found_now = hdr_in && the_search && !found_in && s_found_valid && found_pos == '0;
  assign echo_now  = found_in && the_echoes && !echo_in && s_echo_valid && echo_pos == '0;
  assign end_now   = frame_in && !end_in && s_end_valid && end_pos == '0;

  always_ff @(posedge clk) begin
    if (marks) begin
      frame_in    <= 1'b1;
      frame_ahead <= 3'(firsts - 4'(go_first));
    end else if (frame_in && !frame_gone && go_first) begin
      frame_ahead <= frame_ahead - 1'b1;
      frame_gone  <= frame_ahead == '0;
    end
    if (go_first) begin
      shows <= frame_in && !frame_gone && frame_ahead == '0;
    end
    hdr_pos   <= (marks ? hdr_due : hdr_pos) - 4'(s_hdr_valid);
    found_pos <= (hdr_now ? found_due : found_pos) - 4'(s_found_valid);
    echo_pos  <= (found_now ? echo_due : echo_pos) - 4'(s_echo_valid);
    end_pos   <= (marks ? end_due : end_pos) - 4'(s_end_valid);
    if (hdr_now) begin
      {hdr_in, the_search, the_hdr} <= {1'b1, s_hdr_search, s_hdr};
    end
    if (found_now) begin
      {found_in, the_echoes, the_found} <= {1'b1, s_found_echo, s_found};
    end
    if (echo_now) begin
      {echo_in, the_echo} <= {1'b1, s_echo};
    end
    if (end_now) begin
      {end_in, the_short} <= {1'b1, s_end_short};
    end
    if (rst) begin
      frame_in   <= 1'b0;
      frame_gone <= 1'b0;
      shows      <= 1'b0;
      hdr_in     <= 1'b0;
      found_in   <= 1'b0;
      echo_in    <= 1'b0;
      end_in     <= 1'b0;
    end
  end

  logic [2:0] found_at, echo_at, end_at;  // words before its own
  logic       waits, leaves;              // its first beat, its last one is inside

  assign waits    = frame_in && !frame_gone;
  assign found_at = some(searches, frame_ahead);
  assign echo_at  = some(echoing, found_at);
  assign end_at   = waits ? frame_ahead + 3'(inside_q) : 3'd0;

  `LEMMA(firsts_are_there, firsts == 4'( flag_fill != 3'd0 && !inside_q) + 4'( flag_fill == 3'd0 ? 3'd0 : some(lasts, flag_fill - 3'd1)))
  `LEMMA(headers_due, 4'( \headers.fill ) + hdr_due == firsts && hdr_due <= 4'd4)
  `LEMMA(founds_due, 4'( \founds.fill ) + found_due == 4'(some(searches, \headers.fill )) && found_due <= 4'd4)
  `LEMMA(echoes_due, !HOLD || (4'( \g_hold.echoes.fill ) + echo_due == 4'(some(echoing, \founds.fill )) && echo_due <= 4'd4))
  `LEMMA(ends_due, !HOLD || (4'( \g_hold.ends.fill ) + end_due == 4'(some(lasts, flag_fill )) && end_due <= 4'd4))
  `LEMMA(gone_after_in, (!frame_gone || (frame_in && hdr_in && (!the_search || found_in) && (!HOLD || !the_search || !the_echoes || echo_in))) && (!shows || frame_gone))
  `LEMMA(known_after_in, (!hdr_in || frame_in) && (!found_in || (hdr_in && the_search)) && (!echo_in || (found_in && the_echoes)) && (!end_in || frame_in))
  `LEMMA(frame_inside, !waits || 4'(frame_ahead) < firsts)
  `LEMMA(header_there, !waits || !hdr_in || (frame_ahead < \headers.fill && \headers.words [(HDR_W+1)*frame_ahead[1:0] +: HDR_W+1] == {the_search, the_hdr}))
  `LEMMA(header_comes, !waits || hdr_in || (4'(frame_ahead) == 4'( \headers.fill ) + hdr_pos && hdr_pos < hdr_due))
  `LEMMA(found_there, !waits || !found_in || (found_at < \founds.fill && \founds.words [(FOUND_W+1)*found_at[1:0] +: FOUND_W+1] == {the_echoes, the_found}))
  `LEMMA(found_comes, !waits || !hdr_in || !the_search || found_in || (4'(found_at) == 4'( \founds.fill ) + found_pos && found_pos < found_due))
  `LEMMA(echo_there, !HOLD || !waits || !echo_in || (echo_at < \g_hold.echoes.fill && \g_hold.echoes.words [ECHO_W*echo_at[1:0] +: ECHO_W] == the_echo))
  `LEMMA(echo_comes, !HOLD || !waits || !found_in || !the_echoes || echo_in || (4'(echo_at) == 4'( \g_hold.echoes.fill ) + echo_pos && echo_pos < echo_due))
  `LEMMA(end_there, !HOLD || !(waits || (shows && inside_q)) || !end_in || (end_at < \g_hold.ends.fill && \g_hold.ends.words [end_at[1:0]] == the_short))
  `LEMMA(end_comes, !HOLD || !(waits || (shows && inside_q)) || end_in || (4'(end_at) == 4'( \g_hold.ends.fill ) + end_pos && end_pos <= end_due))
  `LEMMA(not_last_inside, !m_valid || inside_q == !m_last)

  `LEMMA(header_shown, !shows || (hdr_in && {m_search, m_hdr} == {the_search, the_hdr}))
  `LEMMA(found_shown, !shows || (m_search ? found_in && m_found == the_found && m_echo_valid == the_echoes : !m_echo_valid))
  `LEMMA(echo_shown, !shows || !HOLD || !m_echo_valid || (echo_in && m_echo == the_echo))

  `PROPERTY(header_of_frame, shows && m_valid, hdr_in && {m_search, m_hdr} == {the_search, the_hdr})
  `PROPERTY(found_of_frame, shows && m_valid && m_search, found_in && m_found == the_found && m_echo_valid == the_echoes)
  `PROPERTY(echo_of_frame, shows && m_valid && m_search && m_echo_valid, !HOLD || (echo_in && m_echo == the_echo))
  `PROPERTY(short_of_frame, shows && m_valid && m_last, m_short == (HOLD && the_short) && (!HOLD || end_in))
