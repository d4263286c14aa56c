  // The visits of one flow, any one. DATAs come at any time; after a reset the pointers are
  // cleared by what visits write. recorded and made count DATAs modulo 2^PTR_W.
  `AFTER_RESET
  `ANY(FLOW_W, flow)

  always_comb assume (32'(flow) < FLOWS);

  logic [PTR_W-1:0] recorded, made;
  logic             its_start, its_tail;
  logic             tail_done, head_done, loaded, taken;  // after a reset

  assign its_tail  = tail_wr && tail_row == flow && ready_q;
  assign its_start = start_valid && start_ready && start_flow == flow;

  always_comb assume (ready_q || (tail_wr && tail_row == head_row && tail_word == '0));
  always_comb assume (!its_tail || (tail_word == recorded + 1'b1 && 32'(PTR_W'(recorded - made)) < 32));

  always_ff @(posedge clk) begin
    recorded  <= recorded + PTR_W'(its_tail);
    made      <= made + (its_start ? PTR_W'(start_left) + 1'b1 : '0);
    tail_done <= tail_done || (!ready_q && head_row == flow);
    head_done <= head_done || (head_wr && head_row == flow);
    loaded    <= loaded || (step && !use_bell && scan_q == flow);
    taken     <= taken || (step && a_flow_q == flow && loaded);
    if (!ready_q || rst) begin
      recorded <= '0;
      made     <= '0;
    end
    if (rst) begin
      tail_done <= 1'b0;
      head_done <= 1'b0;
      loaded    <= 1'b0;
      taken     <= 1'b0;
    end
  end

  (* hierconn *) logic [(1<<FLOW_W)*PTR_W-1:0]           \tails.words ;
  (* hierconn *) logic [(1<<FLOW_W)*(STAMP_W+PTR_W)-1:0] \heads.words ;
  (* hierconn *) logic [FLOW_W-1:0]                      \tails.rd_addr_q ;
  (* hierconn *) logic [FLOW_W-1:0]                      \heads.rd_addr_q ;
  logic [PTR_W-1:0]         tail_of;
  logic [PTR_W+STAMP_W-1:0] head_of;
  logic                     deciding;   // on the flow

  assign tail_of  = \tails.words [flow*PTR_W +: PTR_W];
  assign head_of  = \heads.words [flow*(STAMP_W+PTR_W) +: STAMP_W+PTR_W];
  assign deciding = decide && ready_q && d_flow_q == flow;

  `LEMMA(phases, 32'(phase_q) <= RAM_LATENCY)
  `LEMMA(address, phase_q == 2'd0 || ( \tails.rd_addr_q == a_flow_q && \heads.rd_addr_q == a_flow_q))
  `LEMMA(scan_range, 32'(scan_q) < FLOWS)
  `LEMMA(lapped, !(lapped_q || 32'(scan_q) > 32'(flow)) || loaded)
  `LEMMA(read, !loaded || a_flow_q == flow || taken)
  `LEMMA(last, !last_q || taken)
  `LEMMA(done, !taken || (tail_done && head_done) || (d_flow_q == flow && decide))
  `LEMMA(cleared, !(cleared_q || ready_q) || (tail_done && head_done))
  `LEMMA(order, (!ready_q || (cleared_q && last_q && lapped_q)) && (!cleared_q || last_q) && (!last_q || lapped_q))
  `LEMMA(clear_zero, ready_q || (recorded == '0 && made == '0 && d_wait_q == '0 && d_tail_q == '0))
  `LEMMA(tail_there, !tail_done || tail_of == recorded)
  `LEMMA(head_there, !head_done || head_of[PTR_W-1:0] == made)
  `LEMMA(in_range, 32'(PTR_W'(recorded - made)) <= 32)
  `LEMMA(decided_on, !deciding || (d_wait_q == '0 && d_tail_q == '0 && recorded == '0 && made == '0) ||
    (d_wait_q == PTR_W'(d_tail_q - made) && d_head_q == made && PTR_W'(d_tail_q - made) <= PTR_W'(recorded - made)) )

  `PROPERTY(begins_at_the_first, its_start, start_place == made)
  `PROPERTY(only_what_waits, its_start, 32'(start_left) < 32'(PTR_W'(recorded - made)))
  `PROPERTY(at_most_16, start_valid, 32'(start_left) == ((32'(d_wait_q) > 16) ? 15 : 32'(d_wait_q) - 1))
  `PROPERTY(enough_or_over, start_valid, start_timed ? d_over_q : 32'(start_left) >= 32'(every))

  // Time. past counts advances of the count since the flow was read; waits_for those since one
  // DATA came, any one, while it waits, up to 8. rest: the last visit left some of more than 16.
  logic               mark, marked, gone, inside, rest, takes, reads, before;
  logic [PTR_W-1:0]   number, behind;
  logic [4:0]         past;
  logic [3:0]         waits_for, looked_for;  // looked_for: when the flow was read
  logic [STAMP_W-1:0] age;

  assign inside = marked && !gone;
  assign behind = number - made;
  assign takes  = its_start && behind <= PTR_W'(start_left);
  assign reads  = step && a_flow_q == flow;
  assign age    = count_q - head_of[STAMP_W+PTR_W-1:PTR_W];
  // The scan has the flow still before it in this lap.
  assign before = a_flow_q == flow || (32'(scan_q) <= 32'(flow) && 32'(flow) != FLOWS - 1);

  always_ff @(posedge clk) begin
    past <= (reads ? 5'd0 : past) + 5'(advance);
    if (inside && !waits_for[3]) begin
      waits_for <= waits_for + 4'(advance);
    end
    if (reads) begin
      looked_for <= inside ? waits_for : '0;
    end
    if (its_tail && mark && !marked) begin
      marked     <= 1'b1;
      number     <= recorded;
      waits_for  <= '0;
      looked_for <= '0;
    end
    if (inside && takes) begin
      gone <= 1'b1;
    end
    if (head_wr && head_row == flow) begin
      rest <= !all;
    end
    if (!ready_q || rst) begin
      past   <= '0;
      marked <= 1'b0;
      gone   <= 1'b0;
      rest   <= 1'b0;
    end
  end

  logic waiting, calm, left_over, decided;

  assign waiting   = recorded != made;
  // As it is unless more than 16 waited, and after that.
  assign calm      = !rest && 32'(age) <= 7 + 32'(past) && (!inside || 32'(waits_for) <= 32'(age));
  assign left_over = rest && 32'(age) == 16 + 32'(past);
  assign decided   = head_wr && head_row == flow && ready_q;

  `LEMMA(marked_range, !inside || (behind < PTR_W'(recorded - made)))
  `LEMMA(gone_after, !gone || marked)
  `LEMMA(past_range, before ? 32'(past) <= 7 + 32'(ticked_q) : 32'(past) <= 32'(ticked_q))
  `LEMMA(first_count, !cleared_q || ready_q || count_q == '0)
  `LEMMA(count_in_clear, ready_q || (count_q == '0 && ticked_q == '0 && d_count_q == '0))
  `LEMMA(stamp_in_clear, !head_done || ready_q || head_of[STAMP_W+PTR_W-1:PTR_W] == '0)
  `LEMMA(count_as_read, !deciding || 32'(STAMP_W'(count_q - d_count_q)) == 32'(past))
  `LEMMA(came_since, !deciding || !inside || behind < d_wait_q || 32'(waits_for) <= 32'(past))
  `LEMMA(time_of_waiting, !ready_q || deciding || calm || left_over)
  `LEMMA(time_of_decided, !deciding || d_over_q || calm)
  `LEMMA(time_when_read, !deciding || !inside || !looked_for[3] || d_over_q)
  `LEMMA(looked, !inside || looked_for <= waits_for)
  `LEMMA(seen, !deciding || !inside || !looked_for[3] || behind < d_wait_q)
  `LEMMA(rest_waits, !rest || waiting)
  `LEMMA(rest_decided, !deciding || !rest || (d_over_q && d_wait_q != '0))

  `PROPERTY(each_flow_each_lap, 1'b1, past <= 5'd14)
  `PROPERTY(acknowledged_in_time, deciding && !waits && inside && looked_for[3],
    takes || (its_start && behind >= PTR_W'(16)))
  `PROPERTY(rest_next, deciding && rest, start_valid)
