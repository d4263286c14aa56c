// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"strings"
	"testing"
)

// body puts text into a module, from its line 2 on.
func body(text string) string {
	return "module t (input wire logic clk, input wire logic [7:0] a, output logic [7:0] y);\n" + text + "\nendmodule\n"
}

func TestParseAccepts(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"empty file", ""},
		{"comments only", "// one\n/* two\n three */\n"},
		{"empty module", "module t; endmodule"},
		{"end label", "module t (); endmodule : t"},
		{"escaped identifier", body(`wire logic \a+b ; assign \a+b = a[0];`)},
		{"header imports", "package p; endpackage module t import p::*, p::x; (input wire logic a); endmodule"},
		{"header parameters", "module t #(parameter int unsigned A = 1, B = 2, parameter bit [3:0] C = 4'hF, localparam D = A) (); endmodule"},
		{"type parameter", "module t #(parameter type T = logic [3:0]) (input T a); endmodule"},
		{"ports", "module t (input wire logic signed [3:0] a, b, output var logic c, inout wire [1:0] d, input p::t e, output f); endmodule"},
		{"interface ports", "module t (axi_if.src m, interface n, axi_if o [2]); endmodule"},
		{"interface", "interface i #(parameter W = 1); logic [W-1:0] d; modport src (output d); endinterface"},
		{"literals", body("assign y = 8'hFf + 'd1 + 4'sb10_1? + 8 'o17 + '0 + 1.5e3 + \"s\\\"t\" + 1ns;")},
		{"precedence", body("assign y = a + a * a ** 2 << 1 == a & a ^ a | a && a || !a ? a : ~a ? a : -a;")},
		{"concatenations", body("assign {y[7:4], y[3 -: 4]} = {{2{a[3:0], {4{1'b0}}}}, {<<8{a}}, {}};")},
		{"casts", body("assign y = 8'(a) + (4+4)'(a) + signed'(a) + p::t'(a) + int'(a) + t'{x: 1, default: 0};")},
		{"selects", body("assign y = {m[1][2].f[3], a[b[1]+:4], p::C[2:1], f(a, .b(c)), $bits(logic [3:0]), $clog2(8)};")},
		{"clocked block", body("always_ff @(posedge clk or negedge rst_n) begin : p if (a) y <= #1 a; else begin y++; {y, z} <= '0; end end : p")},
		{"combinational blocks", body("always_comb y = a; always_latch if (a) y <= a; always @* y = a; always @(*) y = a; always @(a, b) y = a;")},
		{"case", body("always_comb unique case (a) 8'd1, 8'd2: y = a; [3:4]: begin end default y = 0; endcase")},
		{"loops", body("initial begin for (int i = 0, j = 1; i < 4; i++, j--) y = a; while (a) break; repeat (3) continue; do y = a; while (0); forever #1ns; foreach (m[i, j]) m[i][j] = 0; end")},
		{"generate", body("generate genvar i; for (i = 0; i < 4; i = i + 1) begin : g assign y[i] = a; end if (A) assign b = 1; else if (B) begin end else m u (); case (A) 0, 1: m v (); default: ; endcase endgenerate")},
		{"functions", body("function automatic logic [3:0] f(input logic [3:0] x, y = 1, output int z); automatic int k = 3; f = x; return f; endfunction function void g; input a; endfunction task t(); endtask")},
		{"instances", body("m #(.W(8), .T(logic [3:0])) u (.a, .b(), .c(a + 1), .*), v [3:0] (a, b); m #(8) w ();")},
		{"attributes", body("(* keep, ram_style = \"block\" *) logic [7:0] m [0:255]; (* full_case *) always_comb (* parallel_case *) case (a) 1: ; endcase")},
		{"system tasks", body("initial begin $readmemh(\"f\", m); $display(\"%d\", a,, b); $finish; end if (A) $error(\"no\"); $fatal(1, \"x\");")},
		{"immediate assertions", body("always_comb begin assert (a); assert #0 (a) else $error; l: assume final (a) y = 1; else y = 2; cover (a); end")},
		{"concurrent assertions", body("l: assert property (@(posedge clk) disable iff (rst) a ##1 (b [*1:3]) |-> ##[1:$] c and not d) else $error(\"x\"); cover sequence (a); default clocking @(posedge clk); endclocking default disable iff rst;")},
		{"property", body("property p(x, int y = 1); @(posedge clk) if (x) (a throughout b) else c |=> (d); endproperty sequence s; a ##1 b; endsequence")},
		{"bind", "bind a.b[1].c chk #(.W(W)) u (.*); bind m : m.u, m.v chk w (.a(a));"},
		{"types", "typedef enum {A, B[3], C = 5} e; typedef union packed { s::t a; struct packed { logic b; } c; } u; typedef logic [1:0][3:0] v [2]; typedef e;"},
		{"macro", "`define W 8\n`define V (`W + \\\n 1) // nine\nmodule t (input wire logic [`V-1:0] a); endmodule\n`undef W"},
		{"conditionals", "`ifdef A\nbroken\n`elsif B\nbroken `nothing\n`else\nmodule t; endmodule\n`endif\n`ifndef A `define A\n`endif\n`ifdef A module u; endmodule `endif"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse("t.sv", tt.text); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"missing semicolon", body("assign y = a\nassign z = a;"),
			"t.sv:3:1: found 'assign', expected ',' or ';'"},
		{"missing end", body("always_comb begin\n  y = a;"),
			"t.sv:4:1: found 'endmodule', expected 'end' or a statement"},
		{"missing endmodule", "module t;\n",
			"t.sv:2:1: found the end of the file, expected 'endinterface', 'endmodule' or a module item"},
		{"missing operand", body("assign y = a + ;"),
			"t.sv:2:16: found ';', expected an expression"},
		{"keyword as name", body("logic [3:0] begin;"),
			"t.sv:2:13: found 'begin', expected a name"},
		{"missing name", "module (input a); endmodule",
			"t.sv:1:8: found '(', expected 'automatic', 'static' or a name\n" +
				"t.sv:1:16: found ')', expected a name\n" +
				"t.sv:1:19: found 'endmodule', expected 'interface', 'module', 'package', the end of the file or a package item"},
		{"two errors", body("assign y = ;\nassign z = a;\nalways_ff begin y <= ); end"),
			"t.sv:4:22: ')' closes nothing"},
		{"errors in two items", body("assign y = ;\nassign z = a;\nassign = a;"),
			"t.sv:2:12: found ';', expected an expression\n" +
				"t.sv:4:8: found '=', expected '#' or a signal\n" +
				"t.sv:4:11: found ';', expected '='"},
		{"outside the subset", "class c; endclass",
			"t.sv:1:1: 'class' is a SystemVerilog keyword outside the subset: rename it, or write the construct another way\n" +
				"t.sv:1:10: 'endclass' is a SystemVerilog keyword outside the subset: rename it, or write the construct another way"},
		{"wrong bracket", body("assign y = (a[1);"),
			"t.sv:2:16: ')' closes '[' of line 2, want \"]\"\n" +
				"t.sv:2:12: '(' is never closed: want \")\" before the end of the file"},
		{"open string", body("initial $display(\"abc);"),
			"t.sv:2:18: string is never closed: want \" before the end of the line\n" +
				"t.sv:2:17: '(' is never closed: want \")\" before the end of the file"},
		{"open comment", "module t; /* never\n closed",
			"t.sv:1:11: comment is never closed: want */ before the end of the file"},
		{"stray character", body("assign y = a € 1;"),
			"t.sv:2:14: stray character '€': no SystemVerilog token starts with it"},
		{"undefined macro", body("assign y = `W;"),
			"t.sv:2:12: macro '`W' is not defined: define it above, in this file"},
		{"macro with arguments", "`define MAX(a, b) ((a) > (b) ? (a) : (b))\n",
			"t.sv:1:1: macro 'MAX' has arguments, which the subset does not have: write a function or a parameter"},
		{"macro in a circle", "`define A `B\n`define B `A\nmodule t; `A endmodule",
			"t.sv:3:11: macro '`A': more than 16 macros within macros"},
		{"too many macros", "`define A\n" + strings.Repeat("`A\n", maxMacros+1),
			"t.sv:1002:1: more than 1000 macros used: split the file"},
		{"include", "`include \"defs.svh\"\nmodule t; endmodule",
			"t.sv:1:1: `include is outside the subset: list the file before this one instead"},
		{"open conditional", "`ifdef A\nmodule t; endmodule\n",
			"t.sv:1:1: conditional without `endif: close it"},
		{"else without if", "`else\n`endif",
			"t.sv:1:1: '`else' without `ifdef or `ifndef\nt.sv:2:1: `endif without `ifdef or `ifndef"},
		{"ifdef without name", "`ifdef\nA\n`endif",
			"t.sv:1:1: '`ifdef' without a name on the same line"},
		{"only under synthesis", body("`ifdef SYNTHESIS\nassign y = ;\n`endif"),
			"t.sv:3:12: found ';', expected an expression (with SYNTHESIS defined, as Yosys reads the file)"},
		{"too large", strings.Repeat(" ", MaxSize+1),
			"t.sv:1:1: file of 4194305 bytes, want at most 4194304: split it"},
		{"too many tokens", strings.Repeat(";", MaxTokens+1),
			"t.sv:1:250001: more than 250000 tokens: split the file"},
		{"too deep in brackets", body("assign y = " + strings.Repeat("(", MaxNesting+1) + "a;"),
			"t.sv:2:212: more than 200 brackets within brackets: split the expression"},
		{"too deep in statements", body("always_comb " + strings.Repeat("if (a) ", MaxDepth) + "y = a;"),
			"nested too deeply here: split the expression or the chain of statements"},
		{"too many problems", "class " + strings.Repeat("class ", 3*MaxProblems),
			"t.sv: more than 20 problems, the rest is not listed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("t.sv", tt.text)
			if err == nil {
				t.Fatalf("accepted, want %q", tt.want)
			}
			if got := err.Error(); got != tt.want && !partial[tt.name] || !strings.Contains(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if _, again := Parse("t.sv", tt.text); again.Error() != err.Error() {
				t.Errorf("second time: %s\nfirst time: %s", again, err)
			}
		})
	}
}

// Messages for which the table has only the significant part.
var partial = map[string]bool{"too deep in statements": true, "too many problems": true}
