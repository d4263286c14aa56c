  // There is no reset: right after as many cycles as the delay has, from any state.
  logic                    started = 1'b0;
  logic [5:0]              age = '0;
  logic [WIDTH*CYCLES-1:0] past;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    past    <= (WIDTH*CYCLES)'({past, s_data});
    if (age != '1) begin
      age <= age + 1'b1;
    end
  end

  `PROPERTY(is_the_past, 32'(age) >= CYCLES, m_data == past[WIDTH*(CYCLES-1) +: WIDTH])

