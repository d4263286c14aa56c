
  // Every word, and how many there are, for the properties of the module around it.
  logic [WIDTH*DEPTH-1:0] words;
  logic [ADDR_W:0]        fill;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    assign words[g*WIDTH +: WIDTH] = mem[ADDR_W'(g) + rd_q[ADDR_W-1:0]];
  end

  assign fill = wr_q - rd_q;
