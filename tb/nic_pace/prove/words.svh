  // Every word, for the properties of the module around it.
  logic [WIDTH*DEPTH-1:0] words;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    assign words[g*WIDTH +: WIDTH] = mem[g];
  end
