  // One place of each way, any one, as the answers to operations tell it; and searches on one of
  // the ports, either one, whose rows are those of the two places. What the hash functions give is
  // any value at any time: it holds for every function.
  `AFTER_RESET
  `ANY(1, port_b)
  `ANY(ROW_W, row0)
  `ANY(ROW_W, row1)
  `ANY(KEY_BITS, any_key)
  `ANY(IDX_W, any_conn)

  // The operation that was taken last.
  logic                 o_read;
  logic [1:0]           o_way;
  logic [15:0]          o_row;
  logic                 o_set;
  logic [KEY_BITS-1:0]  o_key;
  logic [CONN_BITS-1:0] o_conn;
  logic                 o_legal;
  logic                 pending;  // it is not answered

  assign o_legal = o_way < 2'd2 && 32'(o_row) < ROWS && (o_read || !o_set || 32'(o_conn) < CONNECTIONS);

  always_ff @(posedge clk) begin
    pending <= (s_write_valid && s_write_ready) || (pending && !m_write_valid);
    if (s_write_valid && s_write_ready) begin
      o_read <= s_write_read;
      o_way  <= s_write_way;
      o_row  <= s_write_row;
      o_set  <= s_write_set;
      o_key  <= s_write_key;
      o_conn <= s_write_conn;
    end
    if (rst) begin
      pending <= 1'b0;
    end
  end

  // The places.
  logic                set0, set1;
  logic [KEY_BITS-1:0] key0, key1;
  logic [IDX_W-1:0]    conn0, conn1;
  logic                write0, write1;

  assign write0 = m_write_valid && o_legal && !o_read && o_way == 2'd0 && o_row == 16'(row0);
  assign write1 = m_write_valid && o_legal && !o_read && o_way == 2'd1 && o_row == 16'(row1);

  always_ff @(posedge clk) begin
    if (write0) begin
      {set0, conn0, key0} <= {o_set, IDX_W'(o_conn), o_key};
    end
    if (write1) begin
      {set1, conn1, key1} <= {o_set, IDX_W'(o_conn), o_key};
    end
    if (rst) begin
      set0 <= 1'b0;
      set1 <= 1'b0;
    end
  end

  // A move of an entry, any one, from way 0 to way 1: 1 it is in way 0 only, 2 it is copied, 3 it
  // is in way 1 only.
  logic       has0, has1;
  logic [1:0] move;
  logic [1:0] was;

  assign has0 = set0 && key0 == any_key && conn0 == any_conn;
  assign has1 = set1 && key1 == any_key && conn1 == any_conn;

  always_comb begin
    move = '0;
    if (has0 && (!set1 || key1 != any_key)) begin
      move = 2'd1;
    end
    if (has0 && has1 && (was == 2'd1 || was == 2'd2)) begin
      move = 2'd2;
    end
    if (!set0 && has1 && (was == 2'd2 || was == 2'd3)) begin
      move = 2'd3;
    end
  end

  always_ff @(posedge clk) begin
    was <= move;
    if (rst) begin
      was <= '0;
    end
  end

  // Searches of the port, by the cycles since then; rows are known two cycles later.
  logic                    s_valid, m_valid, m_hit, evt_conflict;
  logic [KEY_BITS-1:0]     s_key, x_key;
  logic [CONN_BITS-1:0]    m_conn;
  logic [7:0]              x_valid;
  logic [8*KEY_BITS-1:0]   x_keys;
  logic [5:0]              x_here;
  logic [8:0]              x_ready;

  assign s_valid      = port_b ? s_b_valid : s_a_valid;
  assign s_key        = port_b ? s_b_key : s_a_key;
  assign m_valid      = port_b ? m_b_valid : m_a_valid;
  assign m_hit        = port_b ? m_b_hit : m_a_hit;
  assign m_conn       = port_b ? m_b_conn : m_a_conn;
  assign evt_conflict = port_b ? evt_b_conflict : evt_a_conflict;
  assign x_key        = x_keys[7*KEY_BITS +: KEY_BITS];

  always_ff @(posedge clk) begin
    x_valid <= {x_valid[6:0], s_valid};
    x_keys  <= {x_keys[7*KEY_BITS-1:0], s_key};
    x_here  <= {x_here[4:0], port_b ? p1_b_rows == {row1, row0} : p1_a_rows == {row1, row0}};
    x_ready <= {x_ready[7:0], sts_ready};
    if (rst) begin
      x_valid <= '0;
      x_ready <= '0;
    end
  end

  // What a search finds.
  logic found0, found1, clash;

  assign found0 = set0 && key0 == x_key;
  assign found1 = set1 && key1 == x_key;

  always_ff @(posedge clk) begin
    clash <= m_valid && x_ready[7] && x_here[5] && found0 && found1 && conn0 != conn1;
    if (rst) begin
      clash <= 1'b0;
    end
  end

  logic valid_past, here_past, ready_past;

  always_ff @(posedge clk) begin
    valid_past <= m_valid && !rst;
    here_past  <= x_here[5];
    ready_past <= x_ready[7];
  end

  // What the memories had five cycles ago is what the operations that are answered left in them.
  (* hierconn *) logic [ENTRY_W*ROWS-1:0] \g_way[0].places.words ;
  (* hierconn *) logic [ENTRY_W*ROWS-1:0] \g_way[1].places.words ;

  logic [5*ENTRY_W-1:0] h0, h1;

  always_ff @(posedge clk) begin
    h0 <= {h0[4*ENTRY_W-1:0], \g_way[0].places.words [row0*ENTRY_W +: ENTRY_W]};
    h1 <= {h1[4*ENTRY_W-1:0], \g_way[1].places.words [row1*ENTRY_W +: ENTRY_W]};
  end

  `LEMMA(one_operation, 3'(open_q) + 3'(waits_q) + 3'(op_q[0]) + 3'(op_q[1]) + 3'(op_q[2]) + 3'(op_q[3]) + 3'(op_q[4]) <= 3'd1)
  `LEMMA(none_before_ready, ready_q || (!open_q && !waits_q && op_q == '0))
  `LEMMA(operation_is_held, !pending || (o_read == op_read_q && o_way == op_way_q && o_row == op_row_q && o_set == op_set_q
    && o_key == op_key_q && o_conn == op_conn_q))
  `LEMMA(pending_is_inside, pending == (waits_q || op_q != '0 || m_write_valid))
  `LEMMA(place0_is_kept, !x_ready[5] || (set0 == h0[5*ENTRY_W-1] && (!set0 || {conn0, key0} == h0[4*ENTRY_W +: ENTRY_W-1])))
  `LEMMA(place1_is_kept, !x_ready[5] || (set1 == h1[5*ENTRY_W-1] && (!set1 || {conn1, key1} == h1[4*ENTRY_W +: ENTRY_W-1])))

  `PROPERTY(one_answer, 1'b1, m_valid == x_valid[7])
  `PROPERTY(nothing_before_ready, m_valid && !x_ready[7], !m_hit)
  `PROPERTY(found_is_the_table, m_valid && x_ready[7] && x_here[5],
    m_hit == (found0 || found1) && (!m_hit || m_conn == CONN_BITS'(found0 ? conn0 : conn1)))
  `PROPERTY(a_move_never_misses, m_valid && x_ready[7] && x_here[5] && x_key == any_key && move >= 2'd2,
    m_hit && m_conn == CONN_BITS'(any_conn))
  `PROPERTY(conflict_is_told, valid_past && ready_past && here_past, evt_conflict == clash)
  `PROPERTY(one_at_a_time, 1'b1, (!m_write_valid || pending) && (!s_write_ready || !pending || m_write_valid))
  `PROPERTY(error_is_told, m_write_valid, m_write_error == !o_legal && evt_illegal == !o_legal)
  `PROPERTY(read_back_is_the_place, m_write_valid && o_read && o_way == 2'd0 && o_row == 16'(row0),
    m_write_set == set0 && (!set0 || (m_write_key == key0 && m_write_conn == CONN_BITS'(conn0))))
  `PROPERTY(port_b_is_one_users, s_b_valid || waits_q, !(p1_op && p1_b_valid))
