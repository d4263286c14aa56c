  // A byte of the beats that leave, any one, as frame[0:12] frame[12+size:] gives it; and a byte
  // of the record.
  `AFTER_RESET
  `ANY(6, at)
  always_comb assume (!s_valid || (s_keep[0] && (s_keep & (s_keep + 64'd1)) == '0));
  always_comb assume (!s_valid || s_last || s_keep == '1);

  localparam bit HAS_INT = $bits(m_record_body) > 224;

  // Bytes of the frame's shim, 0 if it has none that is understood; whether the frame ends here.
  logic       begins;
  logic       typed;
  logic [5:0] r_size, c_size;
  logic       r_end, c_end;

  assign typed  = s_keep[13] && {s_data[96 +: 8], s_data[104 +: 8]} == ether_type;
  assign c_size = !begins                                         ? r_size
                : !typed || s_data[118 +: 2] != 2'd0              ? 6'd0
                : s_data[120 +: 4] == 4'd1 && s_keep[12 + 32 + 1] ? 6'd32
                : HAS_INT && (s_data[120 +: 4] == 4'd2 || s_data[120 +: 4] == 4'd3)
                  && s_data[116 +: 2] < 2'd2 && s_keep[12 + 48 + 1] ? 6'd48
                :                                                   6'd0;
  assign c_end  = begins ? c_size == 6'd32 && s_data[116 +: 2] >= 2'd2 : r_end;

  // Of the beat before: what is in front of this one.
  logic [7:0] r_byte;
  logic [7:0] byte_kept;
  logic [5:0] room;  // bytes that are in front, in a frame with a shim

  assign room      = 6'd0 - c_size;
  assign byte_kept = begins && at < 6'd12 ? s_data[{at, 3'd0} +: 8] : s_data[{at + c_size, 3'd0} +: 8];

  always_ff @(posedge clk) begin
    if (s_valid) begin
      begins <= s_last;
      r_size <= c_size;
      r_end  <= c_end;
      r_byte <= byte_kept;
    end
    if (rst) begin
      begins <= 1'b1;
    end
  end

  // A beat leaves as a whole three cycles after it came, a rest too; filled up from this one, two
  // cycles later.
  logic more;
  logic whole, fill;

  assign more  = s_last && s_keep[c_size];
  assign whole = s_valid && !c_end && (c_size == '0 || more);
  assign fill  = s_valid && !c_end && c_size != '0 && !begins;

  logic [2:0]  x_whole;
  logic [1:0]  x_fill;
  logic [35:0] x_kept;    // byte, there, last, user, shim
  logic [21:0] x_filled;  // byte, there, last, user
  logic [2:0]  x_record, x_illegal, x_frame;
  logic [3*120-1:0] x_head;
  logic        e_valid;
  logic [7:0]  e_byte;
  logic        e_there, e_last, e_user, e_shim;
  logic        seen;

  always_ff @(posedge clk) begin
    x_whole   <= {x_whole[1:0], whole};
    x_fill    <= {x_fill[0], fill};
    x_kept    <= {x_kept[23:0], byte_kept, c_size == '0 ? s_keep[at] : at < room && s_keep[at + c_size], s_last, s_last && s_user, c_size != '0};
    x_filled  <= {x_filled[10:0], at < room ? r_byte : s_data[{at - room, 3'd0} +: 8], at < room || s_keep[at - room],
                  s_last && !more, s_last && !more && s_user};
    x_record  <= {x_record[1:0], s_valid && begins && c_size != '0};
    x_illegal <= {x_illegal[1:0], s_valid && begins && typed && c_size == '0};
    x_frame   <= {x_frame[1:0], s_valid && s_last};
    x_head    <= {x_head[2*120-1:0], c_end, s_last && s_user, s_data[{at, 3'd0} +: 8], s_data[120 +: 8], s_data[112 +: 6], s_data[0 +: 96]};
    if (rst) begin
      x_whole   <= '0;
      x_fill    <= '0;
      x_record  <= '0;
      x_illegal <= '0;
      x_frame   <= '0;
    end
  end

  assign e_valid = x_whole[2] || x_fill[1];
  assign {e_byte, e_there, e_last, e_user, e_shim} = x_whole[2] ? x_kept[24 +: 12] : {x_filled[11 +: 11], 1'b1};

  // The record.
  logic        e_end, e_bad;
  logic [7:0]  e_body;
  logic [13:0] e_head;
  logic [95:0] e_addresses;

  assign {e_end, e_bad, e_body, e_head, e_addresses} = x_head[2*120 +: 120];

  // What is kept while the next beat is still to come is of the beats of two cycles ago.
  logic       d_begins;
  logic [5:0] d_size;
  logic       d_end;
  logic [7:0] d_byte;

  always_ff @(posedge clk) begin
    d_begins <= begins || rst;
    d_size   <= r_size;
    d_end    <= r_end;
    d_byte   <= r_byte;
  end

  `LEMMA(same_state, begins == idle_q)
  `LEMMA(size_is_kept, d_begins || (p0_laps_q == (d_size == 6'd32) && p0_end_q == d_end
    && (d_size == '0 || d_size == 6'd32 || (HAS_INT && d_size == 6'd48))))
  if (HAS_INT) begin : g_int
    `LEMMA(int_is_kept, d_begins || p0_int_q == (d_size == 6'd48))
  end
  `LEMMA(byte_is_kept, d_begins || d_size == '0 || at >= 6'd0 - d_size || p1_data_q[{at, 3'd0} +: 8] == d_byte)

  `PROPERTY(one_beat_at_a_time, 1'b1, !(p1_whole_q && p0_fills) && !(x_whole[2] && x_fill[1]))
  `PROPERTY(beats_are_the_frames, 1'b1, m_valid == e_valid && (!m_valid ||
    (m_keep[at] == e_there && m_last == e_last && m_user == e_user && m_shim == e_shim)))
  `PROPERTY(bytes_are_in_place, m_valid && e_there, m_data[{at, 3'd0} +: 8] == e_byte)
  `PROPERTY(record_is_the_shim, m_record_valid || x_record[2], m_record_valid == x_record[2]
    && m_record_end == e_end && m_record_bad == e_bad && m_record_head == e_head && m_record_addresses == e_addresses
    && (at < 6'd16 || 32'({at, 3'd0}) >= $bits(m_record_body) + 128 || m_record_body[{at - 6'd16, 3'd0} +: 8] == e_body))
  `PROPERTY(told, m_illegal || m_frame || x_illegal[2] || x_frame[2], m_illegal == x_illegal[2] && m_frame == x_frame[2])
