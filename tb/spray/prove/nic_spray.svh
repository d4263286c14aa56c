  // The answers to all SENDs, by the cycles since.
  `AFTER_REGISTERED_RESET

  localparam logic [EVS_W-1:0] MOST = EVS_W'(32'(1) << EVS_BITS);

  logic             e_send;
  logic [6:0]       x_send;
  logic [EVS_W-1:0] p5_evs;  // the setting of the packet in stage p5
  logic             p5_legal;

  assign e_send = s_send_valid && sts_ready;

  always_comb assume (cfg_evs != '0 && cfg_evs <= MOST);

  always_ff @(posedge clk) begin
    x_send   <= {x_send[5:0], e_send};
    p5_evs   <= p4_evs_q;
    p5_legal <= p4_legal_q;
    if (rst_q) begin
      x_send   <= '0;
      p5_legal <= 1'b0;
    end
  end

  `LEMMA(stage_0, !x_send[0] || (p0_ready_q && p0_send_q && p0_evs_q != '0 && p0_evs_q <= MOST))
  `LEMMA(taken_0, x_send[0] == (p0_ready_q && p0_send_q))
  `LEMMA(stage_1, x_send[1] == p1_send_q && (!p1_legal_q || (p1_send_q && p1_evs_q != '0 && p1_evs_q <= MOST)))
  `LEMMA(stage_2, x_send[2] == p2_send_q && (!p2_legal_q || (p2_evs_q != '0 && p2_evs_q <= MOST)))
  `LEMMA(stage_3, x_send[3] == p3_send_q && (!p3_legal_q || (p3_evs_q != '0 && p3_evs_q <= MOST)))
  `LEMMA(stage_4, x_send[4] == p4_send_q && (!p4_legal_q || (p4_evs_q != '0 && p4_evs_q <= MOST)))
  `LEMMA(stage_5, x_send[5] == p5_send_q)
  `LEMMA(product_below, !p3_legal_q || 32'(p3_product_q) < (32'(p3_evs_q) << WORD_W))
  `LEMMA(scaled_below, !p4_legal_q || (EVS_BITS+1)'(p4_fresh_q) < p4_evs_q)

  `PROPERTY(ev_in_use, p5_legal, (EVS_BITS+1)'(p5_ev_q) < p5_evs)
  `PROPERTY(one_answer_each, 1'b1, m_ev_valid == x_send[6])
