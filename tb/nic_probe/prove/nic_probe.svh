  // What the ports and the ends of the queues show of probes and answers. The queues are any that
  // keep their head until it is taken.
  `AFTER_REGISTERED_RESET
  `ANY(DST_BITS, dst)
  always_comb assume (32'(dst) < DESTINATIONS);

  localparam int unsigned WISH_W  = PID_BITS + DST_BITS;
  localparam int unsigned REPLY_W = 16 + 48 + ADDR_W;
  localparam int unsigned DELAY_W = PID_BITS + 32;
  localparam int unsigned ROUTE_W = $bits(s_route_anchors);

  logic               wish_waits, reply_waits, delay_waits;
  logic [WISH_W-1:0]  wish;
  logic [REPLY_W-1:0] reply;
  logic [DELAY_W-1:0] delay;

  always_ff @(posedge clk) begin
    wish_waits  <= wanted_valid && !look_q && !rst_q;
    wish        <= {wanted_pid, wanted_dst};
    reply_waits <= answer_valid && !goes_answer && !rst_q;
    reply       <= {answer_path, answer_delay, answer_addresses};
    delay_waits <= m_answer_valid && !m_answer_ready && !rst_q;
    delay       <= {m_answer_pid, m_answer_delay_ns};
  end

  always_comb assume (!wish_waits || (wanted_valid && {wanted_pid, wanted_dst} == wish));
  always_comb assume (!reply_waits || (answer_valid && {answer_path, answer_delay, answer_addresses} == reply));
  always_comb assume (!delay_waits || (m_answer_valid && {m_answer_pid, m_answer_delay_ns} == delay));

  // The addresses of one destination, any one, as they were written last. A write counts for looks
  // from the next cycle on.
  logic              known, known_before, there, there_before;
  logic [ADDR_W-1:0] bytes, bytes_before;

  always_ff @(posedge clk) begin
    there_before <= there;
    bytes_before <= bytes;
    known_before <= known;
    if (s_address_valid && s_address_ready && s_address_dst == dst) begin
      there <= s_address_set;
      bytes <= s_address_bytes;
      known <= 1'b1;
    end
    if (rst_q) begin
      there <= 1'b0;
      known <= 1'b0;
    end
  end

  // One probe from the queue to its frame.
  logic                asked;      // its anchors were, and are not there
  logic                has;        // they are
  logic [PID_BITS-1:0] pid;
  logic                of_dst;     // it is one to the destination
  logic [ADDR_W-1:0]   to;
  logic [ROUTE_W-1:0]  route;

  always_ff @(posedge clk) begin
    if (look_q) begin
      pid    <= wanted_pid;
      of_dst <= wanted_dst == dst;
      to     <= bytes_before;
    end
    asked <= (m_route_valid && m_route_ready) || (asked && !s_route_valid);
    has   <= (asked && s_route_valid) || (has && !goes_probe);
    if (asked && s_route_valid) begin
      route <= s_route_anchors;
    end
    if (rst_q) begin
      asked <= 1'b0;
      has   <= 1'b0;
    end
  end

  // The cycle before.
  logic               was_offered, was_held, was_probe, was_answer, was_has, was_of_dst, was_look, was_there, was_legal, was_on;
  logic               was_route, was_asking, was_busy;
  logic [319:0]       was_frame;
  logic [REPLY_W-1:0] was_reply;
  logic [15:0]        was_type;
  logic [47:0]        was_now;
  logic [ADDR_W-1:0]  was_to;
  logic [ROUTE_W-1:0] was_anchors;
  logic [PID_BITS-1:0] was_pid, was_route_pid;

  always_ff @(posedge clk) begin
    was_offered   <= m_frame_valid && !rst_q;
    was_held      <= m_frame_valid && !m_frame_ready && !rst_q;
    was_probe     <= goes_probe && !rst_q;
    was_answer    <= answer_valid && goes_answer && !rst_q;
    was_has       <= has && !rst_q;
    was_of_dst    <= of_dst;
    was_frame     <= m_frame_data;
    was_reply     <= {answer_path, answer_delay, answer_addresses};
    was_type      <= cfg_ether_type;
    was_now       <= now_ns;
    was_to        <= to;
    was_anchors   <= route;
    was_pid       <= pid;
    was_route     <= m_route_valid && !m_route_ready && !rst_q;
    was_route_pid <= m_route_pid;
    was_look      <= look_q && !rst_q;
    was_there     <= there_before;
    was_legal     <= 32'(wanted_dst) < DESTINATIONS;
    was_on        <= wanted_dst == dst;
    was_busy      <= m_route_valid || asked || has;
  end

  // Numbers of a frame, which begin with the most significant byte.
  logic [47:0] f_time;
  logic [15:0] f_path, f_type;

  assign f_type = {m_frame_data[103:96], m_frame_data[111:104]};
  assign f_path = {m_frame_data[135:128], m_frame_data[143:136]};
  assign f_time = {m_frame_data[151:144], m_frame_data[159:152], m_frame_data[167:160],
                   m_frame_data[175:168], m_frame_data[183:176], m_frame_data[191:184]};

  `PROPERTY(frame_stands, was_held, m_frame_valid && m_frame_data == was_frame)
  `PROPERTY(frame_for_frame, m_frame_valid && !was_held, was_probe != was_answer)
  `PROPERTY(none_is_lost, was_probe || was_answer, m_frame_valid && !was_held)
  `PROPERTY(probe_has_anchors, was_probe, was_has && f_type == was_type && m_frame_data[127:112] == 16'h0121 &&
    f_path == 16'(was_pid) && f_time == was_now && m_frame_data[319:224] == '0 &&
    {m_frame_data[199:192], m_frame_data[207:200], m_frame_data[215:208], m_frame_data[223:216]} == was_anchors)
  `PROPERTY(probe_has_addresses, was_probe && was_of_dst, m_frame_data[ADDR_W-1:0] == was_to)
  `PROPERTY(answer_goes_back, was_answer, f_type == was_type && m_frame_data[127:112] == 16'h0130 &&
    {f_path, f_time} == was_reply[REPLY_W-1:ADDR_W] && m_frame_data[319:192] == '0 &&
    m_frame_data[47:0] == was_reply[95:48] && m_frame_data[95:48] == was_reply[47:0])
  `PROPERTY(asked_if_there, was_look && was_on, m_route_valid == was_there)
  `PROPERTY(asked_for_its_path, m_route_valid, m_route_pid == pid && !asked && !has)
  `PROPERTY(request_stands, was_route, m_route_valid && m_route_pid == was_route_pid)
  `PROPERTY(one_at_a_time, was_look, !was_busy && (was_legal || !m_route_valid))

  // Records: the ends of the queues a cycle later.
  logic               x_probe, x_answer, x_any;
  logic [47:0]        x_time, x_now;
  logic [15:0]        x_path;
  logic [ADDR_W-1:0]  x_addresses;
  logic signed [47:0] x_delay;

  assign x_delay = x_time;

  always_ff @(posedge clk) begin
    x_any       <= s_shim_valid && !rst_q;
    x_probe     <= s_shim_valid && !s_shim_bad && s_shim_subtype == 4'd1 && s_shim_type == 2'd2 && !rst_q;
    x_answer    <= s_shim_valid && !s_shim_bad && s_shim_subtype == 4'd1 && s_shim_type == 2'd3 && !rst_q;
    x_path      <= {s_shim_body[7:0], s_shim_body[15:8]};
    x_time      <= {s_shim_body[23:16], s_shim_body[31:24], s_shim_body[39:32],
                    s_shim_body[47:40], s_shim_body[55:48], s_shim_body[63:56]};
    x_now       <= now_ns;
    x_addresses <= s_shim_addresses;
  end

  `PROPERTY(probe_is_answered, x_any, p0_probe_q == x_probe && (!x_probe ||
    {p0_path_q, p0_delay_q, p0_addresses_q} == {x_path, x_now - x_time, x_addresses}))
  `PROPERTY(answer_is_told, x_any, p0_answer_q == (x_answer && x_path < 16'd1 << PID_BITS) && (!p0_answer_q || p0_path_q == x_path))
  `PROPERTY(delay_is_nearest, p0_answer_q, $signed(p0_cut) ==
    (x_delay > 48'sh7fff_ffff ? 32'sh7fff_ffff : x_delay < -48'sh8000_0000 ? 32'sh8000_0000 : x_delay[31:0]))
  `PROPERTY(nothing_of_nothing, !x_any, !p0_probe_q && !p0_answer_q && !p0_bad_q && !p0_wide_q)

  // How the registers stand for that.
  (* hierconn *) logic [ALL*(1+ADDR_W)-1:0] \addresses.words ;
  logic [ADDR_W:0] entry;
  logic            swept, read;

  assign entry = \addresses.words [32'(IDX_W'(dst))*(1+ADDR_W) +: 1+ADDR_W];

  always_ff @(posedge clk) begin
    swept <= (swept || (!ready_q && sweep_q == IDX_W'(dst))) && !rst_q;
    read  <= wanted_dst == dst && sts_ready;
  end

  `LEMMA(swept_when_ready, !ready_q || swept)
  `LEMMA(will_sweep, ready_q || swept || sweep_q <= IDX_W'(dst))
  `LEMMA(entry_holds, !swept || entry[ADDR_W] == there)
  `LEMMA(bytes_hold, !known || entry[ADDR_W-1:0] == bytes)
  `LEMMA(there_is_known, (!there || known) && (!there_before || known_before) && (!known || ready_q))
  `LEMMA(same_steps, asked == wait_q && has == made_q)
  `LEMMA(one_step, 3'(look_q) + 3'(m_route_valid) + 3'(wait_q) + 3'(made_q) <= 3'd1)
  `LEMMA(looks_when_ready, ready_q || (!look_q && !m_route_valid && !asked && !has))
  `LEMMA(anchors_hold, !has || anchors_q == route)
  `LEMMA(path_holds, look_q || (!m_route_valid && !asked && !has) || m_route_pid == pid)
  `LEMMA(to_holds, look_q || (!m_route_valid && !asked && !has) || !of_dst || to_q == to)
