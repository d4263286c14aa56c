
  // From any state, once the products are of the sum of the cycle before.
  logic age = 1'b0;
  logic started;

  always_ff @(posedge clk) begin
    age <= 1'b1;
  end

  assign started = age;
