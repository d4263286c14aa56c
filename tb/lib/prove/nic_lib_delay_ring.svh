  // There is no reset: from any state, once the counter has gone round and the words in the ring are
  // those that came since.
  logic                    started = 1'b0;
  logic [6:0]              age = '0;
  logic [WIDTH*CYCLES-1:0] past;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    past    <= (WIDTH*CYCLES)'({past, s_data});
    if (age != '1) begin
      age <= age + 1'b1;
    end
  end

  `PROPERTY(is_the_past, 32'(age) >= 2**SLOT_W + CYCLES, m_data == past[WIDTH*(CYCLES-1) +: WIDTH])
