
  localparam int unsigned LATENCY = 61 + RAM_LATENCY; // cycles from the ACK to the window
