  // One SIM among those with a slot: the one that is offered when `slot` others have been, modulo
  // the number of slots. Its port is in use until `oldest` has passed its slot.
  `AFTER_RESET
  `ANY(SLOT_W, slot)

  localparam int unsigned N = SLOT_W + 1;

  // A SIM is queued if there is room and a slot, and is written a cycle later. Slots are given
  // back in order, and only those of SIMs that were sent.
  logic              served;
  logic [SLOT_W-1:0] was_oldest;
  logic [SLOT_W-1:0] step;

  assign step = oldest - was_oldest;

  always_comb assume (!serve || serve_ok);
  always_comb assume (w1_serve == served);
  always_comb assume (step <= offers[SLOT_W-1:0] - was_oldest);

  // Counted by the ports: SIMs queued, sent and given back, with a bit more than a slot has.
  logic [N-1:0] queued, offers, given;
  logic [N-1:0] given_now;

  assign given_now = given + N'(step);

  // The port of the SIM in `slot`.
  logic                       live;
  logic [RANDOM_W+SLOT_W-1:0] port;
  logic                       its;       // it is offered
  logic                       passed;    // its slot is given back
  logic [SLOT_W-1:0]          before;    // its slot's distance from the oldest one
  logic                       stands;    // the offer of the cycle before

  assign its    = m_valid && offers[SLOT_W-1:0] == slot;
  assign before = slot - was_oldest;
  assign passed = before < step;

  always_ff @(posedge clk) begin
    served     <= serve;
    was_oldest <= oldest;
    given      <= given_now;
    queued     <= queued + N'(serve);
    offers     <= offers + N'(m_valid && m_ready);
    stands     <= m_valid && !m_ready;
    if (its && !stands) begin
      live <= 1'b1;
      port <= m_port;
    end else if (passed) begin
      live <= 1'b0;
    end
    if (rst) begin
      served     <= 1'b0;
      was_oldest <= '0;
      given      <= '0;
      queued     <= '0;
      offers     <= '0;
      stands     <= 1'b0;
      live       <= 1'b0;
    end
  end

  // What it is made of.
  logic [SLOT_W-1:0] port_mix;

  nic_dcsim_source_mix port_mixing (
    .random (port[RANDOM_W+SLOT_W-1:SLOT_W]),
    .mix    (port_mix)
  );

  (* hierconn *) logic [QUEUE_W-1:0] \waiting.wr_q ;
  (* hierconn *) logic [QUEUE_W-1:0] \waiting.rd_q ;

  logic [QUEUE_W-1:0] fill;
  logic [N-1:0]       in_use, in_flight;

  assign fill      = \waiting.wr_q - \waiting.rd_q ;
  assign in_use    = queued - given;
  assign in_flight = offers - given;

  `LEMMA(slots_as_counted, slot_q == queued[SLOT_W-1:0] && next_slot_q == offers[SLOT_W-1:0] && was_oldest == given[SLOT_W-1:0])
  `LEMMA(queue_as_counted, N'(queued_q) == queued - offers && 32'(queued_q) == 32'(fill) + 32'(valid_q) + 32'(served))
  `LEMMA(queue_fits, 32'(fill) <= (1 << (QUEUE_W - 1)) && 32'(queued_q) <= (1 << (QUEUE_W - 1)))
  `LEMMA(in_order, 32'(in_flight) <= 32'(in_use))
  `LEMMA(slots_fit, 32'(in_use) < (1 << SLOT_W))
  `LEMMA(room_fits, !slot_room_q || 32'(in_use) < (1 << SLOT_W) - 1)
  `LEMMA(offer_stands, !stands || m_valid)
  `LEMMA(live_has_slot, !live || 32'(before) < 32'(in_flight) || (stands && offers[SLOT_W-1:0] == slot))
  `LEMMA(live_if_stands, !(stands && offers[SLOT_W-1:0] == slot) || (live && port == m_port))
  `LEMMA(port_of_slot, !live || port[SLOT_W-1:0] == (slot ^ port_mix))

  `PROPERTY(slot_is_free, its && !stands, !live || passed)
  `PROPERTY(port_is_free, m_valid && live && !passed, its || m_port != port)
