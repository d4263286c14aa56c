// SPDX-License-Identifier: Apache-2.0

// A design with a part that nobody can see.
module counter (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       step,
  input  wire logic [7:0] load,
  output logic      [7:0] m_count,
  output logic            m_count_valid
);
  logic [7:0] hidden_q;  // shown only where valid says that nobody looks
  logic [7:0] load_q;
  logic       valid_q;
  logic       never_q;   // stays 0
  always_ff @(posedge clk) begin
    never_q       <= never_q;
    hidden_q      <= hidden_q + load;
    load_q        <= step ? load : 8'd77;
    valid_q       <= step;
    m_count       <= !valid_q ? hidden_q : never_q ? 8'd9 : load_q;
    m_count_valid <= valid_q;
    if (rst) begin
      valid_q       <= 1'b0;
      never_q       <= 1'b0;
      m_count_valid <= 1'b0;
    end
  end
endmodule
