  // Every word, of one or two slices, for the properties of the module around it.
  logic [WIDTH*DEPTH-1:0] words;

  for (genvar g = 0; g < DEPTH; g++) begin : g_words
    if (SLICES == 1) begin : g_one
      assign words[g*WIDTH +: WIDTH] = g_slice[0].mem[g];
    end else begin : g_two
      assign words[g*WIDTH +: WIDTH] = {g_slice[1].mem[g], g_slice[0].mem[g]};
    end
  end
