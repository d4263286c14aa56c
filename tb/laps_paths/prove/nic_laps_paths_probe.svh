
  // Every path that has expired is probed in time, whatever comes and whatever the memory
  // of the last probes held at first.
  `AFTER_RESET

  always_comb assume (!s_clear);

  // Any bank of any destination, and the banks in which that has paths.
  `ANY(DST_W, dst)
  `ANY(BANK_W, bank)
  `ANY(BANKS, set)

  // Packets that could probe, and what they did.
  logic mine, due, in_set;

  assign mine   = free11 && dsts_q[0 +: DST_W] == dst && 32'(dst) < DESTINATIONS;
  assign due    = due11[bank];
  assign in_set = (due11 & ~set) == '0;

  logic [BANK_W:0] paths;

  always_comb begin
    paths = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      paths = paths + (BANK_W+1)'(set[b]);
    end
  end

  // How many of them in a row found the bank due and probed another.
  logic [BANK_W:0] waits;

  always_ff @(posedge clk) begin
    if (mine) begin
      waits <= (due && in_set && !probe11[bank]) ? waits + 1'b1 : '0;
    end
    if (rst) begin
      waits <= '0;
    end
  end

  `PROPERTY(every_path_is_reached, mine && due && in_set, waits + 1'b1 < paths || (waits + 1'b1 == paths && probe11[bank]))
  `PROPERTY(one_is_probed, free11 && due11 != '0, probe11 != '0 && (probe11 & (probe11 - 1'b1)) == '0 && (probe11 & ~due11) == '0)

  // ---- the bank of the last probe, of the packets from a stage on, if there was one

  logic [BANK_W-1:0] bank11;
  logic              known12, known13, known14;
  logic [BANK_W-1:0] last12, last13, last14;

  always_comb begin
    bank11 = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (probe11[b]) begin
        bank11 = BANK_W'(b);
      end
    end
  end

  always_ff @(posedge clk) begin
    if (probe11 != '0 && dsts_q[0 +: DST_W] == dst) begin
      known12 <= 1'b1;
      last12  <= bank11;
    end
    known13 <= known12;
    last13  <= last12;
    known14 <= known13;
    last14  <= last13;
    if (rst) begin
      known12 <= 1'b0;
      known13 <= 1'b0;
      known14 <= 1'b0;
    end
  end

  logic [BANKS-1:0] after12;   // the banks behind it

  assign after12 = ({BANKS{1'b1}} << last12) << 1;

  (* hierconn *) logic [BANK_W*DESTINATIONS-1:0] \last.ram.words ;
  logic [BANK_W-1:0] kept;

  always_comb begin
    kept = '0;
    for (int unsigned d = 0; d < DESTINATIONS; d++) begin
      if (dst == DST_W'(d)) begin
        kept = \last.ram.words [d*BANK_W +: BANK_W];
      end
    end
  end

  logic of10, of11, of12, of13;

  assign of10 = p10_dst_q == dst;
  assign of11 = dsts_q[0*DST_W +: DST_W] == dst;
  assign of12 = dsts_q[1*DST_W +: DST_W] == dst;
  assign of13 = dsts_q[2*DST_W +: DST_W] == dst;

  `LEMMA(known_stays, (!known14 || known13) && (!known13 || known12))
  `LEMMA(probe_at_12, probe12 == '0 ? (known12 == known13 && (!known12 || last12 == last13))
    : of12 ? (known12 && probe12 == BANKS'(1) << last12) : (known12 == known13 && (!known12 || last12 == last13)))
  `LEMMA(probe_at_13, (m_p13_probe && of13) ? (known13 && m_p13_bank == last13) : (known13 == known14 && (!known13 || last13 == last14)))
  `LEMMA(same_is_kept, same11_q == (p12_packet_q && dsts_q[0 +: DST_W] == dsts_q[DST_W +: DST_W]) && (p12_packet_q || probe12 == '0))
  `LEMMA(kept_at_14, !known14 || 32'(dst) >= DESTINATIONS || kept == last14)
  `LEMMA(late_at_10, !known14 || !of10 || 32'(dst) >= DESTINATIONS || late10_q == last14)
  `LEMMA(behind_at_12, !known12 || !of12 || 32'(dst) >= DESTINATIONS || behind12_q == after12)
  `LEMMA(behind_at_11, !known12 || !of11 || (of12 && p12_packet_q) || 32'(dst) >= DESTINATIONS || behind11_q == after12)

  // ---- how far it is from there to the bank: each probe that is not the bank's comes nearer

  logic [BANK_W:0]   rank;
  logic              there;
  logic [BANK_W-1:0] at;

  always_comb begin
    rank  = '0;
    there = 1'b0;
    at    = last12;
    for (int unsigned i = 0; i < BANKS; i++) begin
      at = at + 1'b1;
      if (!there) begin
        rank  = rank + (BANK_W+1)'(set[at]);
        there = at == bank;
      end
    end
  end

  `LEMMA(nearer, waits == '0 || (known12 && set[bank] && waits + rank <= paths))
