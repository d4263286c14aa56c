  `AFTER_RESET
  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(rd_addr) < DEPTH);

  // The word at one address, any one, as the writes have it.
  logic               written;
  logic [WIDTH-1:0]   word;
  logic [LATENCY-1:0] asked;  // for the word, so many cycles ago and one more

  always_ff @(posedge clk) begin
    if (wr_en && wr_addr == addr) begin
      written <= 1'b1;
      word    <= wr_data;
    end
    if (!started) begin
      written <= 1'b0;
    end
    asked <= LATENCY'({asked, rd_addr == addr});
    if (rst) begin
      asked <= '0;
    end
  end

  (* hierconn *) logic [WIDTH*DEPTH-1:0] \ram.words ;

  `LEMMA(word_in_memory, !written || \ram.words [addr*WIDTH +: WIDTH] == word)
  `PROPERTY(reads_last_write, written && asked[LATENCY-1], rd_data == word)
  `PROPERTY(last_write_wins, written && asked[LATENCY-1] && hit_q && (older_hit || LATENCY == 1), rd_data == word)

