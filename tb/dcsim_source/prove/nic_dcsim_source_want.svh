  // n_SIM and n_DATA of a flow, any one, counted apart. The lane sees neither, and nothing of
  // SIM-ACKs: it keeps their difference.
  `AFTER_RESET
  `ANY(FLOW_W, flow)

  localparam int unsigned FLOWS = (FLOW_W > 2) ? 4 : 1 << FLOW_W;  // it is 1 or 2 here
  localparam int unsigned POS_W = FLOW_W + 1;

  // The most SIMs and copies of a flow for which its count never overflows, whatever comes.
  localparam int unsigned MOST = (1 << (WANT_W - 1)) + 1 - (1 << COUNT_W);

  // After the reset the counts are cleared, then events may come.
  logic [FLOW_W:0] swept;

  always_comb assume (clear == !swept[FLOW_W] && clear_flow == swept[FLOW_W-1:0]);
  always_comb assume (swept[FLOW_W] || !(late_valid || again_valid || data_valid));
  always_comb assume (data_count != '0);

  // What the flow's counts see of the event that was chosen in the cycle before, with what the
  // network does: a SIM-ACK, and a DATA-ACK. There is a SIM for each SIM-ACK and timeout, and a
  // DATA that was sent for each DATA-ACK and timeout.
  logic              w1_late, w1_again;
  logic              its_serve, its_late, its_again, its_data;
  logic              sim_ack, data_ack;
  logic [WANT_W+1:0] n_sim, n_data, copies;

  assign its_serve = w1_serve_q && w1_flow_q == flow;
  assign its_late  = w1_late && w1_flow_q == flow;
  assign its_again = w1_again && w1_flow_q == flow;
  assign its_data  = w1_data_q && !w1_refused && w1_flow_q == flow;

  always_comb assume (n_sim >= (WANT_W+2)'(its_late) + (WANT_W+2)'(sim_ack));
  always_comb assume (copies >= (WANT_W+2)'(its_again) + (WANT_W+2)'(data_ack));
  always_comb assume (!its_serve || 32'(n_sim) + 32'(copies) < MOST);

  // The counts of other flows do not overflow before: it is shown of this one, and it is any.
  always_comb assume (!(w1_late || w1_again) || w1_flow_q == flow || w1_want != '1);

  always_ff @(posedge clk) begin
    w1_late  <= late_valid;
    w1_again <= again_valid && again_ready;
    n_sim    <= n_sim + (WANT_W+2)'(its_serve) - (WANT_W+2)'(its_late) - (WANT_W+2)'(sim_ack);
    n_data   <= n_data + (its_data ? (WANT_W+2)'(w1_count_q) : '0) + (WANT_W+2)'(its_again) - (WANT_W+2)'(sim_ack);
    copies   <= copies + (WANT_W+2)'(sim_ack) - (WANT_W+2)'(its_again) - (WANT_W+2)'(data_ack);
    if (!swept[FLOW_W]) begin
      swept <= swept + 1'b1;
    end
    if (rst) begin
      swept    <= '0;
      w1_late  <= 1'b0;
      w1_again <= 1'b0;
      n_sim    <= '0;
      n_data   <= '0;
      copies   <= '0;
    end
  end

  // The count of each flow, and its places in the list, by the memories.
  (* hierconn *) logic [FLOWS*WANT_W-1:0] \wants.words ;
  (* hierconn *) logic [FLOW_W-1:0]       \wants.rd_addr_q ;
  (* hierconn *) logic [FLOWS*FLOW_W-1:0] \list.g_lut.words.words ;
  (* hierconn *) logic [POS_W-1:0]        \list.tail_q ;
  (* hierconn *) logic [POS_W-1:0]        \list.read_q ;
  (* hierconn *) logic [POS_W-1:0]        \list.head_q ;
  (* hierconn *) logic                    \list.valid_q ;
  (* hierconn *) logic                    \list.written_q ;
  (* hierconn *) logic [FLOW_W-1:0]       \list.data_q ;
  (* hierconn *) logic [FLOW_W-1:0]       \list.word ;

  logic [FLOWS*WANT_W-1:0] wants_mem;
  logic [FLOWS*FLOW_W-1:0] list_mem;
  logic [FLOW_W-1:0]       read_addr, list_data, list_word;
  logic [POS_W-1:0]        list_tail, list_read, list_head, listed;
  logic                    list_any, list_written;
  logic [POS_W-1:0]        unread;
  logic                    joined;  // in the cycle before

  assign wants_mem    = \wants.words ;
  assign read_addr    = \wants.rd_addr_q ;
  assign list_mem     = \list.g_lut.words.words ;
  assign list_tail    = \list.tail_q ;
  assign list_read    = \list.read_q ;
  assign list_head    = \list.head_q ;
  assign list_any     = \list.valid_q ;
  assign list_written = \list.written_q ;
  assign list_data    = \list.data_q ;
  assign list_word    = \list.word ;
  assign listed       = list_tail - list_head;
  assign unread       = list_tail - list_read;

  always_ff @(posedge clk) begin
    joined <= w2_join_q && !rst;
  end

  // A flow is listed once if its count is above 0, and else not at all: in the list, on its way to
  // it, or being served.
  logic [FLOWS-1:0] once, clean;

  for (genvar f = 0; f < FLOWS; f++) begin : g_flow
    logic [FLOWS-1:0] at;       // the places in the list, from its head on
    logic             cleared;
    logic             wanted;
    logic [POS_W:0]   times;

    always_comb begin
      times = (POS_W+1)'(w2_join_q && w2_flow_q == FLOW_W'(f)) + (POS_W+1)'(w1_serve_q && w1_flow_q == FLOW_W'(f));
      for (int unsigned i = 0; i < FLOWS; i++) begin
        at[i] = i < 32'(listed) && list_mem[32'(FLOW_W'(32'(list_head) + i))*FLOW_W +: FLOW_W] == FLOW_W'(f);
        times = times + (POS_W+1)'(at[i]);
      end
    end

    assign cleared = f < 32'(swept);
    assign wanted  = cleared && wants_mem[f*WANT_W +: WANT_W] != '0;
    assign once[f]  = times == (POS_W+1)'(wanted);
    assign clean[f] = swept[FLOW_W] || !wanted;
  end

  `LEMMA(listed_once, once == '1)
  `LEMMA(cleared_to_none, clean == '1)

  logic [WANT_W-1:0] kept;

  assign kept = wants_mem[32'(flow)*WANT_W +: WANT_W];

  `LEMMA(swept_in_order, !swept[FLOW_W] || swept[FLOW_W-1:0] == '0)
  `LEMMA(one_event, 32'(w1_late) + 32'(w1_again) + 32'(w1_serve_q) == 32'(w1_back_q) && !(w1_back_q && w1_data_q))
  `LEMMA(count_of_one, !w1_back_q || w1_count_q == COUNT_W'(1))
  `LEMMA(no_event_in_sweep, swept[FLOW_W] || !(w1_back_q || w1_data_q || w2_join_q || joined))
  `LEMMA(nothing_in_sweep, swept[FLOW_W] || (n_sim == '0 && n_data == '0 && copies == '0))
  `LEMMA(reads_its_count, !(w1_back_q || w1_data_q) || read_addr == w1_flow_q)
  `LEMMA(list_fits, 32'(unread) + 32'(list_any) <= FLOWS)
  `LEMMA(head_before_read, list_read == list_head + POS_W'(list_any))
  `LEMMA(read_is_written, list_written == (list_tail - POS_W'(joined) != list_read))
  `LEMMA(joined_is_there, !joined || list_tail != list_read)
  `LEMMA(head_in_memory, !list_any || list_data == list_mem[32'(list_head[FLOW_W-1:0])*FLOW_W +: FLOW_W])
  `LEMMA(next_in_memory, !list_written || list_word == list_mem[32'(list_read[FLOW_W-1:0])*FLOW_W +: FLOW_W])
  `LEMMA(sims_and_copies_fit, 32'(n_sim) + 32'(copies) <= MOST)
  `LEMMA(datas_and_copies_fit, 32'(n_data) + 32'(copies) < (1 << WANT_W))

  `PROPERTY(difference_is_kept, swept[FLOW_W], (WANT_W+2)'(kept) + n_sim == n_data)
  `PROPERTY(never_more_sims, n_sim != '0, n_sim <= n_data)
  `PROPERTY(one_less_at_enqueue, its_serve, n_sim < n_data)
  `PROPERTY(wanting_is_in_turn, n_sim < n_data, its_serve || (w2_join_q && w2_flow_q == flow) || listed != '0)
