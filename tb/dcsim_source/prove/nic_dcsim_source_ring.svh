  // One packet among many, as an entry of a sorted list: it is released `span` after it was sent,
  // with what acknowledged it up to then. Its time is what counts, not its place.
  `AFTER_RESET
  `ANY(TIME_W, any_span)
  always_comb assume (32'(any_span) >= 5 && !any_span[TIME_W-1]);
  always_comb assume (span == any_span);

  // After the reset rows are cleared; then packets may be sent, two cycles apart. Time goes on.
  logic [ROW_W:0]    swept;
  logic [TIME_W-1:0] time_now;
  logic              pushed;

  always_comb assume (clear == !swept[ROW_W] && clear_row == swept[ROW_W-1:0]);
  always_comb assume (now == time_now);
  always_comb assume (!push || (swept[ROW_W] && !pushed && flying < PTR_W'((1 << IDX_W) - 1)));
  always_comb assume (!ack_valid || swept[ROW_W]);
  always_comb assume (EARLY || !hold);

  logic              mark;
  logic              followed;   // it was sent and has not left
  logic [PTR_W-1:0]  place;
  logic [WIDTH-1:0]  data;
  logic [TIME_W:0]   age;        // cycles since it was sent
  logic              tried;      // a SIM-ACK of it came in the cycle before, in time
  logic              acked;

  always_ff @(posedge clk) begin
    time_now <= time_now + 1'b1;
    pushed   <= push;
    if (!swept[ROW_W]) begin
      swept <= swept + 1'b1;
    end
    if (push && mark && !followed) begin
      followed <= 1'b1;
      place    <= tail;
      data     <= push_data;
      age      <= (TIME_W+1)'(1);
      acked    <= 1'b0;
    end else if (followed) begin
      age   <= age + 1'b1;
      acked <= acked || (tried && ack_ok);
    end
    tried <= followed && ack_valid && ack_ptr == place && age <= {1'b0, any_span};
    if (out_valid && out_idx == place[IDX_W-1:0] && age == {1'b0, any_span} + (TIME_W+1)'(2)) begin
      followed <= 1'b0;
    end
    if (rst) begin
      swept    <= '0;
      pushed   <= 1'b0;
      followed <= 1'b0;
      tried    <= 1'b0;
    end
  end

  `PROPERTY(leaves_at_its_time, followed && age == {1'b0, any_span} + (TIME_W+1)'(2),
    out_valid && out_idx == place[IDX_W-1:0] && out_data == data)
  `PROPERTY(leaves_at_no_other_time, followed && out_valid && out_idx == place[IDX_W-1:0], age == {1'b0, any_span} + (TIME_W+1)'(2))
  `PROPERTY(acknowledged_in_time, followed && age == {1'b0, any_span} + (TIME_W+1)'(2), out_acked == acked)
  `PROPERTY(acknowledged_once, followed && tried && ack_ok, ack_hit == !acked)
