
  localparam int unsigned LATENCY = 63; // cycles from the last beat to the window
