// SPDX-License-Identifier: Apache-2.0
//
// A memory of 20 bits cut into slices of 9.

`default_nettype none

module slices (
  input  wire logic        clk,
  input  wire logic        wr_en,
  input  wire logic [11:0] wr_addr,
  input  wire logic [19:0] wr_data,
  input  wire logic [11:0] rd_addr,
  output      logic [19:0] rd_data
);

  for (genvar g = 0; g < 3; g++) begin : g_slice
    localparam int unsigned LO = 9 * g;
    localparam int unsigned W  = (20 - LO < 9) ? 20 - LO : 9;

    (* ram_style = "block" *)
    logic [W-1:0] mem [4096];
    logic [W-1:0] data_q;

    always_ff @(posedge clk) begin
      if (wr_en) begin
        mem[wr_addr] <= wr_data[LO +: W];
      end
      data_q <= mem[rd_addr];
    end

    assign rd_data[LO +: W] = data_q;
  end

endmodule
