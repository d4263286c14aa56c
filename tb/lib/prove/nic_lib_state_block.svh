  `AFTER_RESET
  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(own_addr) < DEPTH && 32'(other_addr) < DEPTH);

  // The state at one address, any one, as the owner wrote it; own_addr of LATENCY cycles
  // before is where it writes.
  logic [LATENCY-1:0] own_here, other_here, was_reset;
  logic               written;
  logic [WIDTH-1:0]   word;

  always_ff @(posedge clk) begin
    own_here   <= LATENCY'({own_here, own_addr == addr});
    other_here <= LATENCY'({other_here, other_addr == addr});
    was_reset  <= LATENCY'({was_reset, rst});
    if (own_wr_en && own_here[LATENCY-1]) begin
      written <= 1'b1;
      word    <= own_wr_data;
    end
    if (rst) begin
      own_here   <= '0;
      other_here <= '0;
      was_reset  <= '1;
      written    <= 1'b0;
    end
  end

  always_comb assume (!(started && was_reset[LATENCY-1]) || !own_wr_en);  // nobody asked in the reset

  (* hierconn *) logic [WIDTH*DEPTH-1:0] \own_copy.ram.words ;
  (* hierconn *) logic [WIDTH*DEPTH-1:0] \other_copy.ram.words ;

  `LEMMA(own_there, was_reset[LATENCY-1] || own_here[LATENCY-1] == (own_addr_q == addr))
  `LEMMA(word_in_own_copy, !written || \own_copy.ram.words [addr*WIDTH +: WIDTH] == word)
  `LEMMA(word_in_other_copy, !written || \other_copy.ram.words [addr*WIDTH +: WIDTH] == word)
  `PROPERTY(own_reads_last_write, written && own_here[LATENCY-1], own_data == word)
  `PROPERTY(other_reads_last_write, written && other_here[LATENCY-1], other_data == word)

