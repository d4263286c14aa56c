  // All packets as a sorted list that needs no sorting: what was sent a span ago is released, with
  // the acknowledgements of its place up to then.
  `AFTER_RESET

  localparam int unsigned SPAN = 5;

  // After the reset rows are cleared; then packets may be sent, two cycles apart. Time goes on.
  logic [ROW_W:0]    swept;
  logic [TIME_W-1:0] time_now;
  logic              sent_q;

  always_comb assume (span == TIME_W'(SPAN));
  always_comb assume (clear == !swept[ROW_W] && clear_row == swept[ROW_W-1:0]);
  always_comb assume (now == time_now);
  always_comb assume (!push || (swept[ROW_W] && !sent_q));
  always_comb assume (!ack_valid || swept[ROW_W]);
  always_comb assume (EARLY || !hold);

  // By the cycles since they were sent: whether one was, its place and contents, and whether it
  // is acknowledged; p1_its tells that one was acknowledged in the cycle before, if ack_ok.
  localparam int unsigned N = SPAN + 2;

  logic [N:1]           was;
  logic [N*PTR_W-1:0]   place;
  logic [N*WIDTH-1:0]   data;
  logic [N:1]           acked, acked_now;
  logic [N:1]           its;
  logic [PTR_W-1:0]     next_place;

  always_comb begin
    for (int unsigned i = 1; i <= N; i++) begin
      acked_now[i] = acked[i] || (its[i] && ack_ok);
    end
  end

  always_ff @(posedge clk) begin
    time_now   <= time_now + 1'b1;
    sent_q     <= push;
    next_place <= next_place + PTR_W'(push);
    if (!swept[ROW_W]) begin
      swept <= swept + 1'b1;
    end
    was   <= {was[N-1:1], push};
    place <= {place[(N-1)*PTR_W-1:0], next_place};
    data  <= {data[(N-1)*WIDTH-1:0], push_data};
    acked <= {acked_now[N-1:1], 1'b0};
    its   <= '0;
    for (int unsigned i = 1; i <= SPAN; i++) begin
      its[i+1] <= was[i] && ack_valid && ack_ptr == place[(i-1)*PTR_W +: PTR_W];
    end
    if (rst) begin
      swept      <= '0;
      sent_q     <= 1'b0;
      was        <= '0;
      its        <= '0;
      next_place <= '0;
    end
  end

  `PROPERTY(leaves_at_its_time, was[N], out_valid && out_idx == place[(N-1)*PTR_W +: IDX_W] && out_data == data[(N-1)*WIDTH +: WIDTH])
  `PROPERTY(leaves_at_no_other_time, out_valid, was[N])
  `PROPERTY(acknowledged_in_time, was[N], out_acked == acked[N])
  `PROPERTY(acknowledged_once, ack_hit, its != '0 && (its & acked) == '0)
