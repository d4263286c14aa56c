  // A bit of a beat, any one: what the command of its frame says of it.
  `AFTER_RESET
  `ANY(9, at)

  // The frame: number of a beat, the command with its first beat.
  logic        begins;    // the next beat is the first of a frame
  logic        legal;
  logic [10:0] r_beat;    // number of the last beat, all ones from there on
  logic        r_legal;
  logic        r_v6;
  logic [1:0]  r_tags;
  logic        r_zero;
  logic        r_mark;
  logic        r_becn;
  logic        r_patch;
  logic [16:0] r_icrc;    // the first byte of the ICRC
  logic [10:0] c_beat;
  logic        c_legal;
  logic        c_v6;
  logic [1:0]  c_tags;
  logic        c_zero;
  logic        c_mark;
  logic        c_becn;
  logic        c_patch;
  logic [16:0] c_icrc;

  assign legal   = s_edit_tags != 2'd3 && 5'(s_edit_lane) == 5'd8 + 5'(s_edit_tags) + (s_edit_v6 ? 5'd5 : 5'd0)
                   && !(s_edit_ev_valid && s_edit_flow && !s_edit_v6)
                   && !(s_edit_icrc && (s_edit_udp_len < 16'd24 || s_edit_udp_len[1:0] != '0));
  assign c_beat  = begins ? '0 : r_beat == '1 ? r_beat : r_beat + 1'b1;
  assign c_legal = begins ? legal : r_legal;
  assign c_v6    = begins ? s_edit_v6 : r_v6;
  assign c_tags  = begins ? s_edit_tags : r_tags;
  assign c_zero  = begins ? legal && s_edit_udp_zero : r_zero;
  assign c_mark  = begins ? legal && s_edit_becn_valid : r_mark;
  assign c_becn  = begins ? s_edit_becn : r_becn;
  assign c_patch = begins ? legal && s_edit_icrc && s_edit_ev_valid && !s_edit_flow : r_patch;
  assign c_icrc  = begins ? 17'd30 + (s_edit_v6 ? 17'd20 : 17'd0) + 17'({s_edit_tags, 2'd0}) + 17'(s_edit_udp_len) : r_icrc;

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      begins  <= s_axis_tlast;
      r_beat  <= c_beat;
      r_legal <= c_legal;
      r_v6    <= c_v6;
      r_tags  <= c_tags;
      r_zero  <= c_zero;
      r_mark  <= c_mark;
      r_becn  <= c_becn;
      r_patch <= c_patch;
      r_icrc  <= c_icrc;
    end
    if (rst) begin
      begins  <= 1'b1;
      r_zero  <= 1'b0;
      r_mark  <= 1'b0;
      r_patch <= 1'b0;
    end
  end

  // Byte q of the frame, but for its tags: Ethernet is 0 to 13, IP begins at 14, UDP at 34 or 54.
  logic [16:0] byte_at;
  logic [16:0] q;
  logic [2:0]  i;
  logic        told;    // the command names the bit
  logic        value;   // and this is what it becomes
  logic        covers;  // it is one of a checksum or ICRC that is kept right

  assign byte_at = {c_beat, at[8:3]};
  assign q       = byte_at - 17'({c_tags, 2'd0});
  assign i       = at[2:0];

  always_comb begin
    told   = 1'b0;
    value  = 1'b0;
    covers = 1'b0;
    if (c_legal && !c_v6) begin
      if (q == 17'd15 && i >= 3'd2 && s_edit_dscp_valid) begin
        told  = 1'b1;
        value = s_edit_dscp[i - 3'd2];
      end
      if (q == 17'd15 && i < 3'd2 && s_edit_ecn_valid) begin
        told  = 1'b1;
        value = s_edit_ecn[i[0]];
      end
      covers = (q == 17'd24 || q == 17'd25) && (s_edit_dscp_valid || s_edit_ecn_valid);
    end
    if (c_legal && c_v6) begin
      if (q == 17'd14 && i < 3'd4 && s_edit_dscp_valid) begin
        told  = 1'b1;
        value = s_edit_dscp[i + 3'd2];
      end
      if (q == 17'd15 && i >= 3'd6 && s_edit_dscp_valid) begin
        told  = 1'b1;
        value = s_edit_dscp[i - 3'd6];
      end
      if (q == 17'd15 && i[2:1] == 2'd2 && s_edit_ecn_valid) begin
        told  = 1'b1;
        value = s_edit_ecn[i[0]];
      end
      if (q == 17'd15 && i < 3'd4 && s_edit_ev_valid && s_edit_flow) begin
        told  = 1'b1;
        value = s_edit_ev[5'd16 + 5'(i)];
      end
      if ((q == 17'd16 || q == 17'd17) && s_edit_ev_valid && s_edit_flow) begin
        told  = 1'b1;
        value = s_edit_ev[(q[0] ? 5'd0 : 5'd8) + 5'(i)];
      end
    end
    if (c_legal && (q == (c_v6 ? 17'd54 : 17'd34) || q == (c_v6 ? 17'd55 : 17'd35)) && s_edit_ev_valid && !s_edit_flow) begin
      told  = 1'b1;
      value = s_edit_ev[(q[0] ? 5'd0 : 5'd8) + 5'(i)];
    end
    if (c_zero && (q == (c_v6 ? 17'd60 : 17'd40) || q == (c_v6 ? 17'd61 : 17'd41))) begin
      told  = 1'b1;
    end
    if (c_mark && q == (c_v6 ? 17'd66 : 17'd46) && i == 3'd6) begin
      told  = 1'b1;
      value = c_becn;
    end
    if (c_patch && byte_at - c_icrc < 17'd4) begin
      covers = 1'b1;
    end
  end

  // By the cycles since the beat.
  logic [6:0]  x_valid, x_last, x_user, x_keep, x_was, x_told, x_value, x_covers, x_illegal;

  always_ff @(posedge clk) begin
    x_valid   <= {x_valid[5:0], s_axis_tvalid};
    x_last    <= {x_last[5:0], s_axis_tlast};
    x_user    <= {x_user[5:0], s_axis_tuser};
    x_keep    <= {x_keep[5:0], s_axis_tkeep[at[8:3]]};
    x_was     <= {x_was[5:0], s_axis_tdata[at]};
    x_told    <= {x_told[5:0], told};
    x_value   <= {x_value[5:0], value};
    x_covers  <= {x_covers[5:0], covers};
    x_illegal <= {x_illegal[5:0], s_axis_tvalid && begins && !legal};
    if (rst) begin
      x_valid   <= '0;
      x_illegal <= '0;
    end
  end

  // The delay lines of beats and commands, of which the library's own proof speaks, are left out: that
  // of the beats takes any values, but for the bit and what belongs to it.
  logic [5*40-1:0] x_command;

  always_ff @(posedge clk) begin
    x_command <= {x_command[4*40-1:0], idle_q, s_edit_lane, s_edit_ev_valid, flow, ev, dscp_valid, dscp, ecn_valid, ecn, becn_valid,
                  becn, udp_zero};
  end

  always_comb assume (p5_data[at] == x_was[5] && p5_keep[at[8:3]] == x_keep[5] && p5_last == x_last[5] && p5_user == x_user[5]);
  always_comb assume ({p4_first, p4_lane, p4_ev_valid, p4_flow, p4_ev, p4_dscp_valid, p4_dscp, p4_ecn_valid, p4_ecn, p4_becn_valid,
                       p4_becn, p4_udp_zero} == x_command[4*40 +: 40]);

  // What the unit keeps from beat to beat is of the beats that have come to stages 4 and 5.
  localparam int unsigned N = 11 + 1 + 17 + 1 + 2 + 3;

  logic [5*N-1:0] x_frame;
  logic [10:0]    d_beat, e_beat;
  logic           d_patch, e_patch;
  logic [16:0]    d_icrc, e_icrc;
  logic           d_v6, e_v6, d_zero, e_zero, d_mark, e_mark, d_becn, e_becn;
  logic [1:0]     d_tags, e_tags;

  always_ff @(posedge clk) begin
    x_frame <= {x_frame[4*N-1:0], r_beat, r_patch, r_icrc, r_v6, r_tags, r_zero, r_mark, r_becn};
    if (rst) begin
      x_frame <= '0;
    end
  end

  assign {d_beat, d_patch, d_icrc, d_v6, d_tags, d_zero, d_mark, d_becn} = x_frame[3*N +: N];
  assign {e_beat, e_patch, e_icrc, e_v6, e_tags, e_zero, e_mark, e_becn} = x_frame[4*N +: N];

  (* hierconn *) logic        \icrc_patch.p4_wait_q ;
  (* hierconn *) logic        \icrc_patch.p4_more_q ;
  (* hierconn *) logic [10:0] \icrc_patch.p4_left_q ;
  (* hierconn *) logic [3:0]  \icrc_patch.p4_lane_q ;

  // The word of the ICRC, counted from byte 2 of the frame.
  logic [14:0] d_word;

  assign d_word = 15'((d_icrc - 17'd2) >> 2);

  `LEMMA(same_frame, begins == idle_q)
  `LEMMA(tags_are_legal, r_tags != 2'd3 || ((begins || !r_legal) && !r_zero && !r_mark && !r_patch))
  `LEMMA(icrc_in_reach, !r_patch || (r_icrc[1:0] == 2'd2 && r_icrc <= 17'd65591
    && r_icrc >= 17'd54 + (r_v6 ? 17'd20 : 17'd0) + 17'({r_tags, 2'd0})))
  `LEMMA(icrc_is_waited_for, \icrc_patch.p4_wait_q == (d_patch && d_beat < d_word[14:4]))
  `LEMMA(beats_are_counted, !\icrc_patch.p4_wait_q || (\icrc_patch.p4_left_q == d_word[14:4] - d_beat && \icrc_patch.p4_lane_q == d_word[3:0]))
  `LEMMA(rest_is_next, \icrc_patch.p4_more_q == (d_patch && d_beat == d_word[14:4] && d_word[3:0] == 4'd15))
  `LEMMA(zero_is_next, zero2_q == ({e_tags == 2'd2, e_tags == 2'd1} & {2{e_zero && e_v6 && e_beat == '0}}))
  `LEMMA(mark_is_next, mark2_q == ({e_tags == 2'd2, e_tags == 2'd1, e_tags == 2'd0} & {3{e_mark && e_v6 && e_beat == '0}}))
  `LEMMA(becn_is_kept, !e_mark || p5_becn_q == e_becn)

  `PROPERTY(shape_stays, x_valid[6] || m_axis_tvalid,
    m_axis_tvalid == x_valid[6] && m_axis_tlast == x_last[6] && m_axis_tuser == x_user[6] && m_axis_tkeep[at[8:3]] == x_keep[6])
  `PROPERTY(others_stay, m_axis_tvalid && x_keep[6] && !x_told[6] && !x_covers[6], m_axis_tdata[at] == x_was[6])
  `PROPERTY(named_is_written, m_axis_tvalid && x_keep[6] && x_told[6], m_axis_tdata[at] == x_value[6])
  `PROPERTY(illegal_is_told, x_illegal[6] || evt_illegal, x_illegal[6] == evt_illegal)
