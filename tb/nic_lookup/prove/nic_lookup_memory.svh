  // Every word, for the properties of the module around it.
  logic [WIDTH*DEPTH-1:0] words;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    assign words[g*WIDTH +: WIDTH] = g_slice[0].mem[g];
  end
