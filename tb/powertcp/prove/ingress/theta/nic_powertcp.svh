
  localparam int unsigned LATENCY = 62; // cycles from the ACK to the window
