  `AFTER_RESET
  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(own_addr) < DEPTH && 32'(other_addr) < DEPTH);

  // The state at one address, any one, as the owner wrote it; own_addr of the cycle before
  // is where it writes.
  logic             own_here, other_here, written;
  logic [WIDTH-1:0] word;

  always_ff @(posedge clk) begin
    own_here   <= own_addr == addr && !rst;
    other_here <= other_addr == addr && !rst;
    if (own_wr_en && own_here) begin
      written <= 1'b1;
      word    <= own_wr_data;
    end
    if (rst) begin
      written <= 1'b0;
    end
  end

  logic was_reset;

  always_ff @(posedge clk) begin
    was_reset <= rst;
  end

  always_comb assume (!(started && was_reset) || !own_wr_en);  // nobody asked in the reset

  `LEMMA(own_there, was_reset || own_here == (own_addr_q == addr))
  `LEMMA(other_there, was_reset || other_here == (other_addr_q == addr))
  `LEMMA(word_in_memory, !written || mem[addr] == word)
  `PROPERTY(own_reads_last_write, written && own_here, own_data == word)
  `PROPERTY(other_reads_last_write, written && other_here, other_data == word)

