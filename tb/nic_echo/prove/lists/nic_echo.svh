  // The lists, as their own text states them.
  `AFTER_REGISTERED_RESET

  (* hierconn *) logic \lists.list_as_received_when ;
  (* hierconn *) logic \lists.list_as_received_ok ;
  (* hierconn *) logic \lists.newest_is_last_when ;
  (* hierconn *) logic \lists.newest_is_last_ok ;
  (* hierconn *) logic \lists.older_is_before_when ;
  (* hierconn *) logic \lists.older_is_before_ok ;
  (* hierconn *) logic \lists.feedback_stands_when ;
  (* hierconn *) logic \lists.feedback_stands_ok ;
  (* hierconn *) logic \lists.lost_only_when_full_when ;
  (* hierconn *) logic \lists.lost_only_when_full_ok ;
  (* hierconn *) logic \lists.full_is_told_when ;
  (* hierconn *) logic \lists.full_is_told_ok ;

  logic [5:0] so, ok;

  assign so = {\lists.full_is_told_when ,
               \lists.lost_only_when_full_when ,
               \lists.feedback_stands_when ,
               \lists.older_is_before_when ,
               \lists.newest_is_last_when ,
               \lists.list_as_received_when };
  assign ok = {\lists.full_is_told_ok ,
               \lists.lost_only_when_full_ok ,
               \lists.feedback_stands_ok ,
               \lists.older_is_before_ok ,
               \lists.newest_is_last_ok ,
               \lists.list_as_received_ok };

  `PROPERTY(list_as_received, so[0], ok[0])
  `PROPERTY(newest_is_last, so[1], ok[1])
  `PROPERTY(older_is_before, so[2], ok[2])
  `PROPERTY(feedback_stands, so[3], ok[3])
  `PROPERTY(lost_only_when_full, so[4], ok[4])
  `PROPERTY(full_is_told, so[5], ok[5])
