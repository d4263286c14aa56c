// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_csr: what AXI4-Lite demands of a slave.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_csr_sva (
  input wire logic        clk,
  input wire logic        rst,
  input wire logic        bvalid,
  input wire logic        bready,
  input wire logic [1:0]  bresp,
  input wire logic        rvalid,
  input wire logic        rready,
  input wire logic [31:0] rdata,
  input wire logic        awready,
  input wire logic        wready,
  input wire logic        arready
);

  answer_stands : assert property (@(posedge clk) disable iff (rst)
    bvalid && !bready |=> bvalid && $stable(bresp) || $past(rst))
    else $error("the answer to a write does not stand");

  data_stands : assert property (@(posedge clk) disable iff (rst)
    rvalid && !rready |=> rvalid && $stable(rdata) || $past(rst))
    else $error("the data of a read does not stand");

  answer_of_a_write : assert property (@(posedge clk) disable iff (rst)
    bvalid |-> !awready && !wready)
    else $error("an answer without a write");

  data_of_a_read : assert property (@(posedge clk) disable iff (rst)
    rvalid |-> !arready)
    else $error("data without a read");

endmodule

bind nic_csr nic_nic_csr_sva sva (
  .clk     (clk),
  .rst     (rst),
  .bvalid  (s_axil_bvalid),
  .bready  (s_axil_bready),
  .bresp   (s_axil_bresp),
  .rvalid  (s_axil_rvalid),
  .rready  (s_axil_rready),
  .rdata   (s_axil_rdata),
  .awready (s_axil_awready),
  .wready  (s_axil_wready),
  .arready (s_axil_arready)
);

`resetall
