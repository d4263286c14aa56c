// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
)

const nettype = "`default_nettype none\n"

// clean puts text into a module that has no other finding; text is on line 3.
func clean(text string) string { return nettype + body(text) + "`resetall\n" }

const leaf = "module leaf #(parameter int unsigned W = 8) (input wire logic [W-1:0] i, output logic [W-1:0] o);\n  assign o = i;\nendmodule\n"

// One example of each rule, as "line:col rule" of the expected finding.
var examples = []struct {
	name, text string
	want       []string
}{
	{"packed dimensions", clean("logic [1:0][3:0] b; assign b = a; assign y = b;"), []string{"3:1 packed-dims"}},
	{"packed dimensions of a port", nettype + "module t (input wire logic [1:0][3:0] a, output logic [7:0] y); assign y = a; endmodule\n`resetall", []string{"2:22 packed-dims"}},
	{"dimension on a named type", clean("typedef logic [3:0] n_t; n_t [1:0] b; assign b = a; assign y = b;"), []string{"3:26 named-type-dims"}},
	{"unpacked port", nettype + "module t (input wire logic [3:0] a [0:1], output logic [3:0] y); assign y = a[0]; endmodule\n`resetall", []string{"2:34 unpacked-port"}},
	{"unpacked parameter", clean("localparam logic [7:0] P [0:0] = '{8'd1}; assign y = P[0];"), []string{"3:24 unpacked-param", "3:34 assignment-pattern"}},
	{"assignment pattern", clean("typedef struct packed { logic [7:0] x; } s_t; s_t s; assign s = '{x: a}; assign y = s.x;"), []string{"3:65 assignment-pattern"}},
	{"import", nettype + "package p; localparam int unsigned W = 8; endpackage\nmodule t import p::*; (input wire logic [W-1:0] a, output logic [7:0] y); assign y = a; endmodule\n`resetall", []string{"3:10 import"}},
	{"return", clean("function automatic logic [7:0] f(input logic [7:0] x); return x; endfunction assign y = f(a);"), []string{"3:56 return"}},
	{"void", clean("function automatic void f(input logic [7:0] x); endfunction assign y = a;"), []string{"3:1 void"}},
	{"default argument", clean("function automatic logic [7:0] f(input logic [7:0] x = 8'd1); f = x; endfunction assign y = f(a);"), []string{"3:34 default-argument"}},
	{"argument by name", clean("function automatic logic [7:0] f(input logic [7:0] x); f = x; endfunction assign y = f(.x(a));"), []string{"3:88 named-argument"}},
	{"unpacked argument", clean("function automatic logic [7:0] f(input logic [7:0] x [0:1]); f = x[0]; endfunction assign y = a;"), []string{"3:34 unpacked-argument"}},
	{"continue", clean("always_comb begin y = 8'd0; for (int i = 0; i < 8; i++) begin if (a[i]) continue; y = a; end end"), []string{"3:73 jump"}},
	{"disable", clean("always_comb begin : b y = a; if (a[0]) disable b; y = 8'd0; end"), []string{"3:40 disable"}},
	{"foreach", clean("logic [7:0] m [0:3]; always_comb foreach (m[i]) m[i] = a; assign y = m[0];"), []string{"3:34 foreach"}},
	{"while", clean("always_comb begin int i; i = 0; y = a; while (i < 3) begin i = i + 1; end end"), []string{"3:40 while"}},
	{"inside", clean("assign y = {7'd0, a inside {8'd1, 8'd2}};"), []string{"3:19 inside"}},
	{"case inside", clean("always_comb case (a) inside 8'd1: y = a; default: y = 8'd0; endcase"), []string{"3:13 inside"}},
	{"wildcard equality", clean("assign y = {7'd0, a ==? 8'd1};"), []string{"3:19 wildcard-equal"}},
	{"implication", clean("assign y = {7'd0, a[0] -> a[1]};"), []string{"3:19 implication"}},
	{"streaming", clean("assign y = {<<{a}};"), []string{"3:12 streaming"}},
	{"cast to int", clean("assign y = 8'(int'(a));"), []string{"3:15 type-cast"}},
	{"cast to a named type", clean("typedef logic [7:0] b_t; assign y = b_t'(a);"), []string{"3:37 type-cast"}},
	{"select of a concatenation", clean("assign y = {7'd0, {a, a}[3]};"), []string{"3:19 select-of-expression"}},
	{"method", clean("typedef enum logic [1:0] {IS, B} e_t; e_t e; assign e = IS; assign y = {6'd0, e.next()};"), []string{"3:79 enum-method"}},
	{"type parameter", clean("localparam type t_t = logic [7:0]; t_t b; assign b = a; assign y = b;"), []string{"3:1 type-param"}},
	{"string parameter", clean("localparam string S = \"x\"; assign y = a;"), []string{"3:1 string-param"}},
	{"parameter without keyword", nettype + "module t #(int unsigned W = 8) (input wire logic [W-1:0] a, output logic [7:0] y); assign y = a; endmodule\n`resetall", []string{"2:12 param-keyword"}},
	{"real variable", clean("real r; assign y = a;"), []string{"3:1 not-bits"}},
	{"type operator", clean("type(a) b; assign b = a; assign y = b;"), []string{"3:1 type-operator"}},
	{"unpacked structure", clean("typedef struct { logic [7:0] x; } s_t; s_t s; always_comb s.x = a; assign y = s.x;"), []string{"3:9 unpacked-struct"}},
	{"unique if", clean("always_comb unique if (a[0]) y = a; else y = 8'd0;"), []string{"3:13 unique-if"}},
	{"automatic variable", clean("always_comb begin automatic logic [7:0] k = a; y = k; end"), []string{"3:19 local-init"}},
	{"initialised variable", clean("always_comb begin logic [7:0] k = a; y = k; end"), []string{"3:31 local-init"}},
	{"two variables in for", clean("always_comb begin y = a; for (int i = 0, j = 0; i < 3; i++) y = y + 8'(j); end"), []string{"3:31 for-list"}},
	{"prefix increment", clean("always_comb begin y = a; --y; end"), []string{"3:26 prefix-increment"}},
	{"member of an array element", clean("typedef struct packed { logic [7:0] x; } s_t; s_t s [0:1]; always_comb begin s[0].x = a; s[1] = s[0]; end assign y = s[1];"), []string{"3:78 array-member"}},
	{"member of a result", clean("typedef struct packed { logic [3:0] h; logic [3:0] l; } s_t; function automatic s_t f(input logic [7:0] x); f.h = x[7:4]; f.l = x[3:0]; endfunction assign y = f(a);"), []string{"3:109 result-member", "3:123 result-member"}},
	{"initial value that reads a signal", clean("logic [7:0] q = a ^ 8'd1; assign y = q;"), []string{"3:13 declaration-init"}},
	{"initial value", clean("logic [7:0] q = 8'd1; always_ff @(posedge clk) q <= a; assign y = q;"), []string{"3:13 initial-value"}},
	{"initial value, always", clean("logic [7:0] q = 8'd1; always @(posedge clk) q <= a; assign y = q;"), []string{"3:13 initial-value"}},
	{"value of what nothing writes", clean("logic [7:0] q = 8'd1; assign y = q ^ a;"), nil},
	{"names in two cases", clean("localparam int unsigned WIDE = 8; logic [WIDE-1:0] wide; assign wide = a; assign y = wide;"), []string{"3:52 similar-name"}},
	{"a parameter and an instance in two cases", nettype + leaf + body("localparam int unsigned U = 1; leaf u (.i (a), .o (y));") + "`resetall", []string{"6:37 similar-name"}},
	{"names in two cases, in two scopes", clean("localparam int unsigned W = 8; if (W == 8) begin : g_w logic [7:0] w; assign w = a; assign y = w; end"), nil},
	{"negative replication", clean("localparam int N = -1; assign y = 8'({a, {N{1'b0}}});"), []string{"3:42 negative-replication"}},
	{"guarded replication", clean("localparam int N = -1; if (N > 0) begin : g assign y = 8'({a, {N{1'b0}}}); end else begin : h assign y = a; end"), nil},
	{"'1 as a constant", clean("localparam logic [7:0] K = '1; assign y = a ^ K;"), []string{"3:28 constant-ones"}},
	{"'1 as a parameter's value", nettype + leaf + "module t (input wire logic [7:0] a, output logic [7:0] y); leaf #(.W ('1)) u (.i (a), .o (y)); endmodule\n`resetall", []string{"5:71 constant-ones"}},
	{"'1 as an element's value", clean("typedef enum logic [7:0] {K, B = '1} e_t; e_t e; assign e = B; assign y = e;"), []string{"3:34 constant-ones"}},
	{"'1 in an operation on constants", clean("localparam int unsigned K = 3; assign y = a & (8'(K) ^ ('1));"), []string{"3:57 constant-ones"}},
	{"'1 compared with a constant", clean("for (genvar g = 0; g < 8; g++) begin : g_bit assign y[g] = a[g] && 3'(g) == '1; end"), []string{"3:77 constant-ones"}},
	{"'1 compared with the variable of a loop", clean("always_comb begin y = a; for (int i = 0; i < 3; i++) if (2'(i) == '1) y = 8'd0; end"), []string{"3:67 constant-ones"}},
	{"'1 inverted", clean("assign y = a ^ ~'1;"), []string{"3:17 constant-ones"}},
	{"'1 chosen by a constant", clean("localparam bit K = 1'b1; assign y = K ? '1 : a;"), []string{"3:41 constant-ones"}},
	{"'1 as a case of a constant", clean("localparam logic [7:0] K = 8'hff; always_comb case (K) '1: y = a; default: y = 8'd0; endcase"), []string{"3:56 constant-ones"}},
	{"'1 in a function, and as its argument", clean("function automatic logic [7:0] f(input logic [7:0] x); f = x ^ '1; endfunction assign y = a ^ f('1);"), []string{"3:64 constant-ones", "3:97 constant-ones"}},
	{"'1 in a condition of a generate", clean("if (2'd3 == '1) begin : g assign y = a; end else begin : h assign y = 8'd0; end"), []string{"3:13 constant-ones"}},
	{"'1 beside signals, and in a size cast", clean("localparam logic [7:0] K = 8'('1); always_comb case (a) '1: y = '1; default: y = a[0] ? '1 : (a == '1) ? a & '1 : a ^ K; endcase"), nil},
	{"cast of a replication in a concatenation", clean("assign y = {a[3:0], a[7:4] ^ 4'({2{a}})};"), []string{"3:30 cast-operand"}},
	{"cast of a part in a comparison", clean("assign y = {7'd0, (a[3:0] + 4'(a[7:1])) > 4'd3};"), []string{"3:29 cast-operand"}},
	{"cast of a concatenation that is inverted", clean("assign y = {7'd0, ~(4'({a, a})) == 4'd3};"), []string{"3:21 cast-operand"}},
	{"cast of an operation as an amount", clean("assign y = a >> (a[2:0] + 3'(a[7:0] - 8'd1));"), []string{"3:27 cast-operand"}},
	{"cast in a concatenation, an assignment, another cast, and of a name", clean("logic [3:0] b; assign b = a[3:0] ^ 4'({2{a}}); assign y = {4'({2{a}}), 4'(b ^ 4'({2{a}}))} ^ {4'(b) ^ b, 4'd0};"), nil},
	{"interface", nettype + "interface i_if; logic a; endinterface\nmodule t (i_if i, output logic y); assign y = 1'b0; endmodule\n`resetall", []string{"2:1 interface", "3:16 interface"}},
	{"final", clean("assign y = a; final $display(\"x\");"), []string{"3:15 final-block"}},
	{"concurrent assertion", clean("assign y = a; assert property (@(posedge clk) a[0] |-> a[1]);"), []string{"3:15 concurrent-assertion"}},
	{"assertion with else", clean("assign y = a; always_comb assert (a != 8'd0) else $error(\"x\");"), []string{"3:27 assert-action"}},
	{"assertion", clean("assign y = a; always_comb assert (a != 8'd0);"), []string{"3:27 assert-cell"}},
	{"assertion for simulators", clean("assign y = a;\n`ifndef SYNTHESIS\nalways_comb assert (a != 8'd0) else $error(\"x\");\n`endif"), nil},
	{"sequence", clean("assign y = a; assert property (@(posedge clk) a[0] ##1 a[1]);"), []string{"3:15 concurrent-assertion", "3:52 sequence"}},
	{"repetition", clean("assign y = a; assert property (@(posedge clk) a[0] [*2] |-> a[1]);"), []string{"3:15 concurrent-assertion", "3:52 sequence"}},
	{"property and", clean("assign y = a; assert property (@(posedge clk) a[0] and a[1]);"), []string{"3:15 concurrent-assertion", "3:47 sequence"}},
	{"iff", clean("always_ff @(posedge clk iff a[0]) y <= a;"), []string{"3:13 event-iff"}},
	{"default of a port", nettype + "module t (input wire logic a = 1'b0, output logic y); assign y = a; endmodule\n`resetall", []string{"2:11 port-default"}},
	{"net type", clean("wor logic [7:0] w; assign w = a; assign y = w;"), []string{"3:1 net-type"}},
	{"mixed drivers", clean("logic [1:0] q; always_ff @(posedge clk) q[0] <= a[0]; assign q[1] = a[1]; assign y = {6'd0, q};"), []string{"3:62 mixed-drivers"}},
	{"alternative drivers", clean("localparam int K = 1; if (K == 0) begin : g assign y = a; end else if (K == 1) begin : h always_ff @(posedge clk) y <= a; end else begin : i assign y = 8'd0; end"), nil},
	{"delay", clean("always_ff @(posedge clk) y <= #1 a;"), []string{"3:26 timing"}},
	{"wait in a block", clean("assign y = a; always begin @(posedge clk); end"), []string{"3:28 timing"}},
	{"fatal", clean("assign y = a; if (0) begin : g $fatal(1, \"no\"); end"), []string{"3:32 elab-task"}},
	{"formatted error", clean("assign y = a; if (0) begin : g $error(\"%0d\", 3); end"), []string{"3:32 elab-text"}},
	{"error", clean("assign y = a; if (0) begin : g $error(\"no\"); end"), nil},
	{"distributed ROM", clean("(* rom_style = \"distributed\" *) logic [7:0] m [0:255]; initial for (int i = 0; i < 256; i++) m[i] = 8'(i * i); always_ff @(posedge clk) y <= m[a];"), []string{"3:4 rom-distributed"}},
	{"timeunit", clean("timeunit 1ns; assign y = a;"), []string{"3:1 timeunit"}},
	{"unit scope", nettype + "localparam int unsigned W = 8;\nmodule t (input wire logic [7:0] a, output logic [7:0] y); assign y = a + 8'($unit::W); endmodule\n`resetall", []string{"3:78 unit-scope"}},
	{"no default_nettype", body("assign y = a;"), []string{"1:8 default-nettype"}},
	{"default_nettype wire", "`default_nettype wire\n" + body("assign y = a;"), []string{"2:8 default-nettype"}},
	{"no resetall", nettype + body("assign y = a;"), []string{"5:1 resetall"}},
	{"dot star", nettype + leaf + "module t (input wire logic [7:0] i, output logic [7:0] o); leaf u (.*); endmodule\n`resetall", []string{"5:68 dot-star"}},
	{"by position", nettype + leaf + "module t (input wire logic [7:0] i, output logic [7:0] o); leaf #(8) u (i, o); endmodule\n`resetall", []string{"5:67 positional", "5:73 positional", "5:76 positional"}},
	{"initial", clean("logic [7:0] q; initial q = 8'd1; always_ff @(posedge clk) q <= a; assign y = q;"), []string{"3:59 initial-and-process"}},
	{"initial value of what no process keeps", clean("logic [7:0] q; initial q = 8'd1; assign y = q ^ a;"), []string{"3:24 initial"}},
	{"initial value of a register without reset", clean("logic [7:0] q; initial begin q = 8'd1; end always @(posedge clk) q <= a; assign y = q;"), nil},
	{"memory file", clean("logic [7:0] m [0:255]; initial $readmemh(\"x.mem\", m); always_ff @(posedge clk) y <= m[a];"), nil},
	{"initial beside always_ff", clean("logic [7:0] m [0:3]; initial begin m[0] = 8'd1; end always_ff @(posedge clk) begin m[a[1:0]] <= a; m[a[3:2]] <= a; end assign y = m[0];"), []string{"3:84 initial-and-process"}},
	{"initial beside always_comb", clean("logic [7:0] m [0:3]; initial m[0] = 8'd1; always_comb m[a[1:0]] = a; assign y = m[0];"), []string{"3:55 initial-and-process"}},
	{"initial beside always", clean("logic [7:0] m [0:3]; initial m[0] = 8'd1; always @(posedge clk) m[a[1:0]] <= a; assign y = m[0];"), nil},
	{"initial beside always_ff of another branch", clean("logic [7:0] m [0:3]; if (1) begin : g_i initial m[0] = 8'd1; end else begin : g_f always_ff @(posedge clk) m[1] <= a; end assign y = m[0];"), nil},
	{"used before it is declared", clean("assign y = b; logic [7:0] b; assign b = a;"), []string{"3:12 declared-later"}},
	{"assigned before it is declared", clean("always_ff @(posedge clk) b <= a; logic [7:0] b; assign y = b;"), []string{"3:26 declared-later"}},
	{"connected before it is declared", nettype + leaf + body("leaf u (.i (a), .o); logic [7:0] o; assign y = o;") + "`resetall", []string{"6:17 declared-later"}},
	{"a parameter used before it is declared", clean("logic [W-1:0] b; localparam int unsigned W = 8; assign b = a; assign y = b;"), []string{"3:8 declared-later"}},
	{"a type used before it is declared", clean("b_t b; typedef logic [7:0] b_t; assign b = a; assign y = b;"), []string{"3:1 declared-later"}},
	{"declared in an outer scope, and later in the block", clean("logic [7:0] b; assign b = a; if (1) begin : g assign y = b; logic [7:0] c; assign c = b; end"), nil},
	{"function used before it is declared", clean("assign y = f(a); function automatic logic [7:0] f(input logic [7:0] x); f = x; endfunction"), nil},
	{"casez", clean("always_comb casez (a) 8'b1???????: y = 8'd1; default: y = 8'd0; endcase"), []string{"3:13 casez"}},
	{"unknown value", clean("assign y = a[0] ? a : 'x;"), []string{"3:23 unknown-value"}},
	{"hierarchical reference", clean("if (1) begin : g logic [7:0] b; assign b = a; end assign y = g.b;"), []string{"3:62 hierarchical"}},
	{"structure member", clean("typedef struct packed { logic [7:0] x; } s_t; s_t s; assign s.x = a; assign y = s.x;"), nil},
	{"port without direction", nettype + "module t (a); endmodule\n`resetall", []string{"2:11 port-direction"}},
}

