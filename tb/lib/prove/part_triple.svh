  // Every word by majority, for the properties of the module around it, and whether it
  // was written since power-up and since the last reset: then two copies of it are the same,
  // for what upsets change is always the same copy. The unit's reset may come a cycle late, so
  // nothing here waits for it: only the reads that began before power-up do not count.
  logic               started;
  logic [LATENCY-1:0] powered = '0;
  logic [DEPTH-1:0]   was_written = '0;
  logic [DEPTH-1:0]   written;  // for the unit: Yosys forgets at what value such a wire starts

  // Of reads under way, the youngest in the low bits.
  logic [LATENCY*ADDR_W-1:0] asked_addr;
  logic [LATENCY-1:0]        asked_written = '0;
  logic [ADDR_W-1:0]         followed_addr;
  logic                      followed_written;

  assign written          = was_written;
  assign started          = powered[LATENCY-1];
  assign followed_addr    = asked_addr[(LATENCY-1)*ADDR_W +: ADDR_W];
  assign followed_written = asked_written[LATENCY-1];

  (* hierconn *) logic [3*WIDTH*DEPTH-1:0] \ram.words ;
  (* hierconn *) logic [1:0]               \ram.upset ;

  logic [WIDTH*DEPTH-1:0] words;
  logic                   two_same, read_same;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    logic [WIDTH-1:0] a, b, c;

    assign {c, b, a} = \ram.words [g*3*WIDTH +: 3*WIDTH];
    assign words[g*WIDTH +: WIDTH] = (\ram.upset == 2'd0) ? b : (\ram.upset == 2'd1) ? c : a;
  end

  always_comb begin
    two_same = 1'b1;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      for (int unsigned k = 0; k < 3; k++) begin
        if (written[i] && \ram.upset != 2'(k)) begin
          two_same = two_same && \ram.words [(3*i+k)*WIDTH +: WIDTH] == words[i*WIDTH +: WIDTH];
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    powered       <= LATENCY'({powered, 1'b1});
    asked_addr    <= (LATENCY*ADDR_W)'({asked_addr, rd_addr});
    asked_written <= LATENCY'({asked_written, written[rd_addr]});
    if (wr_en) begin
      was_written[wr_addr] <= 1'b1;
    end
    if (rst) begin
      was_written   <= '0;
      asked_written <= '0;
    end
  end

  `LEMMA(two_copies_are_same, two_same)
  `LEMMA(reads_every_write, 32'(followed_addr) >= DEPTH || !(followed_written || hit_q) || rd_data == words[followed_addr*WIDTH +: WIDTH])

  // The same of a read of two cycles after the first of them, with what was written in it.
  (* hierconn *) logic [3*WIDTH-1:0] \ram.first_words ;

  if (LATENCY == 2) begin : g_under_way
    logic [WIDTH-1:0]  a, b, c, so_far;
    logic [ADDR_W-1:0] last_addr;

    assign {c, b, a} = \ram.first_words ;
    assign so_far    = g_older.older_hit_q ? g_older.older_data_q : ((a & b) | (a & c) | (b & c));
    assign last_addr = asked_addr[ADDR_W-1:0];

    `LEMMA(same_addr, g_older.last_addr_q == last_addr)
    `LEMMA(reads_so_far, 32'(last_addr) >= DEPTH || !(asked_written[0] || g_older.older_hit_q) || so_far == words[last_addr*WIDTH +: WIDTH])
  end
