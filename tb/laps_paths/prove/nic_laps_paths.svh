
  // The requests at the ports, and how long ago they were: bit i is i cycles.
  `AFTER_RESET

  logic e_packet, e_bad_packet, e_ack, e_cfg, e_bad_pid, e_bad, e_pick, e_route, e_bad_route;

  assign e_packet     = s_packet_valid && sts_ready;
  assign e_bad_packet = e_packet && 32'(s_packet_dst) >= DESTINATIONS;
  assign e_ack        = s_ack_valid && s_ack_ready;
  assign e_cfg        = s_cfg_valid && s_cfg_ready;
  assign e_pick       = s_pick_valid && sts_ready;
  assign e_route      = s_route_valid && s_route_ready;
  assign e_bad_pid    = e_ack ? 32'(s_ack_pid) >= PATHS : 32'(s_cfg_pid) >= PATHS;
  assign e_bad_route  = e_route && 32'(s_route_pid) >= PATHS;

  // A change that names a path or a destination that does not exist.
  always_comb begin
    e_bad = e_ack && e_bad_pid;
    if (e_cfg) begin
      case (s_cfg_op)
        OP_LIST, OP_REMOVE: e_bad = e_bad_pid;
        OP_COMMIT:          e_bad = 32'(s_cfg_dst) >= DESTINATIONS;
        default:            e_bad = e_bad_pid || 32'(s_cfg_dst) >= DESTINATIONS;
      endcase
    end
  end

  logic [13:1]         x_packet, x_bad_packet;
  logic [13*DST_W:1]   x_dst;
  logic [11:1]         x_ack, x_bad;
  logic [4:1]          x_pick, x_none, x_route, x_bad_route;

  always_ff @(posedge clk) begin
    x_packet     <= {x_packet[12:1], e_packet};
    x_bad_packet <= {x_bad_packet[12:1], e_bad_packet};
    x_dst        <= {x_dst[12*DST_W:1], DST_W'(s_packet_dst)};
    x_ack        <= {x_ack[10:1], e_ack && !e_bad_pid && !s_ack_probe};
    x_bad        <= {x_bad[10:1], e_bad};
    x_pick       <= {x_pick[3:1], e_pick};
    x_none       <= {x_none[3:1], s_pick_none};
    x_route      <= {x_route[3:1], e_route && !e_bad_route};
    x_bad_route  <= {x_bad_route[3:1], e_bad_route};
    if (rst) begin
      x_packet     <= '0;
      x_bad_packet <= '0;
      x_ack        <= '0;
      x_bad        <= '0;
      x_pick       <= '0;
      x_route      <= '0;
      x_bad_route  <= '0;
    end
  end

  // ---- who is taken when

  `PROPERTY(packet_before_ack, s_packet_valid && s_ack_valid, !s_ack_ready)
  `PROPERTY(ack_waits_for_packets, sts_ready && s_ack_valid && !s_packet_valid && !sts_hold, s_ack_ready)
  `PROPERTY(ack_before_setting, s_ack_valid && s_cfg_valid, !s_cfg_ready)
  `PROPERTY(setting_waits_for_acks, sts_ready && s_cfg_valid && !s_ack_valid && (!sts_hold || s_cfg_op != OP_PATH), s_cfg_ready)
  `PROPERTY(pick_before_route, s_pick_valid && s_route_valid, !s_route_ready)
  `PROPERTY(route_waits_for_picks, sts_ready && s_route_valid && !s_pick_valid, s_route_ready)

  // The bus is kept free for a probe in one cycle in HOLD_STEP at most.
  logic [HOLD_STEP-2:0] was_hold;
  logic [9:0]           holds;     // held in the last 10 cycles
  logic                 holds_rare;

  always_ff @(posedge clk) begin
    was_hold <= {was_hold[HOLD_STEP-3:0], sts_hold};
    if (rst) begin
      was_hold <= '0;
    end
  end

  assign holds = {was_hold, sts_hold, held_q[1:0]};

  always_comb begin
    holds_rare = holds[9:3] == {was_hold[6:4], held_q[6:3]} && holds[2] == held_q[2];
    for (int unsigned i = 0; i < 10; i++) begin
      for (int unsigned j = 0; j < i; j++) begin
        holds_rare = holds_rare && !(holds[i] && holds[j] && i - j < HOLD_STEP);
      end
    end
  end

  `LEMMA(holds_are_rare, holds_rare)
  `PROPERTY(hold_is_rare, sts_hold, was_hold == '0)

  // ---- packets

  logic [4:0] next_id;   // of the candidates to come

  always_ff @(posedge clk) begin
    if (m_cand_valid) begin
      next_id <= next_id + 1'b1;
    end
    if (rst) begin
      next_id <= '0;
    end
  end

  logic [4:0] id12, id11, id10;

  assign id12 = next_id + 5'(x_packet[13]);
  assign id11 = id12 + 5'(x_packet[12]);
  assign id10 = id11 + 5'(x_packet[11]);

  `LEMMA(packets_move, x_packet[12:1] == {p_packet_q[11:2], p1_packet_q, p0_packet_q} && m_cand_valid == x_packet[13])
  `LEMMA(ids_follow, (!x_packet[12] || id11_q == id12) && (!x_packet[11] || id10_q == id11) && id9_q == id10 + 5'(x_packet[10]) - 1'b1)
  `PROPERTY(packet_is_answered, x_packet[13] || m_cand_valid, x_packet[13] && m_cand_valid && m_cand_id == next_id)

  // ---- ACKs of a path, any one, and whom it belongs to

  `ANY(PATH_W, path)

  logic               owned, e_mine;
  logic [DST_W-1:0]   owner_is;
  logic [11:1]        x_mine, x_rate;
  logic [11*DST_W:1]  x_owner;
  logic [11*TAG_W:1]  x_tag;

  assign e_mine = e_ack && s_ack_pid == PID_BITS'(path);

  always_ff @(posedge clk) begin
    if (e_cfg && !e_bad && s_cfg_pid == PID_BITS'(path) && s_cfg_op == OP_PATH) begin
      owned    <= 1'b1;
      owner_is <= DST_W'(s_cfg_dst);
    end
    if (e_cfg && s_cfg_pid == PID_BITS'(path) && s_cfg_op == OP_REMOVE) begin
      owned <= 1'b0;
    end
    x_mine  <= {x_mine[10:1], e_mine};
    x_rate  <= {x_rate[10:1], e_mine && owned && !s_ack_probe};
    x_owner <= {x_owner[10*DST_W:1], owner_is};
    x_tag   <= {x_tag[10*TAG_W:1], TAG_W'(s_ack_tag)};
    if (rst) begin
      owned  <= 1'b0;
      x_mine <= '0;
      x_rate <= '0;
    end
  end

  `PROPERTY(ack_is_answered, x_mine[11], m_rate_valid == x_rate[11])
  `PROPERTY(answer_is_its_own, x_rate[11], m_rate_tag == TAG_BITS'(x_tag[11*TAG_W -: TAG_W]) && m_rate_dst == DST_BITS'(x_owner[11*DST_W -: DST_W]))
  `PROPERTY(only_acks_are_answered, m_rate_valid, x_ack[11])

  (* hierconn *) logic [(LAT_W+1+DST_W)*PATHS-1:0] \owner.words ;
  logic [DST_W:0] of_path;

  always_comb begin
    of_path = '0;
    for (int unsigned i = 0; i < PATHS; i++) begin
      if (path == PATH_W'(i)) begin
        of_path = \owner.words [i*(LAT_W+1+DST_W) +: DST_W+1];
      end
    end
    if ((u0_path || u0_remove) && u0_pid == path) begin
      of_path = own_data;
    end
  end

  // While the tables are cleared nothing is taken.
  `LEMMA(nothing_before_ready, ready_q || (!owned && x_packet == '0 && x_ack == '0 && x_mine == '0 && x_bad == '0 && !u0_cfg_q && !u0_ack_q))
  `LEMMA(cleared_up_to, ready_q || 32'(clear_q) <= 32'(path) || !of_path[DST_W])
  `LEMMA(owned_is_written, !ready_q || (of_path[DST_W] == owned && (!owned || of_path[DST_W-1:0] == owner_is)))

  // ---- picks and routes

  `PROPERTY(pick_is_answered, x_pick[4] || m_path_valid, x_pick[4] && m_path_valid && m_path_none == x_none[4])
  `PROPERTY(route_is_answered, x_route[4] || m_route_valid, x_route[4] && m_route_valid && !m_path_valid)

  // The tag of the packet that had an id, any one, last.
  `ANY(5, id)

  logic                had;
  logic [TAG_W-1:0]    had_tag, tag_next;
  logic [10*TAG_W:1]   x_packet_tag;
  logic                e_had;
  logic [4:1]          x_had;
  logic [4*TAG_W:1]    x_had_tag;

  assign tag_next = (x_packet[10] && id9_q == id) ? x_packet_tag[10*TAG_W -: TAG_W] : had_tag;
  assign e_had    = e_pick && s_pick_id == id && (had || (x_packet[10] && id9_q == id));

  always_ff @(posedge clk) begin
    x_packet_tag <= {x_packet_tag[9*TAG_W:1], TAG_W'(s_packet_tag)};
    had_tag      <= tag_next;
    had          <= had || (x_packet[10] && id9_q == id);
    x_had        <= {x_had[3:1], e_had};
    x_had_tag    <= {x_had_tag[3*TAG_W:1], tag_next};
    if (rst) begin
      had   <= 1'b0;
      x_had <= '0;
    end
  end

  `PROPERTY(path_has_its_tag, x_had[4], m_path_tag == TAG_BITS'(x_had_tag[4*TAG_W -: TAG_W]))

  // ---- what does not exist

  logic [2:0] was_wrong;   // events that are to be told

  assign was_wrong = {x_bad_packet[4], x_bad[4] , x_bad_route[4]};

  `PROPERTY(illegal_is_told, was_wrong != '0, evt_illegal)
  `PROPERTY(illegal_change_writes_nothing, x_bad[1] || x_bad[2] || x_bad[6] || x_bad[7] || x_bad[8],
    !(x_bad[1] && (u0_path || u0_remove)) && !(x_bad[2] && (u1_commit_q || u1_list_q || u1_path_q)) &&
    !(x_bad[6] && u_list_q[5]) && !(x_bad[7] && u_commit_q[6]) && !(x_bad[8] && u_write_q[7]))
  `PROPERTY(illegal_packet_has_none, x_bad_packet[13], m_cand_usable == '0 && !m_probe_valid)

  // ---- one of a kind in a cycle

  `PROPERTY(one_write_a_cycle, u_write_q[7] || p12_probe, !(u_write_q[7] && p12_probe))
  `PROPERTY(one_read_a_cycle, p_packet_q[7] || u_lookup_q[7], !(p_packet_q[7] && u_lookup_q[7]))

  // ---- probes

  logic [BANK_W-1:0] probe_bank;

  assign probe_bank = m_probe_pid[PATH_W-1:ROW_W];

  `PROPERTY(probe_has_a_packet, m_probe_valid, m_cand_valid && m_cand_usable[probe_bank] && m_probe_dst == DST_BITS'(x_dst[13*DST_W -: DST_W]))

  // The path of a bank and a destination, any ones: how long ago it was probed, if no
  // change of it was taken since.
  `ANY(BANK_W, bank)
  `ANY(DST_W, dst)

  logic       probes, changes;
  logic [4:1] recent;

  assign probes = probe10[bank] && x_dst[11*DST_W -: DST_W] == dst;

  always_ff @(posedge clk) begin
    changes <= u9_dst_q == dst && (u_commit_q[9] || (u_write_q[9] && u9_bank_q == bank));
    recent  <= {recent[3:1] & {3{!changes}}, probes};
    if (rst) begin
      recent <= '0;
    end
  end

  `PROPERTY(not_probed_twice, probes && !changes, recent == '0)

  // ---- lemmas: what each stage knows of its request

  (* hierconn *) logic [8*1-1:0]       \d_legal.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [7*DST_W-1:0]   \d_pdst.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [5*DST_W-1:0]   \d_udst.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [9*TAG_W-1:0]   \d_utag.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [9*TAG_W-1:0]   \d_ptag.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [(TAG_W+BANKS*ROW_W)*32-1:0] \waiting.words ;

  logic ok_legal, ok_dst, ok_tag, ok_ack, ok_rate, ok_owner, ok_bad, ok_had;

  always_comb begin
    ok_legal = (!x_bad_packet[1] || (p0_packet_q && !p0_legal)) && (!x_bad_packet[2] || p1_illegal_q) && (!x_bad_packet[3] || c2_dst_q);
    for (int unsigned i = 2; i <= 9; i++) begin
      ok_legal = ok_legal && !(x_bad_packet[i] && \d_legal.genblk1.genblk1.g_line.line_q [i-2]);
    end
    for (int unsigned i = 1; i <= 13; i++) begin
      ok_legal = ok_legal && !(x_bad_packet[i] && !x_packet[i]);
    end
    ok_legal = ok_legal && !(x_bad_packet[10] && used9_q != '0) && !(x_bad_packet[11] && used10_q != '0) && !(x_bad_packet[12] && used11_q != '0);

    ok_dst = !x_packet[1] || DST_W'(p0_dst_q) == x_dst[1*DST_W -: DST_W];
    for (int unsigned i = 2; i <= 8; i++) begin
      ok_dst = ok_dst && (!x_packet[i] || \d_pdst.genblk1.genblk1.g_line.line_q [(i-2)*DST_W +: DST_W] == x_dst[i*DST_W -: DST_W]);
    end
    ok_dst = ok_dst && (!x_packet[9] || p8_dst_q == x_dst[9*DST_W -: DST_W]) && (!x_packet[10] || p9_dst_q == x_dst[10*DST_W -: DST_W]);
    for (int unsigned i = 11; i <= 13; i++) begin
      ok_dst = ok_dst && (!x_packet[i] || dsts_q[(i-11)*DST_W +: DST_W] == x_dst[i*DST_W -: DST_W]);
    end

    ok_tag = (!x_packet[1] || p0_tag_q == x_packet_tag[1*TAG_W -: TAG_W]) && (!x_mine[1] || u0_tag_q == x_tag[1*TAG_W -: TAG_W]);
    for (int unsigned i = 2; i <= 10; i++) begin
      ok_tag = ok_tag && (!x_packet[i] || \d_ptag.genblk1.genblk1.g_line.line_q [(i-2)*TAG_W +: TAG_W] == x_packet_tag[i*TAG_W -: TAG_W]) &&
               (!x_mine[i] || \d_utag.genblk1.genblk1.g_line.line_q [(i-2)*TAG_W +: TAG_W] == x_tag[i*TAG_W -: TAG_W]);
    end

    ok_ack = (!u0_ack_q || u0_probe_q || !u0_pid_legal || x_ack[1]) && (!u1_ack_q || u1_probe_q || x_ack[2]);
    for (int unsigned i = 3; i <= 10; i++) begin
      ok_ack = ok_ack && (!u_lookup_q[i-1] || x_ack[i]);
    end
    for (int unsigned i = 1; i <= 11; i++) begin
      ok_ack = ok_ack && !(x_ack[i] && x_packet[i]);
    end

    ok_rate = (!x_mine[1] || (u0_ack_q && !u0_cfg_q && u0_pid_q == PID_BITS'(path) && x_rate[1] == (owned && !u0_probe_q))) &&
              (!x_mine[2] || (u1_ack_q && x_rate[2] == (u1_owned && !u1_probe_q)));
    for (int unsigned i = 3; i <= 10; i++) begin
      ok_rate = ok_rate && (!x_mine[i] || u_lookup_q[i-1] == x_rate[i]);
    end
    for (int unsigned i = 1; i <= 11; i++) begin
      ok_rate = ok_rate && (!x_rate[i] || x_mine[i]);
    end

    ok_owner = (!x_rate[1] || x_owner[1*DST_W -: DST_W] == owner_is) && (!x_rate[2] || u1_owner == x_owner[2*DST_W -: DST_W]);
    for (int unsigned i = 3; i <= 7; i++) begin
      ok_owner = ok_owner && (!x_rate[i] || \d_udst.genblk1.genblk1.g_line.line_q [(i-3)*DST_W +: DST_W] == x_owner[i*DST_W -: DST_W]);
    end
    ok_owner = ok_owner && (!x_rate[8] || u7_dst_q == x_owner[8*DST_W -: DST_W]) && (!x_rate[9] || u8_dst_q == x_owner[9*DST_W -: DST_W]) &&
               (!x_rate[10] || u9_dst_q == x_owner[10*DST_W -: DST_W]);

    ok_bad = (!x_bad[1] || ((u0_ack_q || u0_cfg_q) && !(u0_ack_q && u0_pid_legal) && !u0_list && !u0_commit && !u0_path && !u0_remove)) &&
             (!x_bad[2] || (u1_illegal_q && !u1_ack_q && !u1_list_q && !u1_commit_q && !u1_path_q)) && (!x_bad[3] || c2_change_q) &&
             (!x_bad_route[1] || (k0_route_q && !k0_legal)) && (!x_bad_route[2] || k1_illegal_q) && (!x_bad_route[3] || k2_illegal_q);
    for (int unsigned i = 3; i <= 8; i++) begin
      ok_bad = ok_bad && !(x_bad[i] && (u_write_q[i-1] || u_commit_q[i-1] || (i <= 6 && u_list_q[i-1])));
    end

    ok_had = (!x_had[1] || (had && k0_id_q == id && x_had_tag[1*TAG_W -: TAG_W] == had_tag)) && (!x_had[2] || k1_tag == x_had_tag[2*TAG_W -: TAG_W]) &&
             (!x_had[3] || k2_tag_q == x_had_tag[3*TAG_W -: TAG_W]);
    for (int unsigned i = 0; i < 32; i++) begin
      ok_had = ok_had && (!had || id != 5'(i) || \waiting.words [i*(TAG_W+BANKS*ROW_W) + BANKS*ROW_W +: TAG_W] == had_tag);
    end
  end

  `LEMMA(legal_moves, ok_legal)
  `LEMMA(dst_moves, ok_dst)
  `LEMMA(tag_moves, ok_tag)
  `LEMMA(ack_moves, ok_ack)
  `LEMMA(rate_moves, ok_rate)
  `LEMMA(owner_moves, ok_owner)
  `LEMMA(bad_moves, ok_bad)
  `LEMMA(had_moves, ok_had)
  `LEMMA(pick_moves, x_pick[3:1] == {k2_pick_q, k1_pick_q, k0_pick_q} &&
    (!x_pick[1] || x_none[1] == k0_none_q) && (!x_pick[2] || x_none[2] == k1_none_q) && (!x_pick[3] || x_none[3] == k2_none_q))
  `LEMMA(route_moves, x_route[3:1] == {k2_route_q, k1_route_q, k0_route_q && k0_legal} && (x_route & x_pick) == '0 && m_path_valid == x_pick[4])

  logic probe_one;

  assign probe_one = (probe11 & (probe11 - 1'b1)) == '0;

  `LEMMA(probe_moves, (expired10_q & ~used10_q) == '0 && probe_one && (probe11 & ~used11_q) == '0 && (probe11 == '0 || (p_packet_q[11] && !u_write_q[6])) &&
    (!m_probe_valid || (m_cand_valid && !u_write_q[7] && m_cand_usable[p12_bank_q])))

  logic ok_recent;

  always_comb begin
    ok_recent = 1'b1;
    for (int unsigned k = 0; k < RECORDS; k++) begin
      if (recent[k+1]) begin
        ok_recent = ok_recent && records_q[k*BANKS + 32'(bank)] && (undo10_q[k] && kill10_q[bank]) == changes &&
                    match10_q[k] == (dsts_q[0 +: DST_W] == dst) && (k == RECORDS - 1 || dsts_q[((k + 1) % RECORDS)*DST_W +: DST_W] == dst);
      end
    end
  end

  `LEMMA(recent_is_recorded, ok_recent)
