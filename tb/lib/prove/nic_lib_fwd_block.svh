  // What is read is the word with all writes up to and including the cycle before.
  // A reset forgets what was written as a read began: those of its cycle do not count.
  logic                      started;
  logic [LATENCY-1:0]        no_reset = '0;
  logic [LATENCY*ADDR_W-1:0] asked_addr;  // of reads under way, the youngest in the low bits
  logic [ADDR_W-1:0]         followed_addr;

  assign started       = no_reset == '1;
  assign followed_addr = asked_addr[(LATENCY-1)*ADDR_W +: ADDR_W];

  (* hierconn *) logic [WIDTH*DEPTH-1:0] \ram.words ;

  always_ff @(posedge clk) begin
    no_reset   <= LATENCY'({no_reset, !rst});
    asked_addr <= (LATENCY*ADDR_W)'({asked_addr, rd_addr});
  end

  `LEMMA(reads_every_write, 32'(followed_addr) >= DEPTH || rd_data == \ram.words [followed_addr*WIDTH +: WIDTH])

