  // What the ports say of one connection and one of its PSNs, any ones: the packet received last,
  // its marks and shims since the last ACK. Within a cycle the packet, or the step of a flush, is
  // before the ACK. Bits of a PSN above the tag's do not count.
  `AFTER_REGISTERED_RESET
  `ANY(CONN_BITS, conn)
  `ANY(RING_W+TAG_W, psn)
  always_comb assume (32'(conn) < CONNECTIONS);

  localparam int unsigned EV_W   = WORD_W - 2 - TAG_W;
  localparam int unsigned BODY_W = $bits(s_data_body);

  logic              e_data, e_here, e_clear, e_empty, e_ack, e_of;
  logic              known, known_next;          // the newest packet of the place in the ring
  logic [TAG_W-1:0]  tag, tag_next;
  logic [EV_W-1:0]   ev, ev_next;
  logic              ce, ce_next;
  logic              marked, marked_next;        // since the last ACK
  logic              fresh, fresh_next;
  logic              some, some_next;            // there is a body
  logic [BODY_W-1:0] body, body_next;

  assign e_data  = s_data_valid && sts_ready && s_data_conn == conn;
  assign e_here  = e_data && s_data_psn[RING_W-1:0] == psn[RING_W-1:0];
  assign e_clear = flush && !flush_last && s_flush_conn == conn && flush_q[RING_W-1:0] == psn[RING_W-1:0];
  assign e_empty = flush && flush_last && s_flush_conn == conn;
  assign e_ack   = s_ack_valid && sts_ready && s_ack_conn == conn;
  assign e_of    = e_ack && s_ack_psn[RING_W+TAG_W-1:0] == psn;

  assign known_next  = e_here || (known && !e_clear);
  assign tag_next    = e_here ? s_data_psn[RING_W +: TAG_W] : tag;
  assign ev_next     = e_here ? s_data_ev : ev;
  assign ce_next     = e_here ? s_data_ce : ce;
  assign marked_next = (e_data && s_data_ce) || (marked && !e_empty);
  assign fresh_next  = (e_data && s_data_shim) || (fresh && !e_empty);
  assign some_next   = (e_data && s_data_shim) || some;
  assign body_next   = (e_data && s_data_shim) ? s_data_body : body;

  // What an ACK is told, by the cycles since then.
  logic [5:0]          x_any, x_bad, x_ack, x_of, x_or, x_hit, x_ce, x_marked, x_fresh;
  logic [6*EV_W-1:0]   x_ev;
  logic [6*BODY_W-1:0] x_body;

  always_ff @(posedge clk) begin
    known    <= known_next;
    tag      <= tag_next;
    ev       <= ev_next;
    ce       <= ce_next;
    marked   <= marked_next && !e_ack;
    fresh    <= fresh_next && !e_ack;
    some     <= some_next;
    body     <= body_next;
    x_any    <= {x_any[4:0], s_ack_valid};
    x_bad    <= {x_bad[4:0], s_ack_valid && (!sts_ready || 32'(s_ack_conn) >= CONNECTIONS)};
    x_ack    <= {x_ack[4:0], e_ack};
    x_of     <= {x_of[4:0], e_of};
    x_or     <= {x_or[4:0], cfg_ecn_or};
    x_hit    <= {x_hit[4:0], known_next && tag_next == psn[RING_W +: TAG_W]};
    x_ce     <= {x_ce[4:0], ce_next};
    x_marked <= {x_marked[4:0], marked_next};
    x_fresh  <= {x_fresh[4:0], fresh_next};
    x_ev     <= {x_ev[5*EV_W-1:0], ev_next};
    x_body   <= {x_body[5*BODY_W-1:0], body_next};
    if (rst_q) begin
      known      <= 1'b0;
      marked     <= 1'b0;
      fresh      <= 1'b0;
      some       <= 1'b0;
      x_any[5:1] <= '0;
      x_bad[5:1] <= '0;
      x_ack      <= '0;
      x_of       <= '0;
    end
  end

  `PROPERTY(one_answer_each, 1'b1, m_echo_valid == x_any[5])
  `PROPERTY(hit_if_known, x_of[5], m_echo_hit == x_hit[5])
  `PROPERTY(hit_has_last_ev, x_of[5] && x_hit[5], m_echo_ev == x_ev[5*EV_W +: EV_W])
  `PROPERTY(mark_of_the_packet, x_of[5] && !x_or[5], m_echo_mark == (x_hit[5] && x_ce[5]))
  `PROPERTY(mark_since_last_ack, x_ack[5] && x_or[5], m_echo_mark == x_marked[5])
  `PROPERTY(fresh_once, x_ack[5], m_echo_fresh == x_fresh[5])
  `PROPERTY(body_is_newest, x_ack[5] && x_fresh[5], m_echo_body == x_body[5*BODY_W +: BODY_W])
  `PROPERTY(miss_has_no_ev, m_echo_valid && !m_echo_hit, m_echo_ev == '0)
  `PROPERTY(illegal_has_nothing, x_bad[5], !m_echo_hit && !m_echo_mark && !m_echo_fresh)

  // How the memories stand for that: the ring and the bodies two cycles late, the flags three;
  // once the sweep was there.
  logic [ADDR_W-1:0]                          addr;
  logic                                       swept_ring, swept_flags;
  logic [2:0]                                 marked_late, fresh_late;
  logic [1:0]                                 known_late, ce_late, some_late;
  logic [2*TAG_W-1:0]                         tag_late;
  logic [2*EV_W-1:0]                          ev_late;
  logic [2*BODY_W-1:0]                        body_late;
  (* hierconn *) logic [DEPTH*WORD_W-1:0]     \ring.ram.words ;
  (* hierconn *) logic [ROWS*2-1:0]           \flags.data_flags.words ;
  (* hierconn *) logic [ROWS*2-1:0]           \flags.ack_flags.words ;
  (* hierconn *) logic [ROWS*BODY_W-1:0]      \flags.bodies.words ;
  logic [1:0]                                 flags_now;
  logic [WORD_W-1:0]                          entry;

  assign addr      = {IDX_W'(conn), psn[RING_W-1:0]};
  assign flags_now = \flags.data_flags.words [2*IDX_W'(conn) +: 2] ^ \flags.ack_flags.words [2*IDX_W'(conn) +: 2];
  assign entry     = \ring.ram.words [32'(addr)*WORD_W +: WORD_W];

  always_ff @(posedge clk) begin
    swept_ring  <= swept_ring || (p1_clear_q && p1_addr_q == addr);
    swept_flags <= swept_flags || (p2_sweep_q && p2_idx == IDX_W'(conn));
    known_late  <= {known_late[0], known};
    ce_late     <= {ce_late[0], ce};
    some_late   <= {some_late[0], some};
    tag_late    <= {tag_late[TAG_W-1:0], tag};
    ev_late     <= {ev_late[EV_W-1:0], ev};
    body_late   <= {body_late[BODY_W-1:0], body};
    marked_late <= {marked_late[1:0], marked};
    fresh_late  <= {fresh_late[1:0], fresh};
    if (rst_q) begin
      swept_ring  <= 1'b0;
      swept_flags <= 1'b0;
      known_late  <= '0;
      some_late   <= '0;
      marked_late <= '0;
      fresh_late  <= '0;
    end
  end

  logic [IDX_W-1:0] p2_idx;

  always_ff @(posedge clk) begin
    p2_idx <= p1_addr_q[ADDR_W-1:RING_W];
  end

  `LEMMA(ring_holds, !swept_ring || (entry[WORD_W-1] == known_late[1] &&
    (!known_late[1] || entry[WORD_W-2:0] == {ce_late[1], tag_late[TAG_W +: TAG_W], ev_late[EV_W +: EV_W]})))
  `LEMMA(flags_hold, !swept_flags || flags_now == {fresh_late[2], marked_late[2]})
  `LEMMA(body_holds, !some_late[1] || \flags.bodies.words [32'(IDX_W'(conn))*BODY_W +: BODY_W] == body_late[BODY_W +: BODY_W])
  `LEMMA(fresh_has_body, !fresh || some)
  `LEMMA(will_sweep, swept_ring || (p1_clear_q && p1_addr_q == addr) || (p0_clear_q && p0_addr == addr) ||
    (!ready_q && sweep_q >= addr))
  `LEMMA(will_sweep_flags, swept_flags || (p2_sweep_q && p2_idx == IDX_W'(conn)) ||
    (p1_sweep_q && p1_empty_q && p1_addr_q[ADDR_W-1:RING_W] == IDX_W'(conn)) ||
    (p0_sweep_q && p0_empty_q && p0_idx == IDX_W'(conn)) || (!ready_q && sweep_q[ADDR_W-1:RING_W] >= IDX_W'(conn)))
  `LEMMA(sweeps_both, !p0_sweep_q || !p0_empty_q || p0_ack_idx == p0_idx)
  `LEMMA(sweeps_below, ready_q || 32'(sweep_q) < CONNECTIONS * (1 << RING_W))
  `LEMMA(nothing_before, ready_q || (!known && !marked && !fresh && !some))
  `LEMMA(step_in_range, flush_q <= (RING_W+1)'(1 << RING_W))
