  // How long each fault has been there, in cycles that count; how long streams have been idle.
  `AFTER_RESET

  logic [6*FAULTS-1:0] run;
  logic [5:0] idle_for, clear_for;
  logic       was_cut, was_on;
  logic [FAULTS-1:0] held_for, since;

  for (genvar g = 0; g < FAULTS; g++) begin : g_run
    localparam int unsigned LONG = (g == 6) ? 2 : (g == 5 || g >= 7) ? 8 : (g == 4) ? 16 : 32;

    always_ff @(posedge clk) begin
      run[6*g +: 6] <= fault[g] ? ((run[6*g +: 6] == '1) ? run[6*g +: 6] : run[6*g +: 6] + 6'(counts || g == 6)) : '0;
      if (rst || cut) begin
        run[6*g +: 6] <= '0;
      end
    end

    assign held_for[g] = 32'(run[6*g +: 6]) >= LONG;

    assign since[g] = !all_q[g] || 32'(run[6*g +: 6]) >= ((g == 6) ? 1 : 32'(count_q) % LONG);
  end

  `LEMMA(since_window, &since)

  always_ff @(posedge clk) begin
    was_cut   <= cut && !rst;
    was_on    <= cfg_recover;
    idle_for  <= !cut ? '0 : (idle_for == '1) ? idle_for : idle_for + 6'(!tx_open && !rx_open && !wire_valid && !host_valid);
    clear_for <= !clear ? '0 : (clear_for == '1) ? clear_for : clear_for + 6'd1;
    if (rst) begin
      idle_for  <= '0;
      clear_for <= '0;
    end
  end

  `LEMMA(drain, !cut || (6'(count_q) == idle_for && 32'(count_q) <= 16))
  `LEMMA(not_both, !(begins && cut) || rst)
  `LEMMA(from_zero, !begins || 32'(count_q) <= 1)

  `PROPERTY(stood_still, begins, |held_for)
  `PROPERTY(not_off, begins, was_on)
  `PROPERTY(drained, was_cut && !cut, 32'(idle_for) >= 16 && 32'(clear_for) >= 7)
