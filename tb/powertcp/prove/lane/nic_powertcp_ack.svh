
  // From any state, once what was under way is out of the stages that the properties look
  // at. The state comes from outside: any memory, any hop lane.
  logic [3:0] age = '0;
  logic       started;

  always_ff @(posedge clk) begin
    if (age != '1) begin
      age <= age + 1'b1;
    end
  end

  assign started = 1'b1;

  // The settings so many cycles ago, and whether the connection of the answer exists.
  logic [7*25-1:0] min_past, max_past;
  logic            legal;
  logic [24:0]     min_1, max_1, min_7, max_7;

  always_ff @(posedge clk) begin
    min_past <= {min_past[6*25-1:0], cfg_min_window};
    max_past <= {max_past[6*25-1:0], cfg_max_window};
    legal    <= p36_legal_q;
  end

  assign min_1 = min_past[24:0];
  assign max_1 = max_past[24:0];
  assign min_7 = min_past[6*25 +: 25];
  assign max_7 = max_past[6*25 +: 25];

  `PROPERTY(window_in_limits, age >= 4'd8 && m_valid && legal && min_7 <= max_7, m_bytes >= min_7 && m_bytes <= max_7)
  `PROPERTY(stored_in_limits, age >= 4'd8 && (window_wr_en || old_wr_en) && min_1 <= max_1,
    window_wr_data >= min_1 && window_wr_data <= max_1 && old_wr_data >= min_1 && old_wr_data <= max_1)
  `PROPERTY(low_is_least, age >= 4'd8 && m_low && legal, m_bytes == min_7)
  `PROPERTY(high_is_largest, age >= 4'd8 && m_high && legal, m_bytes == max_7)
  `PROPERTY(illegal_is_zero, age >= 4'd8 && m_valid && !legal, m_bytes == '0 && m_rate == '0 && m_norm == '0 && m_power == '0)

  // A window on its way from stage 32 to stage 36, with the settings that it was cut to.
  logic [4:0] way_in, way_low, way_high;

  for (genvar g = 0; g < 5; g++) begin : g_way
    logic        early;  // it was on its way from the start
    logic [24:0] here, min_here, max_here;

    assign early = 32'(age) < g + 2;

    // The oldest of stages 33 to 36 stands lowest.
    assign here        = (g == 0) ? p32_window_q : p36_window_q[25*(4-((g == 0) ? 1 : g)) +: 25];
    assign min_here    = min_past[25*(g+1) +: 25];
    assign max_here    = max_past[25*(g+1) +: 25];
    assign way_in[g]   = early || !p37_valid_q[5-g] || min_here > max_here || (here >= min_here && here <= max_here);
    assign way_low[g]  = early || !p37_cut_q[11-2*g] || here == min_here;
    assign way_high[g] = early || !p37_cut_q[10-2*g] || here == max_here;
  end

  (* hierconn *) logic [24:0] \window.p31_min_q , \window.p31_max_q ;

  `LEMMA(limits_31, age == '0 || (\window.p31_min_q == min_1 && \window.p31_max_q == max_1))
  `LEMMA(way_in_limits, way_in == '1)
  `LEMMA(way_is_least, way_low == '1)
  `LEMMA(way_is_largest, way_high == '1)
