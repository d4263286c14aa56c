  `AFTER_RESET
  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(rd_addr) < DEPTH);

  // The word at one address, any one, as the writes have it.
  logic             written;
  logic [WIDTH-1:0] word;
  logic             asked;

  always_ff @(posedge clk) begin
    if (wr_en && wr_addr == addr) begin
      written <= 1'b1;
      word    <= wr_data;
    end
    if (!started) begin
      written <= 1'b0;
    end
    asked <= rd_addr == addr && !rst;
  end

  `LEMMA(word_in_memory, !written || mem[addr] == word)
  `LEMMA(asked_there, !asked || rd_addr_q == addr)
  `PROPERTY(reads_last_write, written && asked, rd_data == word)

