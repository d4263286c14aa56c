  // The answers to a connection, any one, under ECMP. The seed of the hash, the number of EVs and
  // the base are any that stay.
  `AFTER_REGISTERED_RESET
  `ANY(CONN_BITS, conn)
  `ANY(WORD_W, seed_any)
  `ANY(EVS_W, evs_any)
  `ANY(WORD_W, base_any)
  always_comb assume (32'(conn) < CONNECTIONS && evs_any != '0 && 32'(evs_any) <= 32'(1) << EVS_BITS);
  always_comb assume (cfg_hash_seed == seed_any && cfg_evs == evs_any && cfg_ev_base == base_any);

  // Its EV. The product is any number that stays; where the multiplier has the
  // factors of this connection, it gives that number. For the true product this always is so.
  `ANY(WORD_W + EVS_W, product)
  logic [HASH_W-1:0]       number;
  logic [WORD_W+EVS_W-1:0] p2_product;
  logic [EVS_BITS-1:0]     ev;

  assign number  = HASH_W'(conn) ^ HASH_W'(seed_any);
  assign ev      = product[WORD_W +: EVS_BITS];

  // So is the hash, after three rounds and after all five: the first three are a function of the
  // number and the seed, the others one of what these give.
  `ANY(HASH_W, hash_2)
  `ANY(HASH_W, hash_4)
  always_comb assume (p0_number_q != number || p0_hash_seed_q != seed_any || p0_hash_2 == hash_2);
  always_comb assume (p1_hash_q != hash_2 || p1_hash_4 == hash_4);

  assign p2_product = p2_word_q * p2_evs_q;

  always_comb assume (!(p2_word_q == hash_4[HASH_W-1 -: WORD_W] && p2_evs_q == evs_any) || p2_product == product);

  // A SEND of it under ECMP, by the cycles since.
  logic       e_ecmp;
  logic [6:0] x_ecmp;

  assign e_ecmp = s_send_valid && sts_ready && s_send_conn == conn && s_send_port == '0 &&
    cfg_mode[1:0] == MODE_ECMP;

  always_ff @(posedge clk) begin
    x_ecmp <= {x_ecmp[5:0], e_ecmp};
    if (rst_q) begin
      x_ecmp <= '0;
    end
  end

  `LEMMA(stage_0, !x_ecmp[0] || (p0_ready_q && p0_send_q && p0_conn_q == conn && p0_port_q == '0 &&
    p0_mode_q == MODE_ECMP &&
    p0_number_q == number && p0_hash_seed_q == seed_any && p0_evs_q == evs_any && p0_base_q == base_any))
  `LEMMA(stage_1, !x_ecmp[1] || (p1_legal_q && p1_send_q && p1_mode_q == MODE_ECMP && p1_hash_q == hash_2 &&
    p1_evs_q == evs_any && p1_base_q == base_any))
  `LEMMA(stage_2, !x_ecmp[2] || (p2_legal_q && p2_send_q && p2_mode_q == MODE_ECMP && p2_word_q == hash_4[HASH_W-1 -: WORD_W] &&
    p2_evs_q == evs_any && p2_base_q == base_any))
  `LEMMA(stage_3, !x_ecmp[3] || (p3_legal_q && p3_send_q && p3_mode_q == MODE_ECMP && p3_product_q == product && p3_base_q == base_any))
  `LEMMA(stage_4, !x_ecmp[4] || (p4_legal_q && p4_send_q && p4_mode_q == MODE_ECMP && p4_fresh_q == ev && p4_base_q == base_any))
  `LEMMA(stage_5, !x_ecmp[5] || (p5_send_q && p5_ev_q == ev && p5_source_q == FROM_HASH && p5_base_q == base_any))

  `PROPERTY(ecmp_never_changes, x_ecmp[6], m_ev_valid && m_ev_source == FROM_HASH && m_ev == WORD_W'(ev) + base_any)
