
  `AFTER_REGISTERED_RESET

  localparam int unsigned THETA_W = 0; // bits that say of which algorithm an ACK is

  logic one; // an ACK has one beat, whatever its hops

  assign one = 1'b0;
