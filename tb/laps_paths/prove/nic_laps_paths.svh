
  // The requests at the ports, and how long ago they were: bit i is i cycles.
  `AFTER_REGISTERED_RESET

  localparam int unsigned HOLD_STEP = 8;
  localparam int unsigned RECORDS   = 4;
  localparam int unsigned OWNER_W   = LAT_W + 1 + DST_W;

  localparam logic [1:0] OP_LIST   = 2'd0;
  localparam logic [1:0] OP_COMMIT = 2'd1;
  localparam logic [1:0] OP_REMOVE = 2'd3;

  // Registers of the parts.
  (* hierconn *) logic \change.u0_ack_q ;
  (* hierconn *) logic \change.u0_probe_q ;
  (* hierconn *) logic \change.u0_cfg ;
  (* hierconn *) logic \change.u0_pid_legal ;
  (* hierconn *) logic \change.u0_list ;
  (* hierconn *) logic \change.u0_commit ;
  (* hierconn *) logic \change.u0_remove ;
  (* hierconn *) logic \change.u1_ack_q ;
  (* hierconn *) logic \change.u1_probe_q ;
  (* hierconn *) logic \change.u1_list_q ;
  (* hierconn *) logic \change.u1_path_q ;
  (* hierconn *) logic \change.u1_illegal_q ;
  (* hierconn *) logic \change.u2_ack_q ;
  (* hierconn *) logic \change.u2_probe_q ;
  (* hierconn *) logic \change.u2_list_q ;
  (* hierconn *) logic \change.u2_commit ;
  (* hierconn *) logic \change.u2_path_q ;
  (* hierconn *) logic \change.u2_illegal_q ;
  (* hierconn *) logic \change.u2_owned ;
  (* hierconn *) logic \change.u3_measures_q ;
  (* hierconn *) logic \change.u3_asks_q ;
  (* hierconn *) logic [PID_BITS-1:0] \change.u0_pid_q ;
  (* hierconn *) logic [TAG_W-1:0] \change.u0_tag_q ;
  (* hierconn *) logic [OWNER_W-1:0] \change.u0_owner ;
  (* hierconn *) logic [OWNER_W-1:0] \change.u1_word ;
  (* hierconn *) logic [OWNER_W-1:0] \change.u2_word_q ;
  (* hierconn *) logic [DST_W-1:0] \change.u2_owner ;
  (* hierconn *) logic [8:4] \change.u_write_q ;
  (* hierconn *) logic [8:4] \change.u_lookup_q ;
  (* hierconn *) logic [6:3] \change.u_list_q ;
  (* hierconn *) logic [1:0] \change.f_commit.line_q ;
  (* hierconn *) logic [4:0] \change.f_commit7.line_q ;
  (* hierconn *) logic [OWNER_W*PATHS-1:0] \change.owner.words ;
  (* hierconn *) logic [5*DST_W-1:0] \change.d_dst.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [10*TAG_W-1:0] \change.d_tag.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic \sets.p9_packet_q ;
  (* hierconn *) logic \sets.u9_lookup_q ;
  (* hierconn *) logic \banks.u9_lookup_q ;
  (* hierconn *) logic \banks.u10_lookup_q ;
  (* hierconn *) logic [DST_W-1:0] \banks.u9_dst_q ;
  (* hierconn *) logic [DST_W-1:0] \banks.u10_dst_q ;
  (* hierconn *) logic [DST_W-1:0] \probe.p9_dst_q ;
  (* hierconn *) logic [DST_W-1:0] \probe.p10_dst_q ;
  (* hierconn *) logic [DST_W-1:0] \probe.u10_dst_q ;
  (* hierconn *) logic \probe.u10_write_q ;
  (* hierconn *) logic \probe.u10_commit_q ;
  (* hierconn *) logic \probe.same11_q ;
  (* hierconn *) logic \probe.p11_packet_q ;
  (* hierconn *) logic \probe.p12_packet_q ;
  (* hierconn *) logic [BANK_W-1:0] \probe.u10_bank_q ;
  (* hierconn *) logic [BANK_N-1:0] \probe.used11_q ;
  (* hierconn *) logic [BANK_N-1:0] \probe.old11_q ;
  (* hierconn *) logic [BANK_N-1:0] \probe.open11_q ;
  (* hierconn *) logic [BANK_N-1:0] \probe.kill11_q ;
  (* hierconn *) logic [BANK_N-1:0] \probe.probe11 ;
  (* hierconn *) logic [RECORDS-1:0] \probe.undo11_q ;
  (* hierconn *) logic [RECORDS*BANK_N-1:0] \probe.records_q ;
  (* hierconn *) logic [RECORDS*DST_W-1:0] \probe.dsts_q ;
  (* hierconn *) logic [HOLD_STEP-2:0] \hold.held_q ;
  (* hierconn *) logic \pick.k0_pick_q ;
  (* hierconn *) logic \pick.k0_route_q ;
  (* hierconn *) logic \pick.k0_none_q ;
  (* hierconn *) logic \pick.k0_legal ;
  (* hierconn *) logic \pick.k1_pick_q ;
  (* hierconn *) logic \pick.k1_route_q ;
  (* hierconn *) logic \pick.k1_illegal_q ;
  (* hierconn *) logic \pick.k1_none_q ;
  (* hierconn *) logic \pick.k2_pick_q ;
  (* hierconn *) logic \pick.k2_route_q ;
  (* hierconn *) logic \pick.k2_illegal_q ;
  (* hierconn *) logic \pick.k2_none_q ;
  (* hierconn *) logic \pick.k3_pick_q ;
  (* hierconn *) logic \pick.k3_route_q ;
  (* hierconn *) logic \pick.k3_none_q ;
  (* hierconn *) logic \pick.k4_none_q ;
  (* hierconn *) logic [4:0] \pick.id10_q ;
  (* hierconn *) logic [4:0] \pick.id11_q ;
  (* hierconn *) logic [4:0] \pick.id12_q ;
  (* hierconn *) logic [4:0] \pick.k0_id_q ;
  (* hierconn *) logic [TAG_W-1:0] \pick.k1_tag ;
  (* hierconn *) logic [TAG_W-1:0] \pick.k2_tag_q ;
  (* hierconn *) logic [TAG_W-1:0] \pick.k3_tag_q ;
  (* hierconn *) logic [(TAG_W+BANK_N*ROW_W)*32-1:0] \pick.waiting.words ;
  (* hierconn *) logic [8*DST_W-1:0] \d_dst.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [8*1-1:0] \d_legal.genblk1.genblk1.g_line.line_q ;
  (* hierconn *) logic [10*TAG_W-1:0] \d_tag.genblk1.genblk1.g_line.line_q ;

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

  logic [14:1]         x_packet, x_bad_packet;
  logic [14*DST_W:1]   x_dst;
  logic [12:1]         x_ack, x_bad;
  logic [5:1]          x_pick, x_none, x_route, x_bad_route;

  always_ff @(posedge clk) begin
    x_packet     <= {x_packet[13:1], e_packet};
    x_bad_packet <= {x_bad_packet[13:1], e_bad_packet};
    x_dst        <= {x_dst[13*DST_W:1], DST_W'(s_packet_dst)};
    x_ack        <= {x_ack[11:1], e_ack && !e_bad_pid && !s_ack_probe};
    x_bad        <= {x_bad[11:1], e_bad};
    x_pick       <= {x_pick[4:1], e_pick};
    x_none       <= {x_none[4:1], s_pick_none};
    x_route      <= {x_route[4:1], e_route && !e_bad_route};
    x_bad_route  <= {x_bad_route[4:1], e_bad_route};
    if (rst_q) begin
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
    if (rst_q) begin
      was_hold <= '0;
    end
  end

  assign holds = {was_hold, sts_hold, \hold.held_q [1:0]};

  always_comb begin
    holds_rare = holds[9:3] == {was_hold[6:4], \hold.held_q [6:3]} && holds[2] == \hold.held_q [2];
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
    if (rst_q) begin
      next_id <= '0;
    end
  end

  logic [4:0] n13, n12, n11;

  assign n13 = next_id + 5'(x_packet[14]);
  assign n12 = n13 + 5'(x_packet[13]);
  assign n11 = n12 + 5'(x_packet[12]);

  `LEMMA(packets_move, x_packet == {p_packet_q, p0_packet_q} && \sets.p9_packet_q == p_packet_q[9] && \probe.p11_packet_q == p_packet_q[11])
  `LEMMA(ids_follow, (!x_packet[14] || m_cand_id == next_id) && (!x_packet[13] || \pick.id12_q == n13) && (!x_packet[12] || \pick.id11_q == n12) &&
    \pick.id10_q == n11 + 5'(x_packet[11]) - 1'b1)
  `PROPERTY(packet_is_answered, x_packet[14] || m_cand_valid, x_packet[14] && m_cand_valid && m_cand_id == next_id)

  // ---- ACKs of a path, any one, and whom it belongs to

  `ANY(PATH_W, path)

  logic               owned, e_mine;
  logic [DST_W-1:0]   owner_is;
  logic [12:1]        x_mine, x_rate;
  logic [12*DST_W:1]  x_owner;
  logic [12*TAG_W:1]  x_tag;

  assign e_mine = e_ack && s_ack_pid == PID_BITS'(path);

  always_ff @(posedge clk) begin
    if (e_cfg && !e_bad && s_cfg_pid == PID_BITS'(path) && s_cfg_op == OP_PATH) begin
      owned    <= 1'b1;
      owner_is <= DST_W'(s_cfg_dst);
    end
    if (e_cfg && s_cfg_pid == PID_BITS'(path) && s_cfg_op == OP_REMOVE) begin
      owned <= 1'b0;
    end
    x_mine  <= {x_mine[11:1], e_mine};
    x_rate  <= {x_rate[11:1], e_mine && owned && !s_ack_probe};
    x_owner <= {x_owner[11*DST_W:1], owner_is};
    x_tag   <= {x_tag[11*TAG_W:1], TAG_W'(s_ack_tag)};
    if (rst_q) begin
      owned  <= 1'b0;
      x_mine <= '0;
      x_rate <= '0;
    end
  end

  `PROPERTY(ack_is_answered, x_mine[12], m_rate_valid == x_rate[12])
  `PROPERTY(answer_is_its_own, x_rate[12], m_rate_tag == TAG_BITS'(x_tag[12*TAG_W -: TAG_W]) && m_rate_dst == DST_BITS'(x_owner[12*DST_W -: DST_W]))
  `PROPERTY(only_acks_are_answered, m_rate_valid, x_ack[12])

  logic [DST_W:0] of_path;

  always_comb begin
    of_path = '0;
    for (int unsigned i = 0; i < PATHS; i++) begin
      if (path == PATH_W'(i)) begin
        of_path = \change.owner.words [i*OWNER_W +: DST_W+1];
      end
    end
    if ((u0_path || \change.u0_remove ) && u0_pid == path) begin
      of_path = \change.u0_owner [DST_W:0];
    end
  end

  // While the tables are cleared nothing is taken.
  `LEMMA(nothing_before_ready, ready || (!owned && x_ack == '0 && x_mine == '0 && x_bad == '0 && x_packet == '0 && !\change.u0_cfg && !\change.u0_ack_q ) || rst_q)
  `LEMMA(cleared_up_to, !clearing || rst_q || 32'(clear_q) <= 32'(path) || !of_path[DST_W])
  `LEMMA(owned_is_written, !ready || (of_path[DST_W] == owned && (!owned || of_path[DST_W-1:0] == owner_is)))

  // ---- picks and routes

  `PROPERTY(pick_is_answered, x_pick[5] || m_path_valid, x_pick[5] && m_path_valid && m_path_none == x_none[5])
  `PROPERTY(route_is_answered, x_route[5] || m_route_valid, x_route[5] && m_route_valid && !m_path_valid)

  // The tag of the packet that had an id, any one, last.
  `ANY(5, id)

  logic                had;
  logic [TAG_W-1:0]    had_tag, tag_next;
  logic [11*TAG_W:1]   x_packet_tag;
  logic                e_had;
  logic [5:1]          x_had;
  logic [5*TAG_W:1]    x_had_tag;

  assign tag_next = (x_packet[11] && \pick.id10_q == id) ? x_packet_tag[11*TAG_W -: TAG_W] : had_tag;
  assign e_had    = e_pick && s_pick_id == id && (had || (x_packet[11] && \pick.id10_q == id));

  always_ff @(posedge clk) begin
    x_packet_tag <= {x_packet_tag[10*TAG_W:1], TAG_W'(s_packet_tag)};
    had_tag      <= tag_next;
    had          <= had || (x_packet[11] && \pick.id10_q == id);
    x_had        <= {x_had[4:1], e_had};
    x_had_tag    <= {x_had_tag[4*TAG_W:1], tag_next};
    if (rst_q) begin
      had   <= 1'b0;
      x_had <= '0;
    end
  end

  `PROPERTY(path_has_its_tag, x_had[5], m_path_tag == TAG_BITS'(x_had_tag[5*TAG_W -: TAG_W]))

  // ---- what does not exist

  logic [2:0] was_wrong;   // events that are to be told

  assign was_wrong = {x_bad_packet[5], x_bad[5], x_bad_route[5]};

  `PROPERTY(illegal_is_told, was_wrong != '0, evt_illegal)
  `PROPERTY(illegal_change_writes_nothing, x_bad[1] || x_bad[3] || x_bad[7] || x_bad[8] || x_bad[9],
    !(x_bad[1] && (u0_path || \change.u0_remove )) && !(x_bad[3] && (\change.u2_commit || \change.u2_list_q || \change.u2_path_q )) &&
    !(x_bad[7] && u6_list) && !(x_bad[8] && u7_commit) && !(x_bad[9] && u8_write))
  `PROPERTY(illegal_packet_has_none, x_bad_packet[14], m_cand_usable == '0 && !m_probe_valid)

  // ---- one of a kind in a cycle

  `PROPERTY(one_write_a_cycle, u8_write || p13_probe, !(u8_write && p13_probe))
  `PROPERTY(one_read_a_cycle, p_packet_q[8] || u8_lookup, !(p_packet_q[8] && u8_lookup))

  // ---- probes

  logic [BANK_W-1:0] probe_bank;

  assign probe_bank = m_probe_pid[PATH_W-1:ROW_W];

  `PROPERTY(probe_has_a_packet, m_probe_valid, m_cand_valid && m_cand_usable[probe_bank] && m_probe_dst == DST_BITS'(x_dst[14*DST_W -: DST_W]))

  // The path of a bank and a destination, any ones: how long ago it was probed, if no
  // change of it was taken since.
  `ANY(BANK_W, bank)
  `ANY(DST_W, dst)

  logic       probes, changes;
  logic [4:1] recent;

  assign probes = \probe.probe11 [bank] && x_dst[12*DST_W -: DST_W] == dst;

  always_ff @(posedge clk) begin
    changes <= \probe.u10_dst_q == dst && (\probe.u10_commit_q || (\probe.u10_write_q && \probe.u10_bank_q == bank));
    recent  <= {recent[3:1] & {3{!changes}}, probes};
    if (rst_q) begin
      recent <= '0;
    end
  end

  `PROPERTY(not_probed_twice, probes && !changes, recent == '0)

  // ---- lemmas: what each stage knows of its request

  logic ok_legal, ok_dst, ok_tag, ok_ack, ok_rate, ok_owner, ok_bad, ok_had;

  always_comb begin
    ok_legal = (!x_bad_packet[1] || (p0_packet_q && !p0_legal)) && (!x_bad_packet[2] || !p1_legal_q) && (!x_bad_packet[3] || p2_illegal_q) &&
               (!x_bad_packet[4] || p3_illegal_q);
    for (int unsigned i = 3; i <= 10; i++) begin
      ok_legal = ok_legal && !(x_bad_packet[i] && \d_legal.genblk1.genblk1.g_line.line_q [i-3]);
    end
    for (int unsigned i = 1; i <= 14; i++) begin
      ok_legal = ok_legal && !(x_bad_packet[i] && !x_packet[i]);
    end
    ok_legal = ok_legal && !(x_bad_packet[11] && p10_used != '0) && !(x_bad_packet[12] && \probe.used11_q != '0) && !(x_bad_packet[13] && p12_used != '0) &&
               !(x_bad_packet[14] && m_cand_usable != '0);

    ok_dst = !x_packet[1] || DST_W'(p0_dst_q) == x_dst[1*DST_W -: DST_W];
    for (int unsigned i = 2; i <= 9; i++) begin
      ok_dst = ok_dst && (!x_packet[i] || \d_dst.genblk1.genblk1.g_line.line_q [(i-2)*DST_W +: DST_W] == x_dst[i*DST_W -: DST_W]);
    end
    ok_dst = ok_dst && (!x_packet[10] || \probe.p9_dst_q == x_dst[10*DST_W -: DST_W]) && (!x_packet[11] || \probe.p10_dst_q == x_dst[11*DST_W -: DST_W]);
    for (int unsigned i = 12; i <= 14; i++) begin
      ok_dst = ok_dst && (!x_packet[i] || \probe.dsts_q [(i-12)*DST_W +: DST_W] == x_dst[i*DST_W -: DST_W]);
    end

    ok_tag = (!x_packet[1] || p0_tag_q == x_packet_tag[1*TAG_W -: TAG_W]) && (!x_mine[1] || \change.u0_tag_q == x_tag[1*TAG_W -: TAG_W]);
    for (int unsigned i = 2; i <= 11; i++) begin
      ok_tag = ok_tag && (!x_packet[i] || \d_tag.genblk1.genblk1.g_line.line_q [(i-2)*TAG_W +: TAG_W] == x_packet_tag[i*TAG_W -: TAG_W]) &&
               (!x_mine[i] || \change.d_tag.genblk1.genblk1.g_line.line_q [(i-2)*TAG_W +: TAG_W] == x_tag[i*TAG_W -: TAG_W]);
    end

    ok_ack = (!\change.u0_ack_q || \change.u0_probe_q || !\change.u0_pid_legal || x_ack[1] || rst_q) && (!\change.u1_ack_q || \change.u1_probe_q || x_ack[2]) &&
             (!\change.u2_ack_q || \change.u2_probe_q || x_ack[3]) && (!\change.u3_asks_q || x_ack[4]) &&
             \sets.u9_lookup_q == \banks.u9_lookup_q && (!\banks.u9_lookup_q || x_ack[10]) && (!\banks.u10_lookup_q || x_ack[11]);
    for (int unsigned i = 5; i <= 9; i++) begin
      ok_ack = ok_ack && (!\change.u_lookup_q [i-1] || x_ack[i]);
    end
    for (int unsigned i = 1; i <= 12; i++) begin
      ok_ack = ok_ack && !(x_ack[i] && x_packet[i]);
    end

    ok_rate = (!x_mine[1] || (\change.u0_ack_q && !\change.u0_cfg && \change.u0_pid_q == PID_BITS'(path) && x_rate[1] == (owned && !\change.u0_probe_q ))) &&
              (!x_mine[2] || (\change.u1_ack_q && x_rate[2] == (\change.u1_word [DST_W] && !\change.u1_probe_q ))) &&
              (!x_mine[3] || (\change.u2_ack_q && x_rate[3] == (\change.u2_owned && !\change.u2_probe_q ))) &&
              (!x_mine[4] || \change.u3_asks_q == x_rate[4]) && (!x_mine[10] || \banks.u9_lookup_q == x_rate[10]) && (!x_mine[11] || \banks.u10_lookup_q == x_rate[11]);
    for (int unsigned i = 5; i <= 9; i++) begin
      ok_rate = ok_rate && (!x_mine[i] || \change.u_lookup_q [i-1] == x_rate[i]);
    end
    for (int unsigned i = 1; i <= 12; i++) begin
      ok_rate = ok_rate && (!x_rate[i] || x_mine[i]);
    end

    ok_owner = (!x_rate[1] || x_owner[1*DST_W -: DST_W] == owner_is) && (!x_rate[2] || \change.u1_word [DST_W-1:0] == x_owner[2*DST_W -: DST_W]) &&
               (!x_rate[3] || \change.u2_owner == x_owner[3*DST_W -: DST_W]);
    for (int unsigned i = 4; i <= 8; i++) begin
      ok_owner = ok_owner && (!x_rate[i] || \change.d_dst.genblk1.genblk1.g_line.line_q [(i-4)*DST_W +: DST_W] == x_owner[i*DST_W -: DST_W]);
    end
    ok_owner = ok_owner && (!x_rate[9] || u8_dst == x_owner[9*DST_W -: DST_W]) && (!x_rate[10] || \banks.u9_dst_q == x_owner[10*DST_W -: DST_W]) &&
               (!x_rate[11] || \banks.u10_dst_q == x_owner[11*DST_W -: DST_W]);

    ok_bad = (!x_bad[1] || ((\change.u0_ack_q || \change.u0_cfg ) && !(\change.u0_ack_q && \change.u0_pid_legal ) && !\change.u0_list && !\change.u0_commit &&
                            !u0_path && !\change.u0_remove )) &&
             (!x_bad[2] || (\change.u1_illegal_q && !\change.u1_ack_q && !\change.u1_list_q && !\change.u1_path_q && !\change.f_commit.line_q [0])) &&
             (!x_bad[3] || (\change.u2_illegal_q && !\change.u2_ack_q && !\change.u2_list_q && !\change.u2_path_q && !\change.u2_commit )) &&
             (!x_bad[4] || (u3_illegal && !\change.u3_measures_q && !\change.u3_asks_q )) &&
             (!x_bad_route[1] || (\pick.k0_route_q && !\pick.k0_legal )) && (!x_bad_route[2] || \pick.k1_illegal_q ) && (!x_bad_route[3] || \pick.k2_illegal_q ) &&
             (!x_bad_route[4] || k3_illegal);
    for (int unsigned i = 4; i <= 9; i++) begin
      ok_bad = ok_bad && !(x_bad[i] && ((i >= 5 && \change.u_write_q [i-1]) || (i <= 7 && \change.u_list_q [i-1]) || (i <= 8 && \change.f_commit7.line_q [i-4])));
    end

    ok_had = (!x_had[1] || (had && \pick.k0_id_q == id && x_had_tag[1*TAG_W -: TAG_W] == had_tag)) && (!x_had[2] || \pick.k1_tag == x_had_tag[2*TAG_W -: TAG_W]) &&
             (!x_had[3] || \pick.k2_tag_q == x_had_tag[3*TAG_W -: TAG_W]) && (!x_had[4] || \pick.k3_tag_q == x_had_tag[4*TAG_W -: TAG_W]);
    for (int unsigned i = 0; i < 32; i++) begin
      ok_had = ok_had && (!had || id != 5'(i) || \pick.waiting.words [i*(TAG_W+BANK_N*ROW_W) + BANK_N*ROW_W +: TAG_W] == had_tag);
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
  `LEMMA(pick_moves, x_pick == {m_path_valid, \pick.k3_pick_q , \pick.k2_pick_q , \pick.k1_pick_q , \pick.k0_pick_q } &&
    (!x_pick[1] || x_none[1] == \pick.k0_none_q ) && (!x_pick[2] || x_none[2] == \pick.k1_none_q ) && (!x_pick[3] || x_none[3] == \pick.k2_none_q ) &&
    (!x_pick[4] || x_none[4] == \pick.k3_none_q ) && (!x_pick[5] || x_none[5] == \pick.k4_none_q ))
  `LEMMA(route_moves, x_route == {m_route_valid, \pick.k3_route_q , \pick.k2_route_q , \pick.k1_route_q , \pick.k0_route_q && \pick.k0_legal } &&
    (x_route & x_pick) == '0)

  logic [BANK_N-1:0] probe12;
  logic             probe_one;

  assign probe12   = \probe.records_q [BANK_N-1:0];
  assign probe_one = (probe12 & (probe12 - 1'b1)) == '0;

  `LEMMA(probe_moves, (\probe.open11_q & ~\probe.used11_q ) == '0 && probe_one && (probe12 & ~p12_used) == '0 && (probe12 == '0 || (p_packet_q[12] && !\change.u_write_q [7])) &&
    (!m_probe_valid || (m_cand_valid && !u8_write && m_cand_usable[p13_bank])))

  logic ok_recent;

  always_comb begin
    ok_recent = \probe.same11_q == (\probe.p12_packet_q && \probe.dsts_q [0 +: DST_W] == \probe.dsts_q [DST_W +: DST_W]);
    for (int unsigned k = 0; k < RECORDS; k++) begin
      if (recent[k+1]) begin
        ok_recent = ok_recent && \probe.records_q [k*BANK_N + 32'(bank)] && (\probe.undo11_q [k] && \probe.kill11_q [bank]) == changes &&
                    (k == 0 ? \probe.p12_packet_q : 1'b1) && (k == 0 || \probe.dsts_q [0 +: DST_W] != dst || changes || \probe.old11_q [bank]) &&
                    (k == RECORDS - 1 || \probe.dsts_q [((k + 1) % RECORDS)*DST_W +: DST_W] == dst);
      end
    end
  end

  `LEMMA(recent_is_recorded, ok_recent)