func TestCheck(t *testing.T) {
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("t.sv", tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range Check(f) {
				got = append(got, fmt.Sprintf("%d:%d %s", x.Pos.Line, x.Pos.Col, x.Rule))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), strings.Join(tt.want, ", "))
			}
		})
	}
}

func TestEveryRuleHasAnExample(t *testing.T) {
	for _, r := range Rules() {
		if !slices.ContainsFunc(examples, func(e struct {
			name, text string
			want       []string
		}) bool {
			return slices.ContainsFunc(e.want, func(w string) bool { return strings.HasSuffix(w, " "+r.Name) })
		}) {
			t.Errorf("rule %s has no example", r.Name)
		}
	}
}

func TestFindingText(t *testing.T) {
	f, err := Parse("t.sv", clean("assign y = {<<{a}};"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "t.sv:3:12: '{<<{a}}': Yosys rejects streaming operators; use a for loop over the bits (streaming)"
	if got := Check(f)[0].String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An assertion file is read by simulators only.
func TestCheckBench(t *testing.T) {
	const text = nettype + "module t_sva (input wire logic clk, a);\n  assert property (@(posedge clk) a |=> a ##1 a) else $error(\"x\");\nendmodule\n"
	for _, tt := range []struct{ file, text, want string }{
		{"t_sva.sv", text + "`resetall", "3:43 sequence"},
		{"t.sv", text + "bind t t_sva u (.*);\n`resetall", "3:43 sequence"},
		{"t.sv", text + "`resetall", "3:3 concurrent-assertion, 3:43 sequence"},
		{"t_sva.sv", text, "3:43 sequence, 5:1 resetall"},
	} {
		f, err := Parse(tt.file, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range Check(f) {
			got = append(got, fmt.Sprintf("%d:%d %s", x.Pos.Line, x.Pos.Col, x.Rule))
		}
		if g := strings.Join(got, ", "); g != tt.want {
			t.Errorf("%s: got %s, want %s", tt.file, g, tt.want)
		}
	}
}

// needTool returns the path of a program the test cannot do without.
func needTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: install it with apt-get install %s", name, name)
	}
	return path
}

// The rules are claims about three programs: an example that breaks a rule of
// kind "rejects" must stop the tool it names, and an example without a finding
// must pass all.
func TestToolsAgree(t *testing.T) {
	yosys, verilator := needTool(t, "yosys"), needTool(t, "verilator")
	var designs []synth.LintRequest
	for _, tt := range examples {
		designs = append(designs, synth.LintRequest{Top: "t", Files: []synth.File{{Name: "t.sv", Text: tt.text}}})
	}
	slang, err := synth.Slang(t.Context(), designs)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"t.sv": tt.text, "x.mem": strings.Repeat("0\n", 256)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			run := func(name string, args ...string) (bool, string) {
				cmd := exec.CommandContext(t.Context(), name, args...)
				cmd.Dir = dir
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				return cmd.Run() == nil, out.String()
			}
			accepts := map[Tool]bool{}
			said := map[Tool]string{}
			accepts[Yosys], said[Yosys] = run(yosys, "-q", "-p", "read_verilog -sv t.sv; hierarchy -check -top t; proc; check -assert")
			accepts[Verilator], said[Verilator] = run(verilator, "--lint-only", "--assert", "-Wno-fatal", "--top-module", "t", "t.sv")
			// slang is asked only for the rules about it: it also warns of style.
			accepts[Slang] = true
			for _, f := range slang[i] {
				if f.Rule == "UsedBeforeDeclared" || f.Rule == "multiple-always-assigns" {
					accepts[Slang], said[Slang] = false, f.String()
				}
			}
			if tt.want == nil {
				for tool, ok := range accepts {
					if !ok {
						t.Errorf("no finding, but %s says: %s", tool, said[tool])
					}
				}
			}
			for _, w := range tt.want {
				_, name, _ := strings.Cut(w, " ")
				if r := rules[name]; r.Rejects && accepts[r.Tool] {
					t.Errorf("rule %s says that %s rejects this, but it does not", name, r.Tool)
				}
			}
		})
	}
}

