
  // Of up to 4 paths. Two of them, any ones, and what the tree of sums holds: level 0 are the weights, level
  // LEVELS is their sum. Entry g of level l is of stage 5 + l.
  localparam int unsigned LEVELS = $clog2(LEAVES);
  localparam int unsigned LAST   = 7 + 2 * LEVELS; // the stage of index
  localparam int unsigned AGES   = LAST - 4;       // from stage 5 on
  localparam int unsigned SUM_W  = W + LEVELS;
  localparam int unsigned SUMS_W = (LEVELS + 1) * LEAVES * SUM_W;

  `ANY(LEVELS, any)
  `ANY(LEVELS, pick)

  logic [SUMS_W-1:0]            sums;
  logic [(AGES-1)*SUMS_W-1:0]   sums_q;
  logic [AGES*SUMS_W-1:0]       past; // entry j: of j cycles ago

  assign past = {sums_q, sums};

  always_ff @(posedge clk) begin
    sums_q <= past[0 +: (AGES-1)*SUMS_W];
  end

  for (genvar g = 0; g < LEAVES; g++) begin : g_sums_0
    assign sums[g*SUM_W +: SUM_W] = SUM_W'(p5_sum_q[W*g +: W]);
  end

`define LEVEL(level, name) \
  if (LEVELS >= level) begin : g_sums_``level \
    for (genvar g = 0; g < LEAVES; g++) begin : g_entry \
      if (g < LEAVES >> level) begin : g_sum \
        assign sums[(level*LEAVES+g)*SUM_W +: SUM_W] = SUM_W'(name[(W+level)*g +: W+level]); \
      end else begin : g_none \
        assign sums[(level*LEAVES+g)*SUM_W +: SUM_W] = '0; \
      end \
    end \
  end

  `LEVEL(1, p6_sum_q)
  `LEVEL(2, p7_sum_q)

  // Entry g of a level, age cycles ago; all three are constants, so no multiplier is needed.
`define SUM(level, age, g) past[(((age) * (LEVELS + 1) + (level)) * LEAVES + (g)) * SUM_W +: SUM_W]

  // Bit s is about what is in stage s.
  logic [LAST:0] tree_holds;               // each sum is that of two of the level below
  logic [LAST:0] pick_weighs;              // pick has a weight
  logic [LAST:0] all_weigh;                // the sum is not 0
  logic          any_not_below;            // in stage 5: the weight of any is not below that of pick

  logic [SUM_W-1:0] weight_any, weight_pick;

  always_comb begin
    tree_holds = '1;
    for (int unsigned l = 1; l <= LEVELS; l++) begin
      for (int unsigned s = 5 + l; s <= LAST; s++) begin
        for (int unsigned g = 0; g < LEAVES >> l; g++) begin
          if (`SUM(l, s - 5 - l, g) != `SUM(l - 1, s - 4 - l, 2 * g) + `SUM(l - 1, s - 4 - l, 2 * g + 1)) begin
            tree_holds[s] = 1'b0;
          end
        end
      end
    end
    weight_any  = '0;
    weight_pick = '0;
    pick_weighs = '0;
    for (int unsigned g = 0; g < LEAVES; g++) begin
      if (g == 32'(any)) begin
        weight_any = `SUM(0, 0, g);
      end
      if (g == 32'(pick)) begin
        weight_pick = `SUM(0, 0, g);
        for (int unsigned s = 5; s <= LAST; s++) begin
          pick_weighs[s] = `SUM(0, s - 5, g) != '0;
        end
      end
    end
    all_weigh = '0;
    for (int unsigned s = 5 + LEVELS; s <= LAST; s++) begin
      all_weigh[s] = `SUM(LEVELS, s - 5 - LEVELS, 0) != '0;
    end
  end

  assign any_not_below = weight_any >= weight_pick;

  // The threshold, and what is left of it on the way down the tree: bit or entry i is of
  // stage 7 + LEVELS + i, where a subtree is reached that has node's number in its level.
  logic [SUM_W-1:0]              threshold;
  logic [LEVELS*SUM_W-1:0]       threshold_q;
  logic [(LEVELS+1)*SUM_W-1:0]   thresholds;
  logic [LEVELS*SUM_W-1:0]       rest;
  logic [LEVELS*LEVELS-1:0]      node;
  logic                          low_below, high_below; // the products, in stage 6 + LEVELS
  logic [LEVELS-1:0]             rest_below, rest_holds;
  logic                          in_path;               // the answer: the threshold lies in the path

  assign thresholds = {threshold_q, threshold};
  assign threshold  = rest[0 +: SUM_W];

  always_ff @(posedge clk) begin
    threshold_q <= thresholds[0 +: LEVELS*SUM_W];
  end

`define PRODUCTS(low, high) \
  assign low_below  = low[SUM_W+16:17] < `SUM(LEVELS, 1, 0); \
  assign high_below = {1'b0, high} + (SUM_W+8)'(`SUM(LEVELS, 1, 0)) <= {1'b0, `SUM(LEVELS, 1, 0), 7'd0};

`define REST(i, left, number) \
  assign rest[i*SUM_W +: SUM_W]   = SUM_W'(left); \
  assign node[i*LEVELS +: LEVELS] = LEVELS'(number);

  if (LEVELS == 1) begin : g_one
    `PRODUCTS(p7_low_q, p7_high_q)
    `REST(0, p8_rest_q, 1'b0)
  end else begin : g_two
    `PRODUCTS(p8_low_q, p8_high_q)
    `REST(0, p9_rest_q, 1'b0)
    `REST(1, p10_rest_q, p10_path_q)
  end

  // The weights of the paths below a number, by going through them, and what stands at it.
  logic [SUM_W-1:0] before, at;

  always_comb begin
    for (int unsigned i = 0; i < LEVELS; i++) begin
      before = '0;
      at     = '0;
      for (int unsigned g = 0; g < LEAVES; g++) begin
        if (g < (32'(node[i*LEVELS +: LEVELS]) << (LEVELS - i))) begin
          before = before + `SUM(0, 2 + LEVELS + i, g);
        end
        if (g == 32'(node[i*LEVELS +: LEVELS])) begin
          at = `SUM(LEVELS - i, 2 + 2 * i, g);
        end
      end
      rest_below[i] = rest[i*SUM_W +: SUM_W] < at;
      rest_holds[i] = thresholds[i*SUM_W +: SUM_W] == before + rest[i*SUM_W +: SUM_W];
    end
    before = '0;
    at     = '0;
    for (int unsigned g = 0; g < LEAVES; g++) begin
      if (g < 32'(index)) begin
        before = before + `SUM(0, 2 + 2 * LEVELS, g);
      end
      if (g == 32'(index)) begin
        at = `SUM(0, 2 + 2 * LEVELS, g);
      end
    end
    in_path = before <= thresholds[LEVELS*SUM_W +: SUM_W] && thresholds[LEVELS*SUM_W +: SUM_W] - before < at;
  end
