  // A byte of the beats that leave, any one, as frame[0:12] shim frame[12:] gives it.
  `AFTER_RESET
  `ANY(6, at)
  always_comb assume (!s_valid || (s_keep[0] && (s_keep & (s_keep + 64'd1)) == '0));
  always_comb assume (!s_valid || s_last || s_keep == '1);

  localparam bit HAS_INT = $bits(s_shim_body) > 224;
  localparam int unsigned ROOM = HAS_INT ? 48 : 32;  // bytes of the largest shim

  // Bytes of the frame's shim; 0 if it gets none.
  logic       begins;
  logic       taken;
  logic       asked;
  logic [5:0] r_size;
  logic [5:0] c_size;

  assign taken  = s_valid && s_ready;
  assign asked  = begins && s_shim_valid;
  assign c_size = !begins                                        ? r_size
                : !asked || !s_keep[13]                          ? 6'd0
                : s_shim_subtype == 4'd1                         ? 6'd32
                : HAS_INT && (s_shim_subtype == 4'd2 || s_shim_subtype == 4'd3) ? 6'd48
                :                                                  6'd0;

  // The shim with what is in front of it, from byte 0 on.
  logic [511:0] front;

  assign front = 512'({s_shim_body, s_shim_next, s_shim_subtype, 2'd0, s_shim_type, s_shim_count,
                       ether_type[7:0], ether_type[15:8], s_data[0 +: 96]});

  // What is left of the beat before: it leaves in front of the next one, or by itself.
  logic       rest;
  logic       left;
  logic [7:0] r_byte;
  logic       r_there;
  logic       r_user;

  assign left = s_last && c_size != '0 && s_keep[6'd0 - c_size];

  // What leaves next, and what is offered.
  logic       free;
  logic [7:0] byte_next;
  logic       there_next;
  logic       e_valid, e_there, e_last, e_user;
  logic [7:0] e_byte;
  logic       e_insert, e_illegal, e_frame;

  assign free = m_ready || !e_valid;

  always_comb begin
    if (rest) begin
      byte_next  = r_byte;
      there_next = at < r_size && r_there;
    end else if (at < c_size || (begins && c_size != '0 && 7'(at) < 7'd12 + 7'(c_size))) begin
      byte_next  = begins ? front[{at, 3'd0} +: 8] : r_byte;
      there_next = 1'b1;
    end else begin
      byte_next  = s_data[{at - c_size, 3'd0} +: 8];
      there_next = s_keep[at - c_size];
    end
  end

  always_ff @(posedge clk) begin
    if (taken) begin
      begins  <= s_last;
      r_size  <= c_size;
      r_byte  <= s_data[{at - c_size, 3'd0} +: 8];
      r_there <= s_keep[at - c_size];
      r_user  <= s_user;
    end
    if (free) begin
      rest    <= taken && left;
      e_valid <= s_valid || rest;
      e_byte  <= byte_next;
      e_there <= there_next;
      e_last  <= rest || (s_last && !left);
      e_user  <= rest ? r_user : s_user && s_last && !left;
    end
    e_insert  <= taken && asked && c_size != '0;
    e_illegal <= taken && asked && c_size == '0;
    e_frame   <= taken && s_last;
    if (rst) begin
      begins    <= 1'b1;
      rest      <= 1'b0;
      e_valid   <= 1'b0;
      e_insert  <= 1'b0;
      e_illegal <= 1'b0;
      e_frame   <= 1'b0;
    end
  end

  `LEMMA(same_state, begins == idle_q && rest == rest_q)
  `LEMMA(size_is_kept, (begins && !rest) || (is_laps_q == (r_size == 6'd32) && (r_size == '0 || r_size == 6'd32 || (HAS_INT && r_size == 6'd48))))
  if (HAS_INT) begin : g_int
    `LEMMA(int_is_kept, (begins && !rest) || is_int_q == (r_size == 6'd48))
  end
  `LEMMA(byte_is_kept, (begins && !rest) || at >= r_size || (kept_q[{6'(ROOM) - r_size + at, 3'd0} +: 8] == r_byte
    && kept_keep_q[6'(ROOM) - r_size + at] == r_there))
  `LEMMA(user_is_kept, !rest || (kept_user_q == r_user && r_size != '0))

  `PROPERTY(ready_but_for_rests, 1'b1, s_ready == (free && !rest))
  `PROPERTY(beats_are_the_frames, 1'b1, m_valid == e_valid && (!m_valid || (m_keep[at] == e_there && m_last == e_last && m_user == e_user)))
  `PROPERTY(bytes_are_in_place, m_valid && e_there, m_data[{at, 3'd0} +: 8] == e_byte)
  `PROPERTY(told, m_insert || m_illegal || m_frame, m_insert == e_insert && m_illegal == e_illegal && m_frame == e_frame)
