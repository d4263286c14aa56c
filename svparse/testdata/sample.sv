// SPDX-License-Identifier: Apache-2.0
//
// A sample of the subset: a package, a module with parameterised widths, and
// an instance of it.

`resetall
`timescale 1ns / 1ps
`default_nettype none

// Types that both sides share.
package sample_pkg;
  localparam int unsigned CMD_W = 3;  // bits of a command

  // What a reader asks for.
  typedef struct packed {
    logic [CMD_W-1:0] cmd;
    logic [11:0]      len;
    logic             last;
  } request_t;

  typedef enum logic [1:0] {
    IDLE = 2'd0,
    BUSY,
    DONE
  } state_e;

  // Bits that can hold 0 to n.
  function automatic int unsigned count_width(input int unsigned n);
    count_width = 1;
    for (int i = 1; i < 32; i++) begin
      if ((n >> i) != 0) count_width = i + 1;
    end
  endfunction
endpackage

// Counts requests of each connection.
//
// One request every cycle; the count follows one cycle later.
module nic_sample #(
  parameter int unsigned CONNECTIONS = 256,  // number of connections
  parameter int unsigned COUNT_MAX   = 1000, // largest count
  parameter bit [3:0]    MODE        = 4'hA,
  localparam int unsigned CONN_W     = (CONNECTIONS > 1) ? $clog2(CONNECTIONS) : 1
) (
  input  wire logic                                          clk,
  input  wire logic                                          rst,        // synchronous
  // a request
  input  wire logic                                          s_req_valid,
  input  wire logic [CONN_W-1:0]                             s_req_conn, // who asks
  input  wire sample_pkg::request_t                          s_req_data,
  output      logic [sample_pkg::count_width(COUNT_MAX)-1:0] m_count,
  output      logic signed [2*CONN_W:0]                      m_delta, m_delta_next,
  output      sample_pkg::state_e                            sts_state
);

  localparam int unsigned COUNT_W = $bits(m_count);

  if (CONNECTIONS < 1) begin : g_check_connections
    $error("CONNECTIONS must be at least 1");
  end

  (* ram_style = "block" *) logic [COUNT_W-1:0] mem[0:CONNECTIONS-1];
  logic [COUNT_W-1:0] count_q;
  sample_pkg::state_e state_q;

  always_ff @(posedge clk) begin : p_count
    count_q <= mem[s_req_conn];
    if (s_req_valid) mem[s_req_conn] <= count_q + COUNT_W'(1);
    unique case (state_q)
      sample_pkg::IDLE: state_q <= s_req_valid ? sample_pkg::BUSY : sample_pkg::IDLE;
      sample_pkg::BUSY: if (s_req_data.last) state_q <= sample_pkg::DONE;
      default: state_q <= sample_pkg::IDLE;
    endcase
    if (rst) begin
      state_q <= sample_pkg::IDLE;
    end
  end

  for (genvar i = 0; i < 2; i++) begin : g_copy
    logic [COUNT_W-1:0] copy_q;
    always_ff @(posedge clk) copy_q <= count_q;
  end

  assign m_count      = count_q;
  assign m_delta      = signed'({1'b0, {2{s_req_conn}}});
  assign m_delta_next = -m_delta + $signed({MODE[3:1], 2'b0});
  assign sts_state    = state_q;

`ifndef SYNTHESIS
  always_comb begin
    if (!rst) assert (CONNECTIONS == 1 || s_req_conn < CONN_W'(CONNECTIONS - 1) + 1'b1) else $error("connection");
  end
`endif
endmodule

module nic_sample_pair (
  input  wire logic       clk,
  input  wire logic       rst,
  output      logic [9:0] m_count
);
  nic_sample #(
    .CONNECTIONS (16)
  ) one (
    .clk,
    .rst,
    .s_req_valid  (1'b1),
    .s_req_conn   (4'd3),
    .s_req_data   ('0),
    .m_count      (m_count),
    .m_delta      (),
    .m_delta_next (),
    .sts_state    ()
  );
endmodule

`resetall