// Yosys computes wrongly with '1 where the rule finds it, and nowhere else: its result for the text
// differs from its result with a number of the right width.
func TestConstantOnes(t *testing.T) {
	yosys := needTool(t, "yosys")
	const function = "function automatic logic [7:0] f(input logic [7:0] x); f = x & %s; endfunction assign y = a & f(8'd3);"
	for _, tt := range []struct{ text, sized string }{
		{"localparam logic [7:0] K = %s; assign y = a ^ K;", "8'd255"},
		{"localparam int unsigned K = 3; assign y = a & (8'(K) ^ %s);", "8'd255"},
		{"for (genvar g = 0; g < 8; g++) begin : g_bit assign y[g] = 3'(g) == %s; end", "3'd7"},
		{"assign y = a ^ ~%s;", "8'd255"},
		{"localparam bit K = 1'b1; assign y = K ? %s : a;", "8'd255"},
		{"localparam logic [7:0] K = 8'hff; always_comb case (K) %s: y = a; default: y = 8'd0; endcase", "8'd255"},
		{"if (2'd3 == %s) begin : g assign y = a; end else begin : h assign y = 8'd0; end", "2'd3"},
		{function, "8'd255"},
		{"localparam logic [7:0] K = 8'(%s); assign y = a ^ K;", "8'd255"},
		{"assign y = a[0] ? %s : 8'd0;", "8'd255"},
		{"assign y = a & %s;", "8'd255"},
		{"always_comb case (a) %s: y = a; default: y = 8'd0; endcase", "8'd255"},
	} {
		text := clean(fmt.Sprintf(tt.text, "'1"))
		f, err := Parse("t.sv", text)
		if err != nil {
			t.Fatal(err)
		}
		if found, differs := len(Check(f)) > 0, yosysDiffers(t, yosys, text, clean(fmt.Sprintf(tt.text, tt.sized))); found != differs {
			t.Errorf("%s: found is %v, but Yosys' result is wrong: %v", tt.text, found, differs)
		}
	}
}

