  // One beat among many, and one frame. Who reads begins with a frame that was told of, and reads no
  // beat that is not there of one that is told of before its end.
  `AFTER_RESET

  logic under_q;     // a frame is being read
  logic gaps_q;      // it was told of before its end
  logic starts, ends;

  assign starts = m_start && !rst;
  assign ends   = m_read && m_last;

  always_comb begin
    assume (s_first == !inside_q);
    assume (m_inside == under_q);
    assume (!m_start || (m_frame_valid && !under_q && m_read));
    assume (!m_read || m_start || under_q);
    assume (!m_read || m_some || !gaps_q || m_start);
  end

  if (WHOLE) begin : g_whole
    always_comb assume (!s_valid || !s_high);
  end else begin : g_at_once
    // Without gaps, and within the room that queues know of.
    always_comb begin
      assume (s_valid || !inside_q);
      assume (!s_valid || (32'(count) < 7 && (!s_first || 32'(frames_q) < 4)));
    end
  end

  (* hierconn *) logic [2:0]              \infos.fill ;
  (* hierconn *) logic [4*INFO_W-1:0]     \infos.words ;
  (* hierconn *) logic [8*BEAT_W-1:0]     \beats.words ;

  (* hierconn *) logic [BEAT_W-1:0]       \beats.g_slice[0].data_q ;

  logic [7:0] lasts;    // of the beats that wait, the oldest first
  logic [3:0] ended;    // how many last beats wait
  logic [3:0] begun;    // how many first beats wait
  logic [2:0] fill, place, newest, before;

  // Which of the oldest frames is not told of: the one that comes in, if any.
  logic open;

  assign open = inside_q && !(WHOLE ? told_q : 1'b1);

  always_comb begin
    ended = '0;
    begun = 4'(count != '0 && !under_q);
    for (int unsigned i = 0; i < 8; i++) begin
      ended = ended + 4'(lasts[i] && i < 32'(count));
      begun = begun + 4'(lasts[i] && i + 1 < 32'(count));
    end
  end

  for (genvar g = 0; g < 8; g++) begin : g_lasts
    logic [2:0] at;

    assign at       = rd_q[2:0] + 3'(g);
    assign lasts[g] = last_mem[at[2:GROUP_W]][at[GROUP_W-1:0]];
  end

  assign fill   = count[2:0];
  assign newest = fill - 3'd1;
  assign before = beat_ahead[2:0] - 3'd1;

  always_ff @(posedge clk) begin
    if (starts) begin
      gaps_q <= WHOLE && ended == '0;
    end
    if (m_read) begin
      under_q <= !m_last;
    end
    if (rst) begin
      under_q <= 1'b0;
    end
  end

  // ---- a beat, any one

  logic              mark_beat;
  logic              beat_in, beat_out;
  logic [3:0]        beat_ahead;
  logic [BEAT_W-1:0] the_beat;
  logic              the_last, the_first;
  logic              there, read_now, read_1, read_2;

  assign there    = beat_in && !beat_out;
  assign read_now = there && m_read && beat_ahead == '0;
  assign place    = rd_q[2:0] + 3'(beat_ahead);

  always_ff @(posedge clk) begin
    if (s_valid && mark_beat && !beat_in) begin
      beat_in    <= 1'b1;
      the_beat   <= s_beat;
      the_last   <= s_last;
      the_first  <= s_first;
      beat_ahead <= count - 4'(m_read);
    end
    if (there && m_read) begin
      beat_ahead <= beat_ahead - 1'b1;
      beat_out   <= beat_ahead == '0;
    end
    read_1 <= read_now;
    read_2 <= read_1;
    if (rst) begin
      beat_in  <= 1'b0;
      beat_out <= 1'b0;
      read_1   <= 1'b0;
      read_2   <= 1'b0;
    end
  end

  `LEMMA(count_is_fill, 32'(count) <= 8 && m_some == (count != '0))
  `LEMMA(high_in_time, !WHOLE || s_high || 32'(count) <= HIGH)
  `LEMMA(frames_in_time, !WHOLE || s_high || 32'(frames_q) <= FRAMES)
  `LEMMA(frames_few, 32'(frames_q) <= 4 && 4'(frames_q) == begun)
  `LEMMA(group_is_kept, wr_q[GROUP_W-1:0] == '0 || last_mem[wr_q[2:GROUP_W]] == last_q)
  `LEMMA(last_was_last, count == '0 || inside_q == !lasts[newest])
  `LEMMA(ended_frames, ended + 4'(inside_q) == 4'(frames_q) + 4'(under_q))
  `LEMMA(told_frames, 4'( \infos.fill ) + 4'(open) == 4'(frames_q))
  `LEMMA(told_inside, !told_q || (WHOLE && inside_q))
  `LEMMA(gaps_until_end, !under_q || gaps_q || !WHOLE || ended != '0)
  `LEMMA(at_once_no_gap, WHOLE || !inside_q || !(under_q || frames_q != '0) || count != '0)
  `LEMMA(beat_there, !there || (beat_ahead < count && \beats.words [BEAT_W*place +: BEAT_W] == the_beat && lasts[beat_ahead[2:0]] == the_last))
  `LEMMA(read_once, !read_1 || \beats.g_slice[0].data_q == the_beat)
  `LEMMA(out_after_in, !beat_out || beat_in)
  `LEMMA(first_after_last, !there || the_first == ((beat_ahead == '0) ? !under_q : lasts[before]))

  `PROPERTY(none_odd, idle, !odd)
  `PROPERTY(has_room, s_valid, 32'(count) < 8)
  `PROPERTY(frame_has_room, known, \infos.fill < 3'd4)
  `PROPERTY(is_there, m_read, m_some)
  `PROPERTY(in_order, read_2, m_beat == the_beat)
  `PROPERTY(last_in_step, read_now, m_last == the_last)
  `PROPERTY(frame_begins, read_now, the_first == m_start)

  // ---- a frame, any one

  logic              mark_frame, marks;
  logic              frame_in, frame_told, frame_out;
  logic [2:0]        frame_ahead;
  logic [INFO_W-1:0] the_info;
  logic              comes;       // it is the one that comes in
  logic              tells;

  assign marks = s_valid && s_first && mark_frame && !frame_in;
  assign tells = known && (marks || (comes && !frame_told));

  always_ff @(posedge clk) begin
    if (s_valid) begin
      comes <= (marks || comes) && !s_last;
    end
    if (marks) begin
      frame_in    <= 1'b1;
      frame_ahead <= 3'(frames_q) - 3'(m_start);
    end else if (frame_in && !frame_out && m_start) begin
      frame_ahead <= frame_ahead - 1'b1;
      frame_out   <= frame_ahead == '0;
    end
    if (tells) begin
      frame_told <= 1'b1;
      the_info   <= s_info;
    end
    if (rst) begin
      frame_in   <= 1'b0;
      frame_told <= 1'b0;
      frame_out  <= 1'b0;
      comes      <= 1'b0;
    end
  end

  logic waits;

  assign waits = frame_in && !frame_out;

  `LEMMA(frame_order, (!frame_out || frame_told) && (!frame_told || frame_in) && (!comes || (frame_in && inside_q)))
  `LEMMA(frame_waits, !waits || 4'(frame_ahead) < 4'(frames_q))
  `LEMMA(untold_comes, !waits || frame_told || (comes && frame_ahead == \infos.fill && open))
  `LEMMA(told_is_told, !comes || !frame_told || !WHOLE || told_q)
  `LEMMA(info_there, !waits || !frame_told || (frame_ahead < \infos.fill && \infos.words [INFO_W*frame_ahead[1:0] +: INFO_W] == the_info))

  `PROPERTY(info_in_step, waits && m_start && frame_ahead == '0, frame_told && m_info == the_info)
  `PROPERTY(frames_conserved, 1'b1, 4'( \infos.fill ) + 4'(open) == 4'(frames_q) && frames_q + COUNT_W'(under_q) == COUNT_W'(ended) + COUNT_W'(inside_q))
