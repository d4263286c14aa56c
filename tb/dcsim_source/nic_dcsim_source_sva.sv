// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_dcsim_source: offers stand, no port is used twice, and what is inside
// stays within its bounds.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_dcsim_source_sva #(
  parameter int unsigned FLOW_BITS = 16,
  parameter int unsigned FLOWS     = 256,
  parameter int unsigned PORT_W    = 14,
  parameter int unsigned SEQ_W     = 16,
  parameter int unsigned TAG_W     = 16,
  parameter int unsigned SLOT_W    = 8,
  parameter int unsigned WANT_W    = 16,
  parameter int unsigned TIME_W    = 20
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 sim_valid,
  input wire logic                 sim_ready,
  input wire logic [FLOW_BITS-1:0] sim_flow,
  input wire logic [PORT_W-1:0]    sim_port,
  input wire logic                 data_valid,
  input wire logic                 data_ready,
  input wire logic [FLOW_BITS-1:0] data_flow,
  input wire logic [PORT_W-1:0]    data_port,
  input wire logic [SEQ_W-1:0]     data_seq,
  input wire logic [TAG_W-1:0]     data_tag,
  input wire logic                 ack_valid,
  input wire logic [PORT_W-1:0]    ack_port,
  input wire logic [TIME_W-1:0]    rtt_max,
  input wire logic [SLOT_W-1:0]    slots,
  input wire logic [SLOT_W-1:0]    coming,
  input wire logic                 served,
  input wire logic [WANT_W-1:0]    want
);

  sim_stands : assert property (@(posedge clk) disable iff (rst)
    sim_valid && !sim_ready |=> sim_valid && $stable(sim_flow) && $stable(sim_port))
    else $error("an offered SIM changed");

  data_stands : assert property (@(posedge clk) disable iff (rst)
    data_valid && !data_ready |=>
    data_valid && $stable(data_flow) && $stable(data_port) && $stable(data_seq) && $stable(data_tag))
    else $error("an offered DATA changed");

  sim_flow_exists : assert property (@(posedge clk) disable iff (rst)
    sim_valid |-> 32'(sim_flow) < FLOWS)
    else $error("a SIM of a flow that does not exist");

  data_flow_exists : assert property (@(posedge clk) disable iff (rst)
    data_valid |-> 32'(data_flow) < FLOWS)
    else $error("a DATA of a flow that does not exist");

  // By the ports alone, which source ports are in use: from the offer of a SIM until its DATA is
  // taken, or RTTmax after the SIM if no SIM-ACK came up to then. What is kept of a port is of this
  // era, the time since a reset.
  localparam int unsigned PORTS = 1 << PORT_W;

  int unsigned        era;
  longint             cycle;
  longint             expired;          // SIMs sent before it have timed out
  logic [4*TIME_W-1:0] spans;           // RTTmax of the last cycles: which one counts is left open
  logic [TIME_W-1:0]  span;             // the least of them
  logic               offered;
  int unsigned        used  [PORTS];    // the era in which a port is in use,
  int unsigned        sent  [PORTS];    // in which its SIM was sent,
  int unsigned        acked [PORTS];    // and in which its SIM-ACK came
  longint             since [PORTS];    // when its SIM was sent

  always_comb begin
    span = rtt_max;
    for (int i = 0; i < 4; i++) begin
      if (spans[i*TIME_W +: TIME_W] < span) begin
        span = spans[i*TIME_W +: TIME_W];
      end
    end
  end

  always_ff @(posedge clk) begin
    cycle   <= cycle + 1;
    spans   <= {spans[3*TIME_W-1:0], rtt_max};
    offered <= sim_valid && !sim_ready;
    if (cycle + 1 - longint'(span) > expired) begin
      expired <= cycle + 1 - longint'(span);
    end
    if (ack_valid && used[ack_port] == era && sent[ack_port] == era && since[ack_port] >= expired) begin
      acked[ack_port] <= era;
    end
    if (data_valid && data_ready) begin
      used[data_port] <= era - 1;
    end
    if (sim_valid && !offered && !rst && used[sim_port] == era) begin
      port_is_free : assert (sent[sim_port] == era && acked[sim_port] != era && since[sim_port] < expired)
        else $error("a SIM has a port that is in use");
    end
    if (sim_valid) begin
      used[sim_port]  <= era;
      sent[sim_port]  <= sim_ready ? era : era - 1;
      acked[sim_port] <= era - 1;
      since[sim_port] <= cycle;
    end
    if (rst) begin
      era     <= era + 2;
      offered <= 1'b0;
      expired <= cycle;
    end
  end

  coming_has_slots : assert property (@(posedge clk) disable iff (rst)
    coming <= slots)
    else $error("more DATAs to be sent than slots in use");

  served_wants : assert property (@(posedge clk) disable iff (rst)
    served |-> want != '0)
    else $error("n_SIM > n_DATA: a SIM for a flow that wants none");

endmodule

bind nic_dcsim_source nic_dcsim_source_sva #(
  .FLOW_BITS (FLOW_BITS),
  .FLOWS     (FLOWS),
  .PORT_W    (PORT_W),
  .SEQ_W     (SEQ_W),
  .TAG_W     (TAG_W),
  .SLOT_W    (SLOT_W),
  .WANT_W    (WANT_W),
  .TIME_W    (TIME_W)
) sva (
  .clk        (clk),
  .rst        (rst || rst_q),
  .sim_valid  (m_sim_valid),
  .sim_ready  (m_sim_ready),
  .sim_flow   (m_sim_flow),
  .sim_port   (m_sim_port),
  .data_valid (m_data_valid),
  .data_ready (m_data_ready),
  .data_flow  (m_data_flow),
  .data_port  (m_data_port),
  .data_seq   (m_data_seq),
  .data_tag   (m_data_tag),
  .ack_valid  (s_sim_ack_valid && sts_ready),
  .ack_port   (s_sim_ack_port),
  .rtt_max    (cfg_rtt_max),
  .slots      (sims.slots),
  .coming     (datas.coming_q),
  .served     (want.w1_serve_q),
  .want       (want.w1_want)
);

`resetall
