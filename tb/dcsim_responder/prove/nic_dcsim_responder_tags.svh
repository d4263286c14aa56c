  // The tags of one flow, any one: numbers modulo 2^PTR_W of those that were recorded, made part of a
  // DATA-ACK, and read. After a reset pointers are cleared as visits do it.
  `AFTER_RESET
  `ANY(FLOW_W, flow)

  localparam int unsigned PLACES = 1 << PLACE_W;

  logic [PTR_W-1:0]  recorded, made, left;
  logic [FLOW_W-1:0] flow_1;
  logic              rst_1, clear_1, tail_done, read_done;
  logic              its_take, its_go, its_start;

  assign its_take  = take && pd_flow == flow;
  assign its_go    = go && now_flow_q == flow;
  assign its_start = start_valid && start_ready && start_flow == flow;

  always_comb assume (!p1_data || (p1_flow == flow_1 && !clear && !rst && !rst_1));
  always_comb assume (!rst_1 || clear);
  always_comb assume (rst_1 || clear_1 || !clear);
  always_comb assume (clear || rst || (tail_done && read_done));
  always_comb assume (!start_valid || (!clear && !rst && (start_flow != flow ||
    (start_place == made && PTR_W'(start_left) < PTR_W'(recorded - made)))));

  always_ff @(posedge clk) begin
    flow_1    <= p0_flow;
    rst_1     <= rst;
    clear_1   <= clear;
    recorded  <= recorded + PTR_W'(its_take);
    left      <= left + PTR_W'(its_go);
    made      <= made + (its_start ? PTR_W'(start_left) + 1'b1 : '0);
    tail_done <= tail_done || (clear && head_row == flow);
    read_done <= read_done || (clear && now_flow_q == flow);
    if (clear || rst) begin
      recorded <= '0;
      left     <= '0;
      made     <= '0;
    end
    if (rst) begin
      tail_done <= 1'b0;
      read_done <= 1'b0;
    end
  end

  // One DATA of it, the first one that is recorded when mark is high.
  logic             mark;
  logic             marked, gone, fresh, its_1;
  logic [PTR_W-1:0] number;
  logic [TAG_W-1:0] its_tag;
  logic             inside;

  assign inside = marked && !gone;

  always_ff @(posedge clk) begin
    fresh <= 1'b0;
    its_1 <= inside && its_go && left == number;
    if (its_take && mark && !marked) begin
      marked  <= 1'b1;
      fresh   <= 1'b1;
      number  <= recorded;
      its_tag <= pd_tag;
    end
    if (inside && its_go && left == number) begin
      gone <= 1'b1;
    end
    if (clear || rst) begin
      marked <= 1'b0;
      gone   <= 1'b0;
      fresh  <= 1'b0;
      its_1  <= 1'b0;
    end
  end

  (* hierconn *) logic [(1<<FLOW_W)*PTR_W-1:0]                \tails.words ;
  (* hierconn *) logic [(1<<FLOW_W)*PTR_W-1:0]                \reads.words ;
  (* hierconn *) logic [(1<<(FLOW_W+PLACE_W))*TAG_W-1:0]      \tags.words ;
  (* hierconn *) logic [FLOW_W-1:0]                           \tails.rd_addr_q ;
  (* hierconn *) logic [FLOW_W-1:0]                           \reads.rd_addr_q ;
  (* hierconn *) logic [OUT_CNT-1:0]                          \outs.words.wr_q ;
  (* hierconn *) logic [OUT_CNT-1:0]                          \outs.words.rd_q ;
  logic [PTR_W-1:0]          tail_word_of, read_word_of, now_n, next_n;
  logic [FLOW_W+PLACE_W-1:0] row;
  logic [TAG_W-1:0]          tag_of;

  assign tail_word_of = \tails.words [flow*PTR_W +: PTR_W];
  assign read_word_of = \reads.words [flow*PTR_W +: PTR_W];
  assign row          = {flow, number[PLACE_W-1:0]};
  assign tag_of       = \tags.words [row*TAG_W +: TAG_W];
  assign now_n        = (now_q && now_flow_q == flow) ? PTR_W'(now_left_q) + 1'b1 : '0;
  assign next_n       = (next_q && next_flow_q == flow) ? PTR_W'(next_left_q) + 1'b1 : '0;

  `LEMMA(tail_there, !tail_done || tail_word_of == recorded)
  `LEMMA(read_there, !read_done || read_word_of == left)
  `LEMMA(clear_idle, !clear || (!now_q && !next_q && now_place_q == '1) || rst_1)
  `LEMMA(reset_idle, !rst_1 || (!now_q && !next_q && now_place_q == '1))
  `LEMMA(clear_zero, !clear || rst_1 || (recorded == '0 && left == '0 && made == '0))
  `LEMMA(reset_zero, !rst_1 || (recorded == '0 && left == '0 && made == '0 && !marked && !gone && !fresh && !its_1))
  `LEMMA(address, !p1_data || ( \tails.rd_addr_q == p1_flow && \reads.rd_addr_q == p1_flow))
  `LEMMA(address_1, rst_1 || ( \tails.rd_addr_q == flow_1 && \reads.rd_addr_q == flow_1))
  `LEMMA(in_range, 32'(PTR_W'(recorded - left)) <= PLACES && PTR_W'(made - left) <= PTR_W'(recorded - left))
  `LEMMA(sender, PTR_W'(made - left) == PTR_W'(now_n + next_n))
  `LEMMA(sender_sum, 32'(now_n) + 32'(next_n) <= PLACES)
  `LEMMA(now_place, now_n == '0 || now_place_q == left)
  `LEMMA(next_place, next_n == '0 || next_place_q == PTR_W'(left + now_n))
  `LEMMA(no_take_in_clear, !(clear || rst_1) || !pe_take_q || rst_1)
  `LEMMA(pe_place, !pe_take_q || pe_flow_q != flow || pe_place_q == PLACE_W'(recorded - 1'b1))
  `LEMMA(gone_after, (!gone || marked) && (!fresh || inside) && (!its_1 || gone))
  `LEMMA(its_range, !inside || PTR_W'(number - left) < PTR_W'(recorded - left))
  `LEMMA(its_fresh, !fresh || (pe_take_q && pe_flow_q == flow && pe_tag_q == its_tag && number == PTR_W'(recorded - 1'b1) &&
    PTR_W'(number - left) >= PTR_W'(made - left)))
  `LEMMA(its_tag_there, !inside || fresh || tag_of == its_tag)
  `LEMMA(out_count, out_cnt_q == OUT_CNT'(OUT_CNT'( \outs.words.wr_q - \outs.words.rd_q ) + OUT_CNT'(went_q[0])))
  `LEMMA(out_range, 32'(out_cnt_q) <= OUT_N && 32'(OUT_CNT'( \outs.words.wr_q - \outs.words.rd_q )) <= OUT_N)

  // Cycles for which a DATA-ACK has waited behind another one, with an output that is taken.
  logic [LEFT_W:0] waited;

  always_ff @(posedge clk) begin
    waited <= (next_q && m_ready) ? waited + 1'b1 : '0;
    if (rst) begin
      waited <= '0;
    end
  end

  `LEMMA(flows_on, waited == '0 || !out_cnt_q[OUT_CNT-1])
  `LEMMA(waited_less, !next_q || !now_q || 32'(waited) + 32'(now_left_q) <= 32'd1 << LEFT_W)
  `LEMMA(waited_for, !next_q || now_q || waited == '0)
  `LEMMA(waited_no_more, next_q || waited <= (LEFT_W+1)'((1 << LEFT_W) + 1))

  `PROPERTY(next_waits, next_q && waited != '0, 32'(waited) <= 32'd1 << LEFT_W)
  `PROPERTY(read_once_in_order, its_go, now_place_q == left && left != made)
  `PROPERTY(none_overwritten, its_take, 32'(PTR_W'(recorded - left)) < PLACES)
  `PROPERTY(missed_if_full, missed && pd_flow == flow, 32'(PTR_W'(recorded - left)) == PLACES)
  `PROPERTY(tag_as_recorded, its_1, went_q[0] && flow_q == flow && tag == its_tag)
  `PROPERTY(queue_has_room, went_q[0], unused_ready)
