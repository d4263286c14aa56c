  // The words are of three copies. In any cycle one copy of any word takes any value; it
  // is always the same copy of the three. A word that is being written is left alone.
  localparam int unsigned COPY_W = WIDTH / 3;

  `ANY(2, upset)
  logic              upset_en;
  logic [ADDR_W-1:0] upset_addr;
  logic [COPY_W-1:0] upset_data;
  logic [WIDTH-1:0]  upset_word;

  always_comb begin
    upset_word = mem[upset_addr];
    if (upset < 2'd3) begin
      upset_word[upset*COPY_W +: COPY_W] = upset_data;
    end
  end

  always_ff @(posedge clk) begin
    if (upset_en && !(wr_en && wr_addr == upset_addr)) begin
      mem[upset_addr] <= upset_word;
    end
  end

  logic [WIDTH*DEPTH-1:0] words;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    assign words[g*WIDTH +: WIDTH] = mem[g];
  end

