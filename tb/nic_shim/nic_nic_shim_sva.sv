// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_shim: what leaves keeps the rules of AXI4-Stream.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_shim_sva (
  input wire logic        clk,
  input wire logic        rst,
  input wire logic        valid,
  input wire logic        ready,
  input wire logic        last,
  input wire logic [63:0] keep,
  input wire logic        rx_valid,
  input wire logic        rx_last,
  input wire logic [63:0] rx_keep,
  input wire logic        whole,
  input wire logic        fills,
  input wire logic        tx_came,
  input wire logic        tx_end,
  input wire logic [63:0] tx_bytes,
  input wire logic        rx_came,
  input wire logic        rx_end,
  input wire logic [63:0] rx_bytes
);

  // What comes may break the rules: then what leaves does, too.
  logic tx_broken_q;
  logic rx_broken_q;

  always_ff @(posedge clk) begin
    if (tx_came && ((tx_bytes & (tx_bytes + 64'd1)) != '0 || !tx_bytes[0] || (!tx_end && tx_bytes != '1))) begin
      tx_broken_q <= 1'b1;
    end
    if (rx_came && ((rx_bytes & (rx_bytes + 64'd1)) != '0 || !rx_bytes[0] || (!rx_end && rx_bytes != '1))) begin
      rx_broken_q <= 1'b1;
    end
    if (rst) begin
      tx_broken_q <= 1'b0;
      rx_broken_q <= 1'b0;
    end
  end

  held : assert property (@(posedge clk) disable iff (rst)
    valid && !ready && !rst |=> $past(rst) || (valid && $stable(last) && $stable(keep)))
    else $error("a beat that waits has changed");

  tx_full : assert property (@(posedge clk) disable iff (rst)
    valid && !last && !tx_broken_q |-> keep == '1)
    else $error("a beat to the network that is not the last has bytes missing");

  rx_full : assert property (@(posedge clk) disable iff (rst)
    rx_valid && !rx_last && !rx_broken_q |-> rx_keep == '1)
    else $error("a beat from the network that is not the last has bytes missing");

  contiguous : assert property (@(posedge clk) disable iff (rst)
    (!valid || tx_broken_q || (keep & (keep + 64'd1)) == '0) && (!rx_valid || rx_broken_q || (rx_keep & (rx_keep + 64'd1)) == '0))
    else $error("bytes are missing in the middle");

  one_leaves : assert property (@(posedge clk) disable iff (rst)
    !(whole && fills))
    else $error("two beats would leave at once");

endmodule

bind nic_shim nic_nic_shim_sva sva (
  .clk      (clk),
  .rst      (rst),
  .valid    (m_axis_tx_tvalid),
  .ready    (m_axis_tx_tready),
  .last     (m_axis_tx_tlast),
  .keep     (m_axis_tx_tkeep),
  .rx_valid (m_axis_rx_tvalid),
  .rx_last  (m_axis_rx_tlast),
  .rx_keep  (m_axis_rx_tkeep),
  .whole    (remove.p1_whole_q),
  .fills    (remove.p0_fills),
  .tx_came  (s_axis_tx_tvalid),
  .tx_end   (s_axis_tx_tlast),
  .tx_bytes (s_axis_tx_tkeep),
  .rx_came  (s_axis_rx_tvalid),
  .rx_end   (s_axis_rx_tlast),
  .rx_bytes (s_axis_rx_tkeep)
);

`resetall
