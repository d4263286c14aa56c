// SPDX-License-Identifier: Apache-2.0
//
// Assertions on the sample, attached by bind.

`default_nettype none

module nic_sample_sva #(
  parameter int unsigned CONN_W = 8
) (
  input wire logic              clk,
  input wire logic              rst,
  input wire logic              s_req_valid,
  input wire logic [CONN_W-1:0] s_req_conn
);
  property held;
    @(posedge clk) disable iff (rst) s_req_valid |=> $past(s_req_valid);
  endproperty

  // A request is seen for a whole cycle.
  a_held : assert property (held) else $error("valid fell");
  a_conn : assert property (@(posedge clk) disable iff (rst)
                            s_req_valid |-> !$isunknown(s_req_conn))
    else $error("connection is unknown");
  c_last : cover property (@(posedge clk) s_req_valid && (&s_req_conn));

  always @(posedge clk) begin
    if (!rst) assert ($onehot0({s_req_valid, 1'b0}));
  end
endmodule

bind nic_sample nic_sample_sva #(.CONN_W(CONN_W)) u_sva (.*);

`resetall
