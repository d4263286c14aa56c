  `AFTER_RESET
  `ANY(ADDR_W, addr)
  always_comb assume (32'(addr) < DEPTH && 32'(rd_addr) < DEPTH);

  // The word at one address, any one, as the writes have it.
  logic               written, same;
  logic [LATENCY-1:0] asked;  // for the word, so many cycles ago and one more
  logic [WIDTH-1:0]   word;

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

  (* hierconn *) logic [3*WIDTH*DEPTH-1:0] \ram.words ;
  (* hierconn *) logic [1:0]               \ram.upset ;

  logic [3*WIDTH-1:0] stored;
  logic [WIDTH-1:0]   a, b, c;

  assign stored    = \ram.words [addr*3*WIDTH +: 3*WIDTH];
  assign {c, b, a} = copies;

  always_comb begin
    same = 1'b1;
    for (int unsigned i = 0; i < 3; i++) begin
      same = same && (\ram.upset == 2'(i) || stored[i*WIDTH +: WIDTH] == word);
    end
  end

  // What was read, before forwarding, is what was stored before the cycle of the read.
  logic [LATENCY-1:0]       was_asked;
  logic [LATENCY*WIDTH-1:0] was_words;
  logic [WIDTH-1:0]         was_word;
  logic                     read_same;

  assign was_word = was_words[(LATENCY-1)*WIDTH +: WIDTH];

  always_ff @(posedge clk) begin
    was_asked <= LATENCY'({was_asked, rd_addr == addr && written});
    was_words <= (LATENCY*WIDTH)'({was_words, word});
    if (rst) begin
      was_asked <= '0;
    end
  end

  always_comb begin
    read_same = 1'b1;
    for (int unsigned i = 0; i < 3; i++) begin
      read_same = read_same && (\ram.upset == 2'(i) || copies[i*WIDTH +: WIDTH] == was_word);
    end
  end

  `LEMMA(word_in_memory, !written || same)
  `LEMMA(word_was_read, !was_asked[LATENCY-1] || read_same)

  `PROPERTY(reads_last_write, written && asked[LATENCY-1], rd_data == word)
  `PROPERTY(two_outvote_one, (a == b || a == c || b == c) && differ, old_data == ((a == b || a == c) ? a : b))
  `PROPERTY(differ_is_told, !hit_q, differ == !(a == b && b == c && a == c))
  `PROPERTY(written_does_not_differ, hit_q, !differ)
