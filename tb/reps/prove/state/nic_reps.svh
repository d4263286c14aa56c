  // How the lanes' state stands for the paper's. First, from when on: the SEND and the
  // FAIL lane have settled, the ACK lane has emptied the ring.
  logic settled, emptied;

  always_ff @(posedge clk) begin
    if (p2_settle_q && 32'(p2_send_idx_q) == 32'(conn)) begin
      settled <= 1'b1;
    end
    if (p2_flush_q && 32'(p2_ack_idx_q) == 32'(conn) && settled) begin
      emptied <= 1'b1;
    end
    if (rst_q) begin
      settled <= 1'b0;
      emptied <= 1'b0;
    end
  end

  `LEMMA(emptied_first, !emptied || settled)
  `LEMMA(events_later, !(e2_good || e2_flush || e2_fail || e2_send) || emptied)

  // Whoever has settled and emptied is not told to again.
  `LEMMA(settles_once, !settled || again_q || ready_q || 32'(clear_idx_q) > 32'(conn))
  `LEMMA(empties_once, !emptied || ready_q || (again_q && 32'(clear_idx_q) > 32'(conn)))
  `LEMMA(settles_once_0, !(settled && p0_settle_q && 32'(stage0_send) == 32'(conn)))
  `LEMMA(settles_once_1, !(settled && p1_settle_q && 32'(p1_send_idx_q) == 32'(conn)))
  `LEMMA(settles_once_2, !(settled && p2_settle_q && 32'(p2_send_idx_q) == 32'(conn)))
  `LEMMA(empties_once_0, !(emptied && p0_clear_q && 32'(stage0_ack) == 32'(conn)))
  `LEMMA(empties_once_1, !(emptied && p1_clear_q && 32'(p1_ack_idx_q) == 32'(conn)))
  `LEMMA(will_settle, settled || (p0_settle_q && 32'(stage0_send) == 32'(conn)) || (p1_settle_q && 32'(p1_send_idx_q) == 32'(conn)) || (p2_settle_q && 32'(p2_send_idx_q) == 32'(conn)) ||
    !(again_q || ready_q || 32'(clear_idx_q) > 32'(conn)))
  `LEMMA(will_empty, emptied || (p0_clear_q && 32'(stage0_ack) == 32'(conn)) || (p1_clear_q && 32'(p1_ack_idx_q) == 32'(conn)) || (settled && p2_flush_q && 32'(p2_ack_idx_q) == 32'(conn)) ||
    !(ready_q || (again_q && 32'(clear_idx_q) > 32'(conn))))
  `LEMMA(clear_in_range, 32'(clear_idx_q) < CONNECTIONS)
  `LEMMA(settles_alike_0, !p0_settle_q || (stage0_send == stage0_ack && stage0_send == stage0_fail))
  `LEMMA(settles_alike_1, !p1_settle_q || (p1_send_idx_q == p1_ack_idx_q && p1_send_idx_q == p1_fail_idx_q))
  `LEMMA(settles_alike_2, !p2_settle_q || (p2_send_idx_q == p2_ack_idx_q && p2_send_idx_q == p2_fail_idx_q))

  ack_state_t            of_ack;
  send_state_t           of_send;
  logic                  of_thaw, of_explore, of_explored, of_freeze, of_asked;
  logic [TIMER_BITS-1:0] of_exit;

  assign of_ack                           = of_ack_ack;
  assign of_send                          = of_send_send;
  assign {of_thaw, of_explore}            = of_flags_own;
  assign of_explored                      = of_send_own;
  assign {of_freeze, of_exit}             = of_fail_ack;
  assign of_asked                         = of_ack.restart != of_send.restarted;

  // Every copy is the same.
  `LEMMA(send_copies, !settled || (of_send_ack == {of_send_send[SEND_W-1 -: SHARED_W], of_send_own} && of_send_own == of_send_other))
  `LEMMA(fail_copies, !settled || (of_fail_own == of_freeze && of_fail_other == of_freeze))
  `LEMMA(ack_copies, !emptied || (of_ack_send == {of_ack_ack, of_flags_own} && of_flags_own == of_flags_other))

  // The paper's state.
  logic [SLOT_W:0] of_nv;
  logic [SLOT_W-1:0] of_head;

  assign of_nv   = of_ack.pushes - of_send.pops;
  assign of_head = of_ack.acks + of_send.moves;

  `LEMMA(state_nv, !emptied || of_nv == nv)
  `LEMMA(state_head, !emptied || of_head == head)
  `LEMMA(state_first, !settled || of_send.moves == first)
  `LEMMA(state_full, !emptied || of_ack.full == (32'(cnt) == BUFFER_DEPTH))
  `LEMMA(state_cnt, !emptied || of_ack.full || of_ack.acks == SLOT_W'(cnt))
  `LEMMA(state_frz, !emptied || (of_thaw != of_freeze) == frz)
  `LEMMA(state_exit, !emptied || !frz || of_exit == exit + 1'b1)
  `LEMMA(state_explores, !emptied || (of_explore != of_explored) == (exp != '0))
  `LEMMA(state_exp, !emptied || exp == '0 || (of_asked ? exp == ((num > 16'd255) ? 8'd255 : num[7:0]) : of_send.left == exp))
  `LEMMA(state_rd, !emptied || (of_asked ? '0 : of_send.reuse) == (frz ? rd : '0))

  // While the memories are gone through, the paper's state is that after reset.
  `LEMMA(empty_before, emptied || (val == '0 && nv == '0 && head == '0 && first == '0 && cnt == '0 && !frz && exp == '0))

  // The paper's state by itself.
  `LEMMA(cnt_range, 32'(cnt) <= BUFFER_DEPTH)
  `LEMMA(nv_range, nv <= cnt)
  `LEMMA(head_range, 32'(cnt) == BUFFER_DEPTH || head == SLOT_W'(first + SLOT_W'(cnt)))
  `LEMMA(rd_range, !frz || rd == '0 || (SLOT_W+1)'(rd) < cnt)
  `LEMMA(frz_explores, !frz || exp == '0)

  logic [BUFFER_DEPTH-1:0] newest;   // the nv newest slots
  logic [BUFFER_DEPTH-1:0] written;  // the cnt newest slots
  logic [BUFFER_DEPTH-1:0] same_ev;  // their EV is where the paper has it

  for (genvar g = 0; g < BUFFER_DEPTH; g++) begin : g_slots
    logic [SLOT_W-1:0] age;

    assign age        = head - SLOT_W'(g + 1);
    assign newest[g]  = {1'b0, age} < nv;
    assign written[g] = {1'b0, age} < cnt;
    assign same_ev[g] = of_ring[g*EVS_BITS +: EVS_BITS] == cev[g*EVS_BITS +: EVS_BITS];
  end

  `LEMMA(ring_same, (written & ~same_ev) == '0)

  // The lanes and the paper are told the same events.
  `LEMMA(event_good, e2_good == (p2_good_q && 32'(p2_ack_idx_q) == 32'(conn)))
  `LEMMA(event_fail, e2_fail == (p2_fail_q && 32'(p2_fail_idx_q) == 32'(conn)))
  `LEMMA(event_send, e2_send == (p2_reps_q && 32'(p2_send_idx_q) == 32'(conn)))

  `LEMMA(event_flush, !emptied || e2_flush == (p2_flush_q && 32'(p2_ack_idx_q) == 32'(conn)))

  // An EV on its way out.
  `LEMMA(way_3, !x3_send || (p3_valid_q && 32'(p3_idx_q) == 32'(conn) && p3_source_q == x3_source &&
    p3_ring_q == (x3_source == SOURCE_CACHED || x3_source == SOURCE_FROZEN) && p3_base_q == x3_base))
  `LEMMA(way_3_ev, !x3_send || !p3_ring_q || of_ring[p3_slot*EVS_BITS +: EVS_BITS] == x3_ev)
  `LEMMA(way_4, !x4_send || (p4_valid_q && p4_source_q == x4_source &&
    p4_ring_q == (x4_source == SOURCE_CACHED || x4_source == SOURCE_FROZEN) && p4_base_q == x4_base))
  `LEMMA(way_due, !xd_send || (due_valid && due_source == xd_source &&
    due_ring == (xd_source == SOURCE_CACHED || xd_source == SOURCE_FROZEN) && due_base == xd_base))
  `LEMMA(way_due_ev, !xd_send || !due_ring || due_ring_ev == xd_ev)

  // What the ACK lane has read early is what it would read now.
  `LEMMA(freeze_early, !emptied || 32'(p2_ack_idx_q) != 32'(conn) || p2_freeze_q == of_freeze)
  `LEMMA(late_early, !emptied || !frz || 32'(p2_ack_idx_q) != 32'(conn) || !p2_good_q || p2_late_q == !late[TIMER_BITS-1])

  `LEMMA(none_valid, nv != '0 || val == '0)
  `LEMMA(valid_newest, val == newest)

  // The same by what the memories hold.
  logic [BUFFER_DEPTH-1:0] of_newest;

  for (genvar g = 0; g < BUFFER_DEPTH; g++) begin : g_of_slots
    logic [SLOT_W-1:0] age;

    assign age          = of_head - SLOT_W'(g + 1);
    assign of_newest[g] = {1'b0, age} < of_nv;
  end

  `PROPERTY(valid_are_newest, emptied && nv != '0, val == of_newest)

