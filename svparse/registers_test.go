// SPDX-License-Identifier: Apache-2.0

package svparse_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/svparse"
)

// Variables that always blocks assign with <=, in whole or in part and in any branch, are
// registers; combinational variables and variables of instances are not.
func TestRegisters(t *testing.T) {
	f, err := svparse.Parse("m.sv", `
module m #(parameter int unsigned N = 2) (input wire logic clk, input wire logic [7:0] a, output logic [7:0] y);
  typedef struct packed { logic [3:0] hi; logic [3:0] lo; } s_t;
  logic [7:0] mem [4];
  logic [7:0] whole_q;
  logic [3:0] one_q;
  logic [3:0] other_q;
  logic [7:0] sum;
  s_t         s_q;
  always_comb begin
    sum = a + whole_q;
  end
  always_ff @(posedge clk) begin
    if (a[0]) begin
      mem[a[1:0]] <= sum;
    end
    s_q.hi <= a[3:0];
    {one_q, other_q} <= a;
    for (int unsigned i = 0; i < N; i++) begin
      whole_q[i] <= a[i];
    end
  end
  if (N > 2) begin : g_large
    logic large_q;
    always_ff @(posedge clk) large_q <= a[0];
    sub u (.clk (clk), .a (large_q));
  end
  assign y = mem[0] ^ {one_q, other_q} ^ s_q;
endmodule
module sub (input wire logic clk, input wire logic a);
  logic inner_q;
  always_ff @(posedge clk) inner_q <= a;
endmodule
`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"large_q", "mem", "one_q", "other_q", "s_q", "whole_q"}, {"inner_q"}} {
		if got := f.Modules[i].Registers(); !slices.Equal(got, want) {
			t.Errorf("module %s: registers %q, want %q", f.Modules[i].Name, got, want)
		}
	}
}