// Yosys makes an operation too wide where the rule finds a cast, and nowhere else: its result for
// the text differs from its result with a signal in place of the cast.
func TestCastOperand(t *testing.T) {
	yosys := needTool(t, "yosys")
	for _, text := range []string{
		"assign y = {a[3:0], a[7:4] ^ %s};",
		"assign y = {2{a[7:4] & %s}};",
		"assign y = {a[3:0], a[0] ? a[7:4] : %s};",
		"assign y = {7'd0, (a[7:4] + %s) > 4'd3};",
		"assign y = {7'd0, &(a[7:4] | %s)};",
		"assign y = {7'd0, !(a[7:4] + %s)};",
		"assign y = {7'd0, ~(%s) == 4'd3};",
		"assign y = (a[7:4] + %s) ? a : 8'd1;",
		"assign y = a >> (a[7:4] + %s);",
		"logic [3:0] b; assign b = (a[7:4] + %s) >> 1; assign y = {4'd0, b};",
		"assign y = {a[3:0], %s};",
		"assign y = {7'd0, %s > 4'd3};",
		"assign y = {7'd0, &(%s)};",
		"assign y = a ^ %s;",
		"assign y = {a[3:0], 4'(a[7:4] ^ %s)};",
		"logic [3:0] b; assign b = %s >> 1; assign y = {4'd0, b};",
	} {
		const cast = "4'({a[6:0], a[7]})"
		text = "logic [3:0] m; assign m = " + cast + "; " + text
		wide := clean(fmt.Sprintf(text, cast))
		f, err := Parse("t.sv", wide)
		if err != nil {
			t.Fatal(err)
		}
		if found, differs := len(Check(f)) > 0, yosysDiffers(t, yosys, wide, clean(fmt.Sprintf(text, "m"))); found != differs {
			t.Errorf("%s: found is %v, but Yosys' result is wrong: %v", text, found, differs)
		}
	}
}

