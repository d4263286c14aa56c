  // REPS Algorithms 1 and 2 for one connection, any one, word for word: one event after
  // another, in the order ACK, failure, SEND. It sees the ports only, and acts three
  // cycles later, when the lanes do.
  `AFTER_REGISTERED_RESET
  `ANY(CONN_BITS, conn)
  `ANY(16, num)

  // The words of the state, as nic_reps_lanes.sv has them.
  localparam int unsigned ACK_W    = 2*SLOT_W + 3;
  localparam int unsigned SHARED_W = 2*SLOT_W + 2;
  localparam int unsigned SEND_W   = SHARED_W + SLOT_W + EXPLORE_W;

  typedef struct packed {
    logic [SLOT_W-1:0] acks;
    logic [SLOT_W:0]   pushes;
    logic              full;
    logic              restart;
  } ack_state_t;

  typedef struct packed {
    logic [SLOT_W-1:0]    moves;
    logic [SLOT_W:0]      pops;
    logic                 restarted;
    logic [SLOT_W-1:0]    reuse;
    logic [EXPLORE_W-1:0] left;
  } send_state_t;

  // Where an EV came from, as nic_reps_answer.sv has it.
  localparam logic [2:0] SOURCE_CACHED   = 3'd0;
  localparam logic [2:0] SOURCE_FROZEN   = 3'd1;
  localparam logic [2:0] SOURCE_EXPLORED = 3'd2;
  localparam logic [2:0] SOURCE_NONE     = 3'd5;

  // What the parts know. As arguments of macros these names would lose the spaces that end
  // them.
  (* hierconn *) logic [ACK_W-1:0]    \lanes.ack_ack ;
  (* hierconn *) logic [SLOT_W:0]     \lanes.ack_pops ;
  (* hierconn *) logic [ACK_W-1:0]    \lanes.send_ack ;
  (* hierconn *) logic [SEND_W-1:0]   \lanes.send_send ;
  (* hierconn *) logic                \lanes.ack_write ;
  (* hierconn *) logic                \lanes.send_write ;
  (* hierconn *) logic                \lanes.fail_write ;
  (* hierconn *) logic                \events.p0_settle_q ;
  (* hierconn *) logic                \events.p0_clear_q ;
  (* hierconn *) logic [IDX_W-1:0]    \events.p0_ack_idx_q ;
  (* hierconn *) logic [IDX_W-1:0]    \events.p0_send_idx_q ;
  (* hierconn *) logic [IDX_W-1:0]    \events.p0_fail_idx_q ;
  (* hierconn *) logic                \events.p1_settle_q ;
  (* hierconn *) logic                \events.p1_clear_q ;
  (* hierconn *) logic                \answer.p3_valid_q ;
  (* hierconn *) logic                \answer.p3_ring_q ;
  (* hierconn *) logic [2:0]          \answer.p3_source_q ;
  (* hierconn *) logic [IDX_W-1:0]    \answer.p3_idx_q ;
  (* hierconn *) logic [SLOT_W-1:0]   \answer.p3_slot ;
  (* hierconn *) logic [EV_W-1:0]     \answer.p3_base_q ;
  (* hierconn *) logic                \answer.p4_valid_q ;
  (* hierconn *) logic                \answer.p4_ring_q ;
  (* hierconn *) logic [2:0]          \answer.p4_source_q ;
  (* hierconn *) logic [EV_W-1:0]     \answer.p4_base_q ;
  (* hierconn *) logic                \answer.due_valid ;
  (* hierconn *) logic                \answer.due_ring ;
  (* hierconn *) logic [2:0]          \answer.due_source ;
  (* hierconn *) logic [EV_W-1:0]     \answer.due_base ;
  (* hierconn *) logic [EVS_BITS-1:0] \answer.due_ring_ev ;
  (* hierconn *) logic [126:0]        \generator.random_q ;

  ack_state_t          ack_ack;
  logic [SLOT_W:0]     ack_pops;
  ack_state_t          send_ack;
  send_state_t         send_send;
  logic                ack_write;
  logic                send_write;
  logic                fail_write;
  logic                p0_settle_q;
  logic                p0_clear_q;
  logic [IDX_W-1:0]    stage0_ack;
  logic [IDX_W-1:0]    stage0_send;
  logic [IDX_W-1:0]    stage0_fail;
  logic                p1_settle_q;
  logic                p1_clear_q;
  logic                p3_valid_q;
  logic                p3_ring_q;
  logic [2:0]          p3_source_q;
  logic [IDX_W-1:0]    p3_idx_q;
  logic [SLOT_W-1:0]   p3_slot;
  logic [EV_W-1:0]     p3_base_q;
  logic                p4_valid_q;
  logic                p4_ring_q;
  logic [2:0]          p4_source_q;
  logic [EV_W-1:0]     p4_base_q;
  logic                due_valid;
  logic                due_ring;
  logic [2:0]          due_source;
  logic [EV_W-1:0]     due_base;
  logic [EVS_BITS-1:0] due_ring_ev;
  logic [126:0]        random_q;

  assign ack_ack      = \lanes.ack_ack ;
  assign ack_pops     = \lanes.ack_pops ;
  assign send_ack     = \lanes.send_ack ;
  assign send_send    = \lanes.send_send ;
  assign ack_write    = \lanes.ack_write ;
  assign send_write   = \lanes.send_write ;
  assign fail_write   = \lanes.fail_write ;
  assign p0_settle_q  = \events.p0_settle_q ;
  assign p0_clear_q   = \events.p0_clear_q ;
  assign stage0_ack   = \events.p0_ack_idx_q ;
  assign stage0_send  = \events.p0_send_idx_q ;
  assign stage0_fail  = \events.p0_fail_idx_q ;
  assign p1_settle_q  = \events.p1_settle_q ;
  assign p1_clear_q   = \events.p1_clear_q ;
  assign p3_valid_q   = \answer.p3_valid_q ;
  assign p3_ring_q    = \answer.p3_ring_q ;
  assign p3_source_q  = \answer.p3_source_q ;
  assign p3_idx_q     = \answer.p3_idx_q ;
  assign p3_slot      = \answer.p3_slot ;
  assign p3_base_q    = \answer.p3_base_q ;
  assign p4_valid_q   = \answer.p4_valid_q ;
  assign p4_ring_q    = \answer.p4_ring_q ;
  assign p4_source_q  = \answer.p4_source_q ;
  assign p4_base_q    = \answer.p4_base_q ;
  assign due_valid    = \answer.due_valid ;
  assign due_ring     = \answer.due_ring ;
  assign due_source   = \answer.due_source ;
  assign due_base     = \answer.due_base ;
  assign due_ring_ev  = \answer.due_ring_ev ;
  assign random_q     = \generator.random_q ;

  always_comb begin
    assume (32'(conn) < CONNECTIONS);
    assume (cfg_num_pkts_cwnd == num);  // NUM_PKTS_CWND does not change
  end

  logic                  e0_good, e1_good, e2_good;
  logic                  e0_flush, e1_flush, e2_flush;
  logic                  e0_fail, e1_fail, e2_fail;
  logic                  e0_send, e1_send, e2_send;
  logic [EVS_BITS-1:0]   e0_ev, e1_ev, e2_ev;
  logic [TIMER_BITS-1:0] e0_now, e1_now, e2_now;
  logic [TIMER_BITS-1:0] e0_timeout, e1_timeout, e2_timeout;
  logic [15:0]           e0_base, e1_base, e2_base;
  logic [15:0]           e_ev;

  assign e_ev = s_ack_ev - cfg_ev_base;

  always_ff @(posedge clk) begin
    e0_good    <= s_ack_valid && sts_ready && s_ack_conn == conn && s_ack_port == '0 && !s_ack_ecn &&
                  (32'(e_ev) >> EVS_BITS) == 32'd0;
    e0_flush   <= s_flush_valid && s_flush_ready && s_flush_conn == conn && s_flush_port == '0;
    e0_fail    <= s_fail_valid && sts_ready && s_fail_conn == conn && s_fail_port == '0 && cfg_freezing;
    e0_send    <= s_send_valid && sts_ready && s_send_conn == conn && cfg_mode == '0 && s_send_port == '0;
    e0_ev      <= EVS_BITS'(e_ev);
    e0_now     <= now_ns;
    e0_timeout <= cfg_freezing_timeout_ns;
    e0_base    <= cfg_ev_base;
    e1_good    <= e0_good;
    e2_good    <= e1_good;
    e1_flush   <= e0_flush;
    e2_flush   <= e1_flush;
    e1_fail    <= e0_fail;
    e2_fail    <= e1_fail;
    e1_send    <= e0_send;
    e2_send    <= e1_send;
    e1_ev      <= e0_ev;
    e2_ev      <= e1_ev;
    e1_now     <= e0_now;
    e2_now     <= e1_now;
    e1_timeout <= e0_timeout;
    e2_timeout <= e1_timeout;
    e1_base    <= e0_base;
    e2_base    <= e1_base;
    if (rst_q) begin
      {e1_good, e1_flush, e1_fail, e1_send} <= '0;
      {e2_good, e2_flush, e2_fail, e2_send} <= '0;
    end
  end

  // The paper's state, and where a ring that is not full begins: a flush leaves the
  // slots where they are.
  logic [BUFFER_DEPTH-1:0]          val, val_next;    // isValid
  logic [BUFFER_DEPTH*EVS_BITS-1:0] cev, cev_next;    // cachedEV
  logic [SLOT_W-1:0]                head, head_next;
  logic [SLOT_W-1:0]                first, first_next;
  logic [SLOT_W:0]                  nv, nv_next;      // numberOfValidEVs
  logic [SLOT_W:0]                  cnt, cnt_next;    // slots ever written
  logic [SLOT_W-1:0]                rd, rd_next;      // next to use again in a ring that is not full
  logic                             frz, frz_next;    // isFreezingMode
  logic [TIMER_BITS-1:0]            exit, exit_next;  // exitFreezingMode
  logic [7:0]                       exp, exp_next;    // exploreCounter
  logic                             freezes, thaws;
  logic [2:0]                       source;
  logic [SLOT_W-1:0]                slot;
  logic [EVS_BITS-1:0]              ev;
  logic [TIMER_BITS-1:0]            late;

  always_comb begin
    val_next   = val;
    cev_next   = cev;
    head_next  = head;
    first_next = first;
    nv_next    = nv;
    cnt_next   = cnt;
    rd_next    = rd;
    frz_next   = frz;
    exit_next  = exit;
    exp_next   = exp;
    freezes    = 1'b0;
    thaws      = 1'b0;
    source     = SOURCE_NONE;
    slot       = '0;
    late       = e2_now - exit - 1'b1;
    if (e2_flush) begin
      val_next  = '0;
      nv_next   = '0;
      cnt_next  = '0;
      head_next = first;
      frz_next  = 1'b0;
      exp_next  = '0;
    end
    if (e2_good) begin
      if (!val_next[head_next]) begin
        nv_next = nv_next + 1'b1;
      end
      cev_next[head_next*EVS_BITS +: EVS_BITS] = e2_ev;
      val_next[head_next] = 1'b1;
      head_next = head_next + 1'b1;
      if (32'(cnt_next) != BUFFER_DEPTH) begin
        cnt_next = cnt_next + 1'b1;
      end
      if (frz_next && !late[TIMER_BITS-1]) begin
        thaws    = 1'b1;
        frz_next = 1'b0;
        exp_next = (num > 16'd255) ? 8'd255 : num[7:0];
      end
    end
    if (e2_fail && !frz_next && exp_next == '0) begin
      freezes   = 1'b1;
      frz_next  = 1'b1;
      exit_next = e2_now + e2_timeout;
      rd_next   = '0;
    end
    if (e2_send) begin
      if (exp_next != '0) begin
        exp_next = exp_next - 1'b1;
        if (32'(exp_next) % EXPLORE_STRIDE == 0) begin
          source = SOURCE_EXPLORED;
        end
      end
      if (source == SOURCE_EXPLORED || cnt_next == '0 || (nv_next == '0 && !frz_next)) begin
        source = SOURCE_EXPLORED;
      end else if (nv_next != '0) begin
        source         = SOURCE_CACHED;
        slot           = head_next - SLOT_W'(nv_next);
        val_next[slot] = 1'b0;
        nv_next        = nv_next - 1'b1;
      end else if (32'(cnt_next) == BUFFER_DEPTH) begin
        source     = SOURCE_FROZEN;
        slot       = head_next;
        head_next  = head_next + 1'b1;
        first_next = first_next + 1'b1;
      end else begin
        source  = SOURCE_FROZEN;
        slot    = first_next + rd_next;
        rd_next = (32'(rd_next) + 1 == 32'(cnt_next)) ? '0 : rd_next + 1'b1;
      end
    end
    ev = cev_next[slot*EVS_BITS +: EVS_BITS];
  end

  always_ff @(posedge clk) begin
    val   <= val_next;
    cev   <= cev_next;
    head  <= head_next;
    first <= first_next;
    nv    <= nv_next;
    cnt   <= cnt_next;
    rd    <= rd_next;
    frz   <= frz_next;
    exit  <= exit_next;
    exp   <= exp_next;
    if (rst_q) begin
      val   <= '0;
      head  <= '0;
      first <= '0;
      nv    <= '0;
      cnt   <= '0;
      rd    <= '0;
      frz   <= 1'b0;
      exp   <= '0;
    end
  end

  // What comes out three cycles later, and RAM_LATENCY - 1.
  logic                x3_send, x4_send, x5_send, x6_send;
  logic [2:0]          x3_source, x4_source, x5_source, x6_source;
  logic [EVS_BITS-1:0] x3_ev, x4_ev, x5_ev, x6_ev;
  logic [15:0]         x3_base, x4_base, x5_base, x6_base;
  logic                x3_freezes, x3_thaws, x3_good, x3_fail;
  logic                x3_frz;
  logic [SLOT_W:0]     x3_nv;

  always_ff @(posedge clk) begin
    x3_send    <= e2_send;
    x4_send    <= x3_send;
    x5_send    <= x4_send;
    x6_send    <= x5_send;
    x3_source  <= source;
    x4_source  <= x3_source;
    x5_source  <= x4_source;
    x6_source  <= x5_source;
    x3_ev      <= ev;
    x4_ev      <= x3_ev;
    x5_ev      <= x4_ev;
    x6_ev      <= x5_ev;
    x3_base    <= e2_base;
    x4_base    <= x3_base;
    x5_base    <= x4_base;
    x6_base    <= x5_base;
    x3_freezes <= freezes;
    x3_thaws   <= thaws;
    x3_good    <= e2_good;
    x3_fail    <= e2_fail;
    x3_frz     <= frz_next;
    x3_nv      <= nv_next;
    if (rst_q) begin
      {x3_send, x4_send, x5_send, x6_send, x3_freezes, x3_thaws, x3_good, x3_fail} <= '0;
    end
  end

  // What is shown now, and what the cycle before chose from.
  logic                xo_send, xd_send;
  logic [2:0]          xo_source, xd_source;
  logic [EVS_BITS-1:0] xo_ev, xd_ev;
  logic [15:0]         xo_base, xd_base;

  assign xo_send   = (RAM_LATENCY == 2) ? x6_send   : x5_send;
  assign xo_source = (RAM_LATENCY == 2) ? x6_source : x5_source;
  assign xo_ev     = (RAM_LATENCY == 2) ? x6_ev     : x5_ev;
  assign xo_base   = (RAM_LATENCY == 2) ? x6_base   : x5_base;
  assign xd_send   = (RAM_LATENCY == 2) ? x5_send   : x4_send;
  assign xd_source = (RAM_LATENCY == 2) ? x5_source : x4_source;
  assign xd_ev     = (RAM_LATENCY == 2) ? x5_ev     : x4_ev;
  assign xd_base   = (RAM_LATENCY == 2) ? x5_base   : x4_base;

  logic xo_ring;

  assign xo_ring = xo_source == SOURCE_CACHED || xo_source == SOURCE_FROZEN;

  // numberOfValidEVs, as the lanes see it.
  logic [SLOT_W:0] ack_nv;
  logic [SLOT_W:0] send_nv;

  assign ack_nv  = ack_ack.pushes - ack_pops;
  assign send_nv = send_ack.pushes - send_send.pops;

  `PROPERTY(nv_fits_ack, e2_good, 32'(ack_nv) <= BUFFER_DEPTH)
  `PROPERTY(nv_fits_send, e2_send, 32'(send_nv) <= BUFFER_DEPTH)
  `PROPERTY(nv_is_algorithm, e2_send, send_nv == nv)
  `PROPERTY(source_is_algorithm, xo_send, m_ev_valid && m_ev_source == xo_source)
  `PROPERTY(ev_is_algorithm, xo_send && xo_ring, m_ev == 16'(xo_ev) + xo_base)
  `PROPERTY(frozen_reuse_only, x3_send && p3_source_q == SOURCE_FROZEN, x3_frz && x3_nv == '0)
  `PROPERTY(freezes_as_algorithm, x3_fail, evt_freeze == x3_freezes)
  `PROPERTY(thaws_at_first_ack, x3_thaws, evt_thaw)
  `PROPERTY(thaws_only_then, x3_good && !x3_thaws, !evt_thaw)

  // A slot is handed out as cached at most once after each writing.
  logic [BUFFER_DEPTH-1:0] used;

  always_ff @(posedge clk) begin
    if (x3_send && p3_ring_q && p3_source_q == SOURCE_CACHED) begin
      used[p3_slot] <= 1'b1;
    end
    if (e2_good) begin
      used[ack_slot] <= 1'b0;
    end
    if (rst_q) begin
      used <= '1;
    end
  end

  `LEMMA(valid_unused, (val & used) == '0)
  `PROPERTY(used_once, x3_send && p3_ring_q && p3_source_q == SOURCE_CACHED, !used[p3_slot])

  // Connections that do not exist.
  logic e0_bad_ack, e1_bad_ack, e2_bad_ack;
  logic e0_bad_fail, e1_bad_fail, e2_bad_fail;
  logic e0_bad_send, e1_bad_send, e2_bad_send;
  logic x3_bad;

  always_ff @(posedge clk) begin
    e0_bad_ack  <= (s_ack_valid && sts_ready && (32'(s_ack_conn) >= CONNECTIONS || s_ack_port != '0)) ||
                   (s_flush_valid && s_flush_ready && (32'(s_flush_conn) >= CONNECTIONS || s_flush_port != '0));
    e0_bad_fail <= s_fail_valid && sts_ready && (32'(s_fail_conn) >= CONNECTIONS || s_fail_port != '0);
    e0_bad_send <= s_send_valid && sts_ready && (32'(s_send_conn) >= CONNECTIONS || s_send_port != '0);
    e1_bad_ack  <= e0_bad_ack;
    e2_bad_ack  <= e1_bad_ack;
    e1_bad_fail <= e0_bad_fail;
    e2_bad_fail <= e1_bad_fail;
    e1_bad_send <= e0_bad_send;
    e2_bad_send <= e1_bad_send;
    x3_bad      <= e2_bad_ack || e2_bad_fail || e2_bad_send;
    if (rst_q) begin
      {e1_bad_ack, e1_bad_fail, e1_bad_send} <= '0;
      {e2_bad_ack, e2_bad_fail, e2_bad_send} <= '0;
      x3_bad <= 1'b0;
    end
  end

  `PROPERTY(illegal_changes_nothing, e2_bad_ack || e2_bad_fail || e2_bad_send,
    !(e2_bad_ack && (ack_write || p2_good_q)) && !(e2_bad_fail && fail_write) && !(e2_bad_send && send_write))
  `PROPERTY(illegal_is_counted, x3_bad, evt_illegal)

  `PROPERTY(random_not_zero, 1'b1, random_q != '0)

