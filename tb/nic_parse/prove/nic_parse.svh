  // The packet, as its bytes say: byte 0 of the frame in the low bits. It is followed beside the
  // parser from the beat that completes the headers to the record.
  `AFTER_RESET
  always_comb assume (!s_axis_tvalid || (s_axis_tkeep[0] && (s_axis_tkeep & (s_axis_tkeep + 64'd1)) == '0));
  always_comb assume (!s_axis_tvalid || s_axis_tlast || s_axis_tkeep == '1);
  always_comb assume (cfg_max_frame >= 14'd64);

  logic         begins;   // the next beat is the first of a frame
  logic         follows;  // it is the second
  logic         done;     // it completes the headers
  logic [511:0] head;     // the first beat
  logic [63:0]  head_keep;
  logic [511:0] first;
  logic [63:0]  first_keep;
  logic [687:0] bytes;
  logic [85:0]  there;

  assign done       = s_axis_tvalid && (begins ? s_axis_tlast : follows);
  assign first      = begins ? s_axis_tdata : head;
  assign first_keep = begins ? s_axis_tkeep : head_keep;
  assign bytes      = {s_axis_tdata[0 +: 176], first};
  assign there      = {begins ? 22'd0 : s_axis_tkeep[0 +: 22], first_keep};

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      begins  <= s_axis_tlast;
      follows <= begins && !s_axis_tlast;
      if (begins) begin
        head      <= s_axis_tdata;
        head_keep <= s_axis_tkeep;
      end
    end
    if (rst) begin
      begins  <= 1'b1;
      follows <= 1'b0;
    end
  end

  // A number on the wire: its first byte is the highest.
  function automatic logic [15:0] wire16(input logic [15:0] b);
    wire16 = {b[7:0], b[15:8]};
  endfunction

  function automatic logic [23:0] wire24(input logic [23:0] b);
    wire24 = {b[7:0], b[15:8], b[23:16]};
  endfunction

  // Tags, IP, UDP.
  logic [2:0]   is;    // the types at bytes 12, 16, 20 are those of tags
  logic [1:0]   tags;
  logic [687:0] net;   // the frame without its tags
  logic [85:0]  net_there;
  logic         six;
  logic         ip;
  logic [191:0] udp;   // UDP, BTH, AETH
  logic [23:0]  udp_there;
  logic [16:0]  ip_bytes;
  logic         whole;  // an IP packet with UDP, no option, no fragment

  assign is = {is_tag(wire16(first[160 +: 16])), is_tag(wire16(first[128 +: 16])), is_tag(wire16(first[96 +: 16]))};

  assign tags      = !is[0] ? 2'd0 : !is[1] ? 2'd1 : 2'd2;
  assign net       = bytes >> {tags, 5'd0};
  assign net_there = there >> {tags, 2'd0};
  assign six       = net[96 +: 16] == 16'hdd86 && net[116 +: 4] == 4'd6;
  assign ip        = six || (net[96 +: 16] == 16'h0008 && net[116 +: 4] == 4'd4);
  assign udp       = six ? net[8*54 +: 192] : net[8*34 +: 192];
  assign udp_there = six ? net_there[54 +: 24] : net_there[34 +: 24];
  assign ip_bytes  = six ? 17'(wire16(net[8*18 +: 16])) + 17'd40 : 17'(wire16(net[8*16 +: 16]));
  assign whole     = ip && is != '1 && first_keep[41] && udp_there[7]
                     && (six ? net[8*20 +: 8] == 8'd17
                             : net[8*23 +: 8] == 8'd17 && net[112 +: 4] == 4'd5 && (wire16(net[8*20 +: 16]) & 16'h3fff) == '0);

  // What the record is compared with, by the cycles since then.
  localparam int unsigned N = 192 + 24 + 17 + 2 + 2;

  logic [3:0]   x_done;
  logic [4:0]   x_last;
  logic [4*N-1:0] x;
  logic [47:0]  x_port;
  logic [41:0]  x_max;
  logic [191:0] f;        // UDP, BTH, AETH
  logic [23:0]  f_there;
  logic [16:0]  f_ip;
  logic [1:0]   f_tags;
  logic         f_six;
  logic         f_whole;

  always_ff @(posedge clk) begin
    x_done <= {x_done[2:0], done};
    x_last <= {x_last[3:0], s_axis_tvalid && s_axis_tlast};
    x      <= {x[3*N-1:0], udp, udp_there, ip_bytes, tags, six, whole};
    x_port <= {x_port[31:0], cfg_roce_port};
    x_max  <= {x_max[27:0], cfg_max_frame};
    if (rst) begin
      x_done <= '0;
      x_last <= '0;
    end
  end

  assign {f, f_there, f_ip, f_tags, f_six, f_whole} = x[3*N +: N];

  // Header records and end records; what the last header record says of the frame's end.
  logic        out;      // a header record is out, its end record is not
  logic        known;
  logic [16:0] ip_end;
  logic [16:0] x_ip_end;

  always_ff @(posedge clk) begin
    out      <= m_hdr_valid || (out && !m_end_valid);
    x_ip_end <= p4_ip_end_q;
    if (m_hdr_valid) begin
      known  <= 1'b1;
      ip_end <= m_hdr_lane == '0 ? '0 : m_hdr_ip_bytes + 17'd14 + {13'd0, m_hdr_tags, 2'd0};
    end
    if (rst) begin
      out   <= 1'b0;
      known <= 1'b0;
    end
  end

  // Bytes of the frame.
  logic [16:0] sum;    // before this beat, 65,536 at most
  logic [6:0]  more;   // of this beat
  logic [16:0] total;
  logic [5*17-1:0] x_total;

  always_comb begin
    more = '0;
    for (int unsigned i = 0; i < 64; i++) begin
      more = more + 7'(s_axis_tkeep[i]);
    end
  end

  assign total = (sum[16]) ? '1 : sum + 17'(more);

  always_ff @(posedge clk) begin
    x_total <= {x_total[4*17-1:0], total};
    if (s_axis_tvalid) begin
      sum <= s_axis_tlast ? '0 : sum[16] ? sum : sum + 17'd64;
    end
    if (rst) begin
      sum <= '0;
    end
  end

  logic ours;
  logic has_aeth;

  assign ours     = m_hdr_kind != '0 && m_hdr_kind < 4'd14;
  assign has_aeth = (m_hdr_opcode[7:5] == 3'd0 || m_hdr_opcode[7:5] == 3'd5)
                    && (m_hdr_opcode[4:0] == 5'h0d || (m_hdr_opcode[4:0] >= 5'h0f && m_hdr_opcode[4:0] <= 5'h12));

  // What the parser keeps while the second beat is still to come.
  logic [2:0]   head_is;
  logic         head_six;
  logic [415:0] head_line;

  assign head_is  = {is_tag(wire16(head[160 +: 16])), is_tag(wire16(head[128 +: 16])), is_tag(wire16(head[96 +: 16]))};
  assign head_six = !head_is[0] ? head[8*14+5] : !head_is[1] ? head[8*18+5] : head[8*22+5];
  for (genvar i = 0; i < 52; i++) begin : g_line
    assign head_line[415-8*i -: 8] = head[8*(12+i) +: 8];
  end

  `LEMMA(same_beat, begins == first_q && follows == second_q && !(begins && follows))
  `LEMMA(head_is_kept, !follows || (p1_front_q == head_line && p1_front_keep_q == head_keep[63:12] && p1_long_q == head_keep[41]))
  `LEMMA(place_is_kept, !follows || (p1_tag_q == {head_is == '1, head_is[1:0] == '1, head_is[0]} && p1_six_q == head_six
    && p1_place_q == 3'(!head_is[0] ? 2'd0 : !head_is[1] ? 2'd1 : 2'd2) + (head_six ? 3'd3 : 3'd0)))
  `LEMMA(blocks_are_bytes, sum == {blocks_q, 6'd0} && sum <= 17'h10000)
  `LEMMA(records_are_counted, 3'(out) + 3'(x_done[0]) + 3'(x_done[1]) + 3'(x_done[2]) + 3'(x_done[3])
    == 3'(!begins && !follows) + 3'(x_last[0]) + 3'(x_last[1]) + 3'(x_last[2]) + 3'(x_last[3]) + 3'(x_last[4]))
  `LEMMA(end_is_kept, !known || ip_end == x_ip_end)
  `LEMMA(known_if_out, !out || known)

  `PROPERTY(record_for_every_frame, 1'b1, m_hdr_valid == x_done[3] && m_end_valid == x_last[4])
  `PROPERTY(records_in_turn, m_hdr_valid || m_end_valid, (!m_end_valid || out) && (!m_hdr_valid || !out || m_end_valid))
  `PROPERTY(place_is_the_packets, m_hdr_valid && m_hdr_lane != '0,
    f_whole && m_hdr_v6 == f_six && m_hdr_tags == f_tags && m_hdr_lane == 4'd8 + 4'(f_tags) + (f_six ? 4'd5 : 4'd0)
    && m_hdr_sport == wire16(f[0 +: 16]) && m_hdr_udp_len == wire16(f[32 +: 16]) && m_hdr_ip_bytes == f_ip)
  `PROPERTY(packet_has_a_place, m_hdr_valid && f_whole, m_hdr_lane != '0)
  `PROPERTY(fields_are_the_packets, m_hdr_valid && ours,
    m_hdr_opcode == f[64 +: 8] && m_hdr_qp == wire24(f[8*13 +: 24]) && m_hdr_psn == wire24(f[8*17 +: 24])
    && m_hdr_fecn == f[8*12+7] && m_hdr_becn == f[8*12+6] && m_hdr_ack_req == f[8*16+7] && m_hdr_pad == f[8*9+4 +: 2]
    && m_hdr_syndrome == (has_aeth ? f[8*20 +: 8] : 8'd0) && m_hdr_msn == (has_aeth ? wire24(f[8*21 +: 24]) : 24'd0))
  `PROPERTY(ours_is_whole, m_hdr_valid && ours,
    f_whole && f_there[19] && wire16(f[16 +: 16]) == x_port[47:32] && (!has_aeth || f_there[23])
    && m_hdr_udp_len[1:0] == '0 && m_hdr_udp_len >= (has_aeth ? 16'd28 : 16'd24)
    && f_ip == 17'(m_hdr_udp_len) + (f_six ? 17'd40 : 17'd20) && f_ip + 17'd14 <= 17'(x_max[41:28]))
  `PROPERTY(number_is_the_packets, m_hdr_valid && m_hdr_placed && m_hdr_lane != '0,
    f_whole && f_there[19] && wire16(f[16 +: 16]) == x_port[47:32]
    && m_hdr_opcode == f[64 +: 8] && m_hdr_qp == wire24(f[8*13 +: 24]) && m_hdr_psn == wire24(f[8*17 +: 24]))
  `PROPERTY(known_is_placed, m_hdr_valid && (ours || m_hdr_reason == 4'd7), m_hdr_placed)
  `PROPERTY(unplaced_has_no_number, m_hdr_valid && !m_hdr_placed, {m_hdr_opcode, m_hdr_qp, m_hdr_psn} == '0)
  `PROPERTY(others_are_cleared, m_hdr_valid && !ours,
    {m_hdr_fecn, m_hdr_becn, m_hdr_ack_req, m_hdr_pad, m_hdr_syndrome, m_hdr_msn, m_hdr_icrc} == '0)
  `PROPERTY(illegal_is_told, m_hdr_valid || evt_illegal,
    evt_illegal == (m_hdr_valid && m_hdr_kind >= 4'd14) && (m_hdr_kind == '0) == (m_hdr_reason != '0))
  `PROPERTY(bytes_are_counted, m_end_valid, m_end_bytes == x_total[4*17 +: 17])
  `PROPERTY(short_is_told, m_end_valid, m_end_short == (m_end_bytes < ip_end))