// The smallest example of it, a constant: Verilator has its upper bits, Yosys has not.
func TestCastOperandLosesBits(t *testing.T) {
	yosys, verilator := needTool(t, "yosys"), needTool(t, "verilator")
	const text = nettype + "module t;\n  localparam logic [3:0] A = 4'd5;\n  localparam logic [11:0] K = {A, 8'd0 ^ 8'({3{A}})};\n" +
		"  if (K != 12'h555) begin : g $error(\"the upper bits are lost\"); end\nendmodule\n`resetall"
	f, err := Parse("t.sv", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := Check(f); len(got) != 1 || got[0].Rule != "cast-operand" {
		t.Errorf("found %v, want cast-operand", got)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "t.sv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		right bool
		argv  []string
	}{
		{true, []string{verilator, "--lint-only", "--top-module", "t", "t.sv"}},
		{false, []string{yosys, "-q", "-p", "read_verilog -sv t.sv; hierarchy -check -top t"}},
	} {
		cmd := exec.CommandContext(t.Context(), x.argv[0], x.argv[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if lost := bytes.Contains(out, []byte("the upper bits are lost")); lost == x.right || (err == nil) != x.right {
			t.Errorf("%s: %v\n%s", x.argv[0], err, out)
		}
	}
}

// yosysDiffers reports whether Yosys makes different circuits of two texts.
func yosysDiffers(t *testing.T, yosys, a, b string) bool {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.sv": a, "b.sv": b} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), yosys, "-q", "-p", "read_verilog -sv a.sv; proc; rename t a; read_verilog -sv b.sv; proc; rename t b; "+
		"miter -equiv -flatten a b both; sat -verify -prove trigger 0 both")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && !bytes.Contains(out, []byte("proof did fail")) {
		t.Fatalf("%v\n%s\n%s", err, a, out)
	}
	return err != nil
}

// Verilator computes the same constants, to the width and the bit.
func TestConstantsAgree(t *testing.T) {
	verilator := needTool(t, "verilator")
	got, err := Elaborate(constantsFile(t)).Module("t").Params(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(constPkg + "module t;\n")
	for i, c := range constants {
		v, _ := new(big.Int).SetString(got[i].Value, 10)
		fmt.Fprintf(&b, "  localparam C%d = %s;\n  if ($bits(C%d) != %d || unsigned'(C%d) != %d'h%x) begin : g%d $error(\"constant %d\"); end\n",
			i, c.expr, i, got[i].Width, i, got[i].Width, mask(v, got[i].Width), i, i)
	}
	b.WriteString("  if (1) begin : g_alive $error(\"the checks are alive\"); end\nendmodule\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "t.sv"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), verilator, "--lint-only", "-Wno-fatal", "--top-module", "t", "t.sv")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("the checks are alive")) {
		t.Fatalf("Verilator did not evaluate the checks:\n%s", out)
	}
	for i, c := range constants {
		if bytes.Contains(out, fmt.Appendf(nil, "constant %d\n", i)) {
			t.Errorf("%s: got %s in %d bits, Verilator differs", c.expr, got[i].Value, got[i].Width)
		}
	}
}
