// SPDX-License-Identifier: Apache-2.0

package svparse_test

import (
	"fmt"

	"github.com/nicgen/nicgen/svparse"
)

func ExampleParse() {
	_, err := svparse.Parse("adder.sv", "module adder (input wire logic [7:0] a);\n  assign b = a +;\nendmodule\n")
	fmt.Println(err)
	// Output: adder.sv:2:17: found ';', expected an expression
}

func ExampleTop_PortWidths() {
	f, err := svparse.Parse("fifo.sv", `
module fifo #(parameter int unsigned DEPTH = 16) (
  input  wire logic                       clk,
  input  wire logic [31:0]                s_data,
  output      logic [$clog2(DEPTH+1)-1:0] sts_count
);
endmodule`)
	if err != nil {
		fmt.Println(err)
		return
	}
	widths, err := svparse.Elaborate(f).Module("fifo").PortWidths(map[string]string{"DEPTH": "64"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range widths {
		fmt.Println(w.Dir, w.Name, w.Width)
	}
	// Output:
	// input clk 1
	// input s_data 32
	// output sts_count 7
}

func ExampleCheck() {
	f, err := svparse.Parse("t.sv", "`default_nettype none\nmodule t (input wire logic a, output logic y);\n  logic q = a;\n  assign y = q;\nendmodule\n`resetall\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range svparse.Check(f) {
		fmt.Println(finding)
	}
	// Output: t.sv:3:9: 'q = a': Yosys takes the initial value of a variable for its power-up value, not for a continuous assignment; use assign, or wire (declaration-init)
}
