
  localparam int unsigned LATENCY = 62 + RAM_LATENCY; // cycles from the last beat to the window
