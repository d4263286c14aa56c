  // LUT RAM reads in one cycle.
  localparam int unsigned LATENCY = 1;

