// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_plb: how its outputs belong together.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_plb_sva #(
  parameter int unsigned CONN_BITS    = 16,
  parameter int unsigned CONNECTIONS  = 256,
  parameter int unsigned PORT_BITS    = 14,
  parameter int unsigned PORT_BASE    = 49152
) (
  input wire logic                    clk,
  input wire logic                    rst,
  input wire logic                    send_valid,
  input wire logic [CONN_BITS-1:0]    send_conn,
  input wire logic [15:0]             send_port,
  input wire logic                    send_new,
  input wire logic [2:0]              send_cause
);

  cause_known : assert property (@(posedge clk) disable iff (rst)
    send_valid |-> send_cause <= 3'd4 || send_cause == 3'd7)
    else $error("a label is new for a cause that has no name");

  new_has_cause : assert property (@(posedge clk) disable iff (rst)
    send_valid |-> send_new == (send_cause != 3'd0 && send_cause != 3'd7))
    else $error("a new label without a cause, or the other way round");

  send_is_legal : assert property (@(posedge clk) disable iff (rst)
    send_valid && send_cause != 3'd7 |-> 32'(send_conn) < CONNECTIONS)
    else $error("a label for a connection that does not exist");

  port_in_range : assert property (@(posedge clk) disable iff (rst)
    send_valid |-> 32'(send_port) >> PORT_BITS == PORT_BASE >> PORT_BITS)
    else $error("a UDP port outside its range");

endmodule

bind nic_plb nic_plb_sva #(
  .CONN_BITS    (CONN_BITS),
  .CONNECTIONS  (CONNECTIONS),
  .PORT_BITS    (PORT_BITS),
  .PORT_BASE    (PORT_BASE)
) sva (
  .clk        (clk),
  .rst        (rst || rst_q),
  .send_valid (m_send_valid),
  .send_conn  (m_send_conn),
  .send_port  (m_send_port),
  .send_new   (m_send_new),
  .send_cause (m_send_cause)
);

`resetall
