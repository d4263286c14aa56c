  // What is read is the word with all writes up to and including the cycle of the read.
  logic              started = 1'b0;
  logic [ADDR_W-1:0] followed_addr;
  (* hierconn *) logic [WIDTH*DEPTH-1:0] \ram.words ;

  always_ff @(posedge clk) begin
    started       <= !rst;
    followed_addr <= rd_addr;
  end

  `LEMMA(reads_every_write, 32'(followed_addr) >= DEPTH || rd_data == \ram.words [followed_addr*WIDTH +: WIDTH])

