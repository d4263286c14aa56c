  // The words are of three copies, if their width is a multiple of three. In any cycle one
  // copy of any word takes any value; it is always the same copy of the three. A word that
  // is being written is left alone.
  localparam int unsigned COPY_W = (WIDTH % 3 == 0) ? WIDTH / 3 : 1;

  `ANY(2, upset)
  logic                   upset_en;
  logic [ADDR_W-1:0]      upset_addr;
  logic [COPY_W-1:0]      upset_data;
  logic [WIDTH-1:0]       upset_word;
  logic [WIDTH*DEPTH-1:0] words;
  logic [WIDTH-1:0]       first_words;  // what was read, without an output register

  always_comb begin
    upset_word = words[upset_addr*WIDTH +: WIDTH];
    if (upset < 2'd3) begin
      upset_word[upset*COPY_W +: COPY_W] = upset_data;
    end
  end

  for (genvar s = 0; s < SLICES; s++) begin : g_upset
    always_ff @(posedge clk) begin
      if (upset_en && WIDTH % 3 == 0 && !(wr_en && wr_addr == upset_addr)) begin
        g_slice[s].mem[upset_addr] <= upset_word[g_slice[s].LO +: g_slice[s].W];
      end
    end

    assign first_words[g_slice[s].LO +: g_slice[s].W] = g_slice[s].data_q;

    for (genvar g = 0; g < DEPTH; g++) begin : g_words
      assign words[g*WIDTH + s*SLICE +: g_slice[s].W] = g_slice[s].mem[g];
    end
  end

