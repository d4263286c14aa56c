  // What the memories hold of a connection; all in block RAM.
  (* hierconn *) logic [CONNECTIONS*ACK_W-1:0]                      \lanes.memories.ack_to_ack.ram.words ;
  (* hierconn *) logic [CONNECTIONS*(ACK_W+2)-1:0]                  \lanes.memories.ack_to_send.ram.words ;
  (* hierconn *) logic [CONNECTIONS*2-1:0]                          \lanes.memories.ack_flags.own_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS*2-1:0]                          \lanes.memories.ack_flags.other_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS*SEND_W-1:0]                     \lanes.memories.send_to_send.ram.words ;
  (* hierconn *) logic [CONNECTIONS*(SHARED_W+1)-1:0]               \lanes.memories.send_to_ack.ram.words ;
  (* hierconn *) logic [CONNECTIONS-1:0]                            \lanes.memories.send_flag.own_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS-1:0]                            \lanes.memories.send_flag.other_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS-1:0]                            \lanes.memories.fail_flag.own_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS-1:0]                            \lanes.memories.fail_flag.other_copy.ram.words ;
  (* hierconn *) logic [CONNECTIONS*(TIMER_BITS+1)-1:0]             \lanes.memories.fail_to_ack.ram.words ;
  (* hierconn *) logic [CONNECTIONS*BUFFER_DEPTH*EVS_BITS-1:0]      \answer.ring.words ;

  logic [ACK_W-1:0]                 of_ack_ack;
  logic [ACK_W+1:0]                 of_ack_send;
  logic [1:0]                       of_flags_own, of_flags_other;
  logic [SEND_W-1:0]                of_send_send;
  logic [SHARED_W:0]                of_send_ack;
  logic                             of_send_own, of_send_other;
  logic                             of_fail_own, of_fail_other;
  logic [TIMER_BITS:0]              of_fail_ack;
  logic [BUFFER_DEPTH*EVS_BITS-1:0] of_ring;

  assign of_ack_ack     = \lanes.memories.ack_to_ack.ram.words [conn*ACK_W +: ACK_W];
  assign of_ack_send    = \lanes.memories.ack_to_send.ram.words [conn*(ACK_W+2) +: ACK_W+2];
  assign of_flags_own   = \lanes.memories.ack_flags.own_copy.ram.words [conn*2 +: 2];
  assign of_flags_other = \lanes.memories.ack_flags.other_copy.ram.words [conn*2 +: 2];
  assign of_send_send   = \lanes.memories.send_to_send.ram.words [conn*SEND_W +: SEND_W];
  assign of_send_ack    = \lanes.memories.send_to_ack.ram.words [conn*(SHARED_W+1) +: SHARED_W+1];
  assign of_send_own    = \lanes.memories.send_flag.own_copy.ram.words [conn];
  assign of_send_other  = \lanes.memories.send_flag.other_copy.ram.words [conn];
  assign of_fail_own    = \lanes.memories.fail_flag.own_copy.ram.words [conn];
  assign of_fail_other  = \lanes.memories.fail_flag.other_copy.ram.words [conn];
  assign of_fail_ack    = \lanes.memories.fail_to_ack.ram.words [conn*(TIMER_BITS+1) +: TIMER_BITS+1];
  assign of_ring        = \answer.ring.words [conn*(BUFFER_DEPTH*EVS_BITS) +: BUFFER_DEPTH*EVS_BITS];

