  // One write and one read, as the ports show them. What the blocks answer is any value.
  `AFTER_RESET

  logic              a_held, d_held;     // taken, and not answered
  logic [9:0]  a_word;
  logic [31:0]       d_word;
  logic              d_full;
  logic              went;               // into the blocks
  logic [1:0]        both;               // address and data, for one and two cycles
  logic              b_stands, b_error;  // an answer that was not taken in the cycle before

  always_ff @(posedge clk) begin
    if (s_axil_awvalid && s_axil_awready) begin
      a_held <= 1'b1;
      a_word <= s_axil_awaddr;
    end
    if (s_axil_wvalid && s_axil_wready) begin
      d_held <= 1'b1;
      d_word <= s_axil_wdata;
      d_full <= s_axil_wstrb == 4'hf;
    end
    went     <= went || m_wr_go;
    both     <= {both[0] && a_held && d_held, a_held && d_held};
    b_stands <= s_axil_bvalid && !s_axil_bready;
    b_error  <= s_axil_bresp[1];
    if (s_axil_bvalid && s_axil_bready) begin
      a_held <= 1'b0;
      d_held <= 1'b0;
      went   <= 1'b0;
      both   <= 2'b00;
    end
    if (rst) begin
      a_held   <= 1'b0;
      d_held   <= 1'b0;
      went     <= 1'b0;
      both     <= 2'b00;
      b_stands <= 1'b0;
    end
  end

  `PROPERTY(write_answered, both[0], s_axil_bvalid)
  `PROPERTY(answer_has_a_write, s_axil_bvalid, a_held && d_held && s_axil_bresp == {!d_full, 1'b0})
  `PROPERTY(answer_stands, b_stands, s_axil_bvalid && s_axil_bresp[1] == b_error)
  `PROPERTY(written_once, m_wr_go, a_held && d_held && d_full && !went && !s_axil_bvalid)
  `PROPERTY(written_as_given, went || m_wr_go, m_wr_addr == a_word && m_wr_data == d_word)
  `PROPERTY(answered_when_written, s_axil_bvalid && d_full, went)
  `PROPERTY(no_second_write, a_held || d_held, (!a_held || !s_axil_awready) && (!d_held || !s_axil_wready))

  `LEMMA(address_is_held, a_held == !aw_ready_q && d_held == !w_ready_q)
  `LEMMA(word_is_held, (!a_held || m_wr_addr == a_word) && (!d_held || (m_wr_data == d_word && w_full_q == d_full)))
  `LEMMA(went_before_answer, went == (b_valid_q && d_full && a_held && d_held))
  `LEMMA(answer_is_late, both[0] == (b_valid_q && a_held && d_held))
  `LEMMA(later_still, !both[1] || both[0])

  logic              r_held;
  logic [4:0]        r_age;              // cycles since it was taken, one bit each
  logic [9:0]  r_word;
  logic [31:0]       r_data;             // what the blocks gave, three cycles after m_rd_go
  logic [2:0]        x_rd;
  logic              x_hole, x_lost, x_part;
  logic              r_stands;
  logic [31:0]       r_was;

  always_ff @(posedge clk) begin
    r_age <= {r_age[3:0], 1'b0};
    if (s_axil_arvalid && s_axil_arready) begin
      r_held <= 1'b1;
      r_age  <= 5'd1;
      r_word <= s_axil_araddr;
    end
    x_rd <= {x_rd[1:0], m_rd_go};
    if (x_rd[2]) begin
      r_data <= s_rd_data;
    end
    x_hole   <= x_rd[2] && !s_rd_hit;
    x_lost   <= went && both == 2'b01 && !s_wr_hit;
    x_part   <= both == 2'b01 && !d_full;
    r_stands <= s_axil_rvalid && !s_axil_rready;
    r_was    <= s_axil_rdata;
    if (s_axil_rvalid && s_axil_rready) begin
      r_held <= 1'b0;
    end
    if (rst) begin
      r_held   <= 1'b0;
      r_age    <= '0;
      x_rd     <= 3'b000;
      x_hole   <= 1'b0;
      x_lost   <= 1'b0;
      x_part   <= 1'b0;
      r_stands <= 1'b0;
    end
  end

  `PROPERTY(read_answered, r_age[4], s_axil_rvalid)
  `PROPERTY(data_has_a_read, s_axil_rvalid, r_held && s_axil_rdata == r_data)
  `PROPERTY(data_stands, r_stands, s_axil_rvalid && s_axil_rdata == r_was)
  `PROPERTY(read_as_given, m_rd_go, r_held && r_age[0] && m_rd_addr == r_word)
  `PROPERTY(events_of_accesses, evt_hole || evt_lost || evt_strobe, evt_hole == x_hole && evt_lost == x_lost && evt_strobe == x_part)
  `PROPERTY(no_access_without_event, x_hole || x_lost || x_part, evt_hole == x_hole && evt_lost == x_lost && evt_strobe == x_part)

  `LEMMA(read_is_held, r_held == !ar_ready_q && (!r_held || m_rd_addr == r_word))
  `LEMMA(read_ages, p0_rd_q == r_age[0] && p1_rd_q == r_age[1] && p2_rd_q == r_age[2] && p3_rd_q == r_age[3] && x_rd == r_age[3:1])
  `LEMMA(one_age, (r_age & (r_age - 5'd1)) == 5'd0 && (r_held || r_age == 5'd0))
  `LEMMA(data_is_there, r_valid_q == (r_held && r_age[3:0] == 4'd0))
  `LEMMA(data_is_it, !r_valid_q || r_data_q == r_data)

  // The counter, and how it stood.
  logic [8-1:0] cnt_was;
  logic [1:0]       n_was;

  always_ff @(posedge clk) begin
    cnt_was <= sts_illegal_cnt;
    n_was   <= 2'(evt_hole) + 2'(evt_lost || evt_strobe);
    if (rst) begin
      cnt_was <= '0;
      n_was   <= '0;
    end
  end

  `PROPERTY(illegal_is_counted, n_was == 2'd2, sts_illegal_cnt == cnt_was + 8'(2))
  `PROPERTY(only_illegal_is_counted, 1'b1, sts_illegal_cnt == cnt_was + 8'(n_was))
