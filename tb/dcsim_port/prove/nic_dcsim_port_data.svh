  // Counts of packets and bytes, and one packet, any one that finds room.
  `AFTER_RESET
  `ANY(BYTE_W, any_bytes)
  always_comb assume (most_bytes == {1'b0, any_bytes} - (BYTE_W+1)'(s_len));
  always_comb assume (!push || !full);
  always_comb assume (!pop || (some && !popped_q));
  always_comb assume (!pop || BYTE_W'(m_len) <= sum);

  localparam int unsigned N_W = ROW_W + 1;

  logic              mark, marked;
  logic [N_W-1:0]    waits, before;
  logic [BYTE_W-1:0] sum;
  logic [ROW_W-1:0]  row;

  always_ff @(posedge clk) begin
    waits <= waits + N_W'(push) - N_W'(pop);
    sum   <= sum + (push ? BYTE_W'(s_len) : '0) - (pop ? BYTE_W'(m_len) : '0);
    if (push && mark && !marked) begin
      marked <= 1'b1;
      row    <= push_row;
      before <= waits - N_W'(pop);
    end else if (marked && pop) begin
      if (before == '0) begin
        marked <= 1'b0;
      end
      before <= before - 1'b1;
    end
    if (rst) begin
      waits  <= '0;
      sum    <= '0;
      marked <= 1'b0;
    end
  end

  // The place of a row from the head on.
  logic [N_W-1:0] ahead, used;

  assign ahead = (row >= rd_q) ? N_W'(row) - N_W'(rd_q) : N_W'(row) + N_W'(ROWS) - N_W'(rd_q);
  assign used  = (wr_q >= rd_q) ? N_W'(wr_q) - N_W'(rd_q) : N_W'(wr_q) + N_W'(ROWS) - N_W'(rd_q);

  `LEMMA(rows_in_range, 32'(wr_q) >= FIRST && 32'(rd_q) >= FIRST)
  `LEMMA(waits_fits, 32'(waits) <= ROWS)
  `LEMMA(packets_fits, 32'(packets_q) <= ROWS)
  `LEMMA(packets_is_waits, N_W'(packets_q) == waits + N_W'(popped_q))
  `LEMMA(pointers, used == ((32'(waits) == ROWS) ? '0 : waits))
  `LEMMA(bytes_sum, bytes_q == sum + BYTE_W'(popped_len_q))
  `LEMMA(popped_alone, popped_q || popped_len_q == '0)
  `LEMMA(marked_waits, !marked || before < waits)
  `LEMMA(marked_row, !marked || (32'(row) >= FIRST && ahead == before))

  `PROPERTY(never_above_its_rows, 1'b1, 32'(waits) <= ROWS && (full || 32'(waits) < ROWS))
  `PROPERTY(count_is_exact, 1'b1, some == (waits != '0))
  `PROPERTY(bytes_are_exact, !popped_q, bytes_q == sum)
  `PROPERTY(first_in_first_out, marked && before == '0, some && head_row == row)
