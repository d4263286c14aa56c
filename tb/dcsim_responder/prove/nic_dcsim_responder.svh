  // What becomes of a packet before it is a SIM-ACK or a tag.
  `AFTER_REGISTERED_RESET

  logic e_valid, e_class, e_flow, e_length, e_sim;
  logic [BYTES_W-1:0] bytes_1;
  logic valid_1, sim_1, flow_1, class_1, sim_2, data_2, class_2, bad_flow_2, length_2, length_1;
  logic [FLOW_W-1:0] row_1, row_2;
  logic [PORT_BITS-1:0] port_1, port_2;
  logic [TAG_BITS-1:0] tag_1, tag_2;

  assign e_valid  = s_rx_valid && sts_ready;
  assign e_sim    = s_rx_class == 2'd0;
  assign e_class  = e_sim || s_rx_class == 2'd3;
  assign e_flow   = 32'(s_rx_flow) < FLOWS;
  assign length_1 = bytes_1 != '0 && (sim_1 ? 32'(bytes_1) <= PROBE_BYTES : bytes_1 <= cfg_data_bytes);

  always_ff @(posedge clk) begin
    valid_1    <= e_valid;
    sim_1      <= e_sim;
    class_1    <= e_class;
    flow_1     <= e_flow;
    bytes_1    <= s_rx_bytes;
    row_1      <= FLOW_W'(s_rx_flow);
    port_1     <= s_rx_port;
    tag_1      <= s_rx_tag;
    sim_2      <= valid_1 && sim_1 && flow_1 && length_1;
    data_2     <= valid_1 && class_1 && !sim_1 && flow_1 && length_1;
    class_2    <= valid_1 && !class_1;
    bad_flow_2 <= valid_1 && class_1 && !flow_1;
    length_2   <= valid_1 && class_1 && flow_1 && !length_1;
    row_2      <= row_1;
    port_2     <= port_1;
    tag_2      <= tag_1;
    if (rst_q) begin
      valid_1    <= 1'b0;
      sim_2      <= 1'b0;
      data_2     <= 1'b0;
      class_2    <= 1'b0;
      bad_flow_2 <= 1'b0;
      length_2   <= 1'b0;
    end
  end

  `PROPERTY(sim_is_answered, sim_2, p1_sim_q && p1_flow_q == row_2 && p1_port_q == port_2)
  `PROPERTY(data_is_recorded, data_2, p1_data_q && p1_flow_q == row_2 && p1_tag_q == tag_2)
  `PROPERTY(nothing_else, p1_sim_q || p1_data_q, sim_2 || data_2)
  `PROPERTY(bad_counts_once, class_2 || bad_flow_2 || length_2, !p1_sim_q && !p1_data_q &&
    {p1_bad_class_q, p1_bad_flow_q, p1_bad_length_q} == {class_2, bad_flow_2, length_2})
  `PROPERTY(good_counts_as_good, sim_2 || data_2, !p1_bad_class_q && !p1_bad_flow_q && !p1_bad_length_q)
