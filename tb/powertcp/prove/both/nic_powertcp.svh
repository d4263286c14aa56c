
  `AFTER_REGISTERED_RESET

  localparam int unsigned THETA_W = 1; // bits that say of which algorithm an ACK is

  logic one; // an ACK has one beat, whatever its hops: one of θ-PowerTCP

  assign one = s_ack_theta;
