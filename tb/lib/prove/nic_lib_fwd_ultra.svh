  // What the RAM gives of a word that is read as it is written is not taken.
  logic [LATENCY-1:0] collided;

  always_ff @(posedge clk) begin
    collided <= LATENCY'({collided, wr_en && wr_addr == rd_addr});
    if (rst) begin
      collided <= '0;
    end
  end

  `PROPERTY(collision_is_forwarded, collided[LATENCY-1], hit_q || older_hit)

