  // Events one after another: each has presented its address LATENCY cycles before it writes.
  logic [3*ADDR_W-1:0] past;      // addresses of the last three cycles, the youngest in the low bits
  logic [3*ADDR_W-1:0] due;       // of the event due in the next cycle, and of the two before it
  logic [ADDR_W-1:0]   next_addr;
  logic [ADDR_W-1:0]   now_addr;
  logic [ADDR_W-1:0]   last_addr;

  assign due       = (LATENCY == 2) ? past : {past[2*ADDR_W-1:0], rd_addr};
  assign next_addr = due[ADDR_W-1:0];
  assign now_addr  = due[2*ADDR_W-1:ADDR_W];
  assign last_addr = due[3*ADDR_W-1:2*ADDR_W];

  always_ff @(posedge clk) begin
    past <= {past[2*ADDR_W-1:0], rd_addr};
  end

  always_comb assume (wr_addr == now_addr);
  always_comb assume (same1 == (next_addr == now_addr));
  always_comb assume (same2 == (next_addr == last_addr));

  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(rd_addr) < DEPTH);

  // The word at one address, any one, as the writes have it.
  logic             started = 1'b0;
  logic             written = 1'b0;
  logic [WIDTH-1:0] word;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (wr_en && wr_addr == addr) begin
      written <= 1'b1;
      word    <= wr_data;
    end
  end

  (* hierconn *) logic [WIDTH*DEPTH-1:0] \ram.words ;

  `LEMMA(word_in_memory, !written || \ram.words [addr*WIDTH +: WIDTH] == word)
  `PROPERTY(reads_last_write, written && now_addr == addr, rd_data == word)
  `PROPERTY(last_write_wins, written && now_addr == addr && hit1_q && (hit2_q || LATENCY == 1), rd_data == word)
