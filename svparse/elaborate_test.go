// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"fmt"
	"strings"
	"testing"
)

const constPkg = `
package p;
  localparam int unsigned W = 12;
  localparam logic [15:0] MASK = 16'hF0F0;
  typedef logic [W-1:0] word_t;
  typedef struct packed { word_t data; logic [1:0][3:0] keep; logic last; } beat_t;
  typedef union packed { beat_t b; logic [20:0] raw; } either_u;
  typedef enum logic [2:0] { IDLE, RUN = 3'd4, STOP } state_e;
  localparam state_e FIRST = RUN;
  localparam beat_t BEAT = {12'hABC, 8'h5A, 1'b1};
  typedef struct packed { logic [7:0] a; logic [3:0] b; } pair_t;
  typedef struct packed { pair_t p; logic c; } nest_t;
  localparam pair_t PAIR = '{b: 5, a: 9};
  localparam pair_t PLACED = '{3, 4};
  localparam nest_t NEST = '{p: '{1, 2}, default: 1};
  localparam int LIST [3] = '{7, 8, 9};
  localparam logic [3:0] DOWN [5:3] = '{4'd1, 4'd2, 4'd3};
  localparam logic [1:0][3:0] SAME = '{default: 4'd6};
  typedef enum logic [7:0] { A[3], B[5:7] = 10, C[9:8], D } seq_e;
  function automatic int unsigned idx_width(input int unsigned n);
    return (n > 1) ? $clog2(n) : 1;
  endfunction
  function automatic int unsigned ones(input logic [15:0] x);
    int k;
    ones = 0;
    for (k = 0; k < 16; k = k + 1) begin
      if (!x[k]) continue;
      ones += 1;
      if (ones == 6) break;
    end
  endfunction
  function automatic logic [7:0] gray(input logic [7:0] x);
    logic [7:0] t;
    t = x;
    while (t[7] == 1'b0) t <<= 1;
    case (t[7:6])
      2'b10, 2'b11: gray = t ^ (t >> 1);
      default: gray = '1;
    endcase
    gray[0] = 1'b1;
    gray[7:6] = 2'b01;
  endfunction
endpackage
`

// Each expression is the value of an untyped localparam; the expected value
// was worked out by hand from IEEE 1800 and agrees with Verilator (see
// TestConstantsAgree).
var constants = []struct {
	expr string
	want string
}{
	{"3 + 4 * 2", "11"},
	{"(1 << 4) - 1", "15"},
	{"7 / 2", "3"},
	{"-7 / 2", "-3"},
	{"-7 % 4", "-3"},
	{"-8 >>> 1", "-4"},
	{"8'h80 >> 3", "16"},
	{"8'sh80 >>> 3", "-16"},
	{"4'd15 + 4'd1", "0"},
	{"4'd15 + 5'd1", "16"},
	{"{4'd15 + 4'd1}", "0"},
	{"2 ** 10", "1024"},
	{"2 ** -1", "0"},
	{"-1 < 0", "1"},
	{"-1 < 32'd0", "0"},
	{"8'hFF == -8'sd1", "1"},
	{"$clog2(256)", "8"},
	{"$clog2(257)", "9"},
	{"$clog2(1)", "0"},
	{"$clog2(0)", "0"},
	{"(p::W > 8) ? p::W : 8", "12"},
	{"{p::MASK[15:8], 4'd5}", "3845"},
	{"p::MASK[4 +: 4]", "15"},
	{"p::MASK[7 -: 4]", "15"},
	{"p::MASK[5]", "1"},
	{"{3{2'b10}}", "42"},
	{"~4'b0101", "10"},
	{"!5", "0"},
	{"&4'hF", "1"},
	{"~|4'h0", "1"},
	{"^4'b0111", "1"},
	{"~^4'b0111", "0"},
	{"4'b1100 ^~ 4'b1010", "9"},
	{"1 && 0 || 1", "1"},
	{"1 ? 2 : 1 / 0", "2"},
	{"3'(9)", "1"},
	{"(p::W - 4)'(300)", "44"},
	{"signed'(4'hF)", "-1"},
	{"unsigned'(-1)", "4294967295"},
	{"int'(8'hFF)", "255"},
	{"byte'(8'hFF)", "-1"},
	{"p::state_e'(5)", "5"},
	{"p::word_t'(4097)", "1"},
	{"$signed(4'h8) + 8'sd0", "-8"},
	{"$unsigned(4'sh8) + 8'd0", "8"},
	{"p::RUN", "4"},
	{"p::STOP", "5"},
	{"p::FIRST", "4"},
	{"p::BEAT.data", "2748"},
	{"p::BEAT.keep[1]", "5"},
	{"p::BEAT.last", "1"},
	{"p::PAIR.a", "9"},
	{"p::PAIR", "149"},
	{"p::PLACED.b", "4"},
	{"p::NEST.p.a", "1"},
	{"p::NEST.c", "1"},
	{"p::LIST[0] * 100 + p::LIST[2]", "709"},
	{"p::DOWN[5] * 100 + p::DOWN[3]", "103"},
	{"p::SAME", "102"},
	{"$size(p::LIST)", "3"},
	{"p::A2", "2"},
	{"p::B6", "11"},
	{"p::C9 * 100 + p::C8", "1314"},
	{"p::D", "15"},
	{"$bits(p::beat_t)", "21"},
	{"$bits(p::either_u)", "21"},
	{"$bits(logic [6:2])", "5"},
	{"$bits(int)", "32"},
	{"$bits(p::MASK)", "16"},
	{"$bits({p::MASK, 1'b0})", "17"},
	{"$size(p::word_t)", "12"},
	{"$countones(p::MASK)", "8"},
	{"$onehot(8'h10)", "1"},
	{"p::idx_width(1000)", "10"},
	{"p::idx_width(1)", "1"},
	{"p::ones(p::MASK)", "6"},
	{"p::gray(8'h13)", "85"},
	{"64'hFFFF_FFFF_FFFF_FFFF * 64'd2", "18446744073709551614"},
	{"128'd1 << 100", "1267650600228229401496703205376"},
	{"8'b1010_1010 | 'h5", "175"},
	{"8'shFF + 0", "-1"},
	{"8'o377", "255"},
	{"16'd12 == 'd12", "1"},
}

func constantsFile(t *testing.T) *File {
	var b strings.Builder
	b.WriteString(constPkg + "module t;\n")
	for i, c := range constants {
		fmt.Fprintf(&b, "  localparam C%d = %s;\n", i, c.expr)
	}
	b.WriteString("endmodule\n")
	f, err := Parse("t.sv", b.String())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestConstants(t *testing.T) {
	f := constantsFile(t)
	got, err := Elaborate(f).Module("t").Params(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range constants {
		if got[i].Value != c.want {
			t.Errorf("%s = %s, want %s", c.expr, got[i].Value, c.want)
		}
	}
}

func TestPortWidths(t *testing.T) {
	const text = constPkg + `
localparam int UNIT = 3;
module m import p::*; #(
  parameter int unsigned N = 4,
  parameter signed S = 8'd200,
  parameter byte B = 200,
  parameter [3:0] V = 20,
  parameter ANY = 3'd5,
  parameter string FILE = "x.mem",
  parameter type T = word_t,
  localparam int unsigned IW = p::idx_width(N)
) (
  input  wire logic clk,
  input  wire logic [IW-1:0] idx, idx2,
  input  wire [0:N-1] up,
  input  signed [N:0] s,
  input  p::beat_t beat,
  input  var p::state_e state,
  input  logic [1:0][N-1:0] two,
  input  T t,
  input  byte b,
  input  byte unsigned ub,
  input  enum { X, Y } e,
  input  struct packed signed { logic a; p::word_t b; } st,
  output logic [BODY-1:0] body,
  output logic [UNIT+W:0] unit,
  output [(S < 0 ? 1 : 2)-1:0] sgn,
  output [B+127:0] bb,
  output [V:0] v,
  output [$bits(ANY)-1:0] any,
  output logic [N*N-1:0] nn
);
  localparam BODY = $bits(beat) + $bits(mem);
  logic [3:0] mem [0:N-1];
endmodule`
	f, err := Parse("m.sv", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		overrides map[string]string
		want      string
	}{
		{"defaults", nil,
			"clk 1, idx 2, idx2 2, up 4, s 5s, beat 21, state 3, two 8, t 12, b 8s, ub 8, e 32s, st 13s, body 37, unit 16, sgn 1, bb 72, v 5, any 3, nn 16"},
		{"one", map[string]string{"N": "1"},
			"clk 1, idx 1, idx2 1, up 1, s 2s, beat 21, state 3, two 2, t 12, b 8s, ub 8, e 32s, st 13s, body 25, unit 16, sgn 1, bb 72, v 5, any 3, nn 1"},
		{"literals", map[string]string{"N": "32'h10", "ANY": "16'd1", "V": "4'b0011", "S": "1", "B": "-1"},
			"clk 1, idx 4, idx2 4, up 16, s 17s, beat 21, state 3, two 32, t 12, b 8s, ub 8, e 32s, st 13s, body 85, unit 16, sgn 2, bb 127, v 4, any 16, nn 256"},
		{"expression", map[string]string{"N": "p::W / 2"},
			"clk 1, idx 3, idx2 3, up 6, s 7s, beat 21, state 3, two 12, t 12, b 8s, ub 8, e 32s, st 13s, body 45, unit 16, sgn 1, bb 72, v 5, any 3, nn 36"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws, err := Elaborate(f).Module("m").PortWidths(tt.overrides)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range ws {
				s := ""
				if w.Signed {
					s = "s"
				}
				got = append(got, fmt.Sprintf("%s %d%s", w.Name, w.Width, s))
			}
			if g := strings.Join(got, ", "); g != tt.want {
				t.Errorf("got  %s\nwant %s", g, tt.want)
			}
		})
	}
}

func TestPortWidthErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		overrides  map[string]string
		want       string
	}{
		{"no module", "module a; endmodule module b; endmodule", nil,
			"module m is not in the files: want one of a, b"},
		{"module twice", "module m; endmodule\nmodule m; endmodule", nil,
			"m.sv:2:8: module m is declared again, first at m.sv:1:8: rename one"},
		{"unknown parameter", "module m #(parameter A = 1, B = 2) (); endmodule", map[string]string{"C": "1"},
			"parameter C is not a parameter of module m: want one of A, B"},
		{"localparam", "module m #(parameter A = 1, localparam B = 2) (); endmodule", map[string]string{"B": "1"},
			"parameter B is a localparam of module m: want A"},
		{"no parameters", "module m; endmodule", map[string]string{"A": "1"},
			"parameter A is not a parameter of module m: want none, it has none"},
		{"broken override", "module m #(parameter A = 1) (); endmodule", map[string]string{"A": "1 +"},
			"value of A:2:1: found ';', expected an expression"},
		{"two overrides in one", "module m #(parameter A = 1) (); endmodule", map[string]string{"A": "1, B = 2"},
			"value of A: '1, B = 2' is more than one expression: want a SystemVerilog constant such as 16 or 8'hFF"},
		{"override with unknown bits", "module m #(parameter A = 1) (input [A:0] a); endmodule", map[string]string{"A": "4'b1x"},
			"value of A:1:1: '4'b1x' has unknown bits, want a number"},
		{"undeclared", "module m (input [W-1:0] a, b); endmodule", nil,
			"m.sv:1:18: W is not declared in module m: declare it, or give the file that does\n" +
				"m.sv:1:18: W is not declared in module m: declare it, or give the file that does"},
		{"missing package", "module m (input p::t a, input logic [p::W:0] b); endmodule", nil,
			"m.sv:1:17: package p is not in the files: give its file too\n" +
				"m.sv:1:38: package p is not in the files: give its file too"},
		{"missing member of package", "package p; endpackage module m (input p::t a); endmodule", nil,
			"m.sv:1:39: package p has no t"},
		{"package twice", "package p; localparam W = 1; endpackage\npackage p; endpackage\nmodule m (input [p::W:0] a); endmodule", nil,
			"m.sv:3:18: package p is declared at m.sv:1:9 and again at m.sv:2:9: rename one"},
		{"not a type", "package p; localparam W = 1; endpackage module m (input p::W a); endmodule", nil,
			"m.sv:1:57: p::W is not a type"},
		{"signal as constant", "module m (input [3:0] a, input [a:0] b); endmodule", nil,
			"m.sv:1:33: a is not a constant"},
		{"circle", "module m #(parameter A = B, B = A) (input [A:0] a); endmodule", nil,
			"m.sv:1:22: A depends on itself"},
		{"no default", "module m #(parameter A) (input [A:0] a); endmodule", nil,
			"m.sv:1:22: parameter A has no default: override it"},
		{"division by zero", "module m #(parameter A = 0) (input [8/A:0] a); endmodule", nil,
			"m.sv:1:37: 8/A divides by zero"},
		{"too wide", "module m (input [32'd2000000:0] a); endmodule", nil,
			"m.sv:1:17: range [32'd2000000:0] is 2000001 wide, want at most 1048576 bits"},
		{"unpacked", "module m (input [3:0] a [2]); endmodule", nil,
			"m.sv:1:23: port a has unpacked dimensions [2]: want one packed vector"},
		{"interface", "module m (axi_if.src a); endmodule", nil,
			"m.sv:1:22: port a is an interface: want flat vectors"},
		{"no direction", "module m (a); endmodule", nil,
			"m.sv:1:11: port a has no direction: want input or output before it"},
		{"string", "module m (input string a); endmodule", nil,
			"m.sv:1:24: port a has type string, want bits"},
		{"real", "module m (input real a); endmodule", nil,
			"m.sv:1:17: type real is not made of bits"},
		{"endless function", "module m (input [f(1):0] a); function int f(int n); while (n > 0) f = n; endfunction endmodule", nil,
			"m.sv:1:64: constant takes more than 1048576 steps: does a loop of its function end?"},
		{"endless recursion", "module m (input [f(1):0] a); function int f(int n); f = f(n); endfunction endmodule", nil,
			"m.sv:1:57: f(n): more than 200 calls within calls"},
		{"system function", "module m (input [$random:0] a); endmodule", nil,
			"m.sv:1:18: $random: $random cannot be evaluated as a constant"},
		{"select outside", "module m #(parameter [3:0] A = 1) (input [A[7:4]:0] a); endmodule", nil,
			"m.sv:1:43: A[7:4] reads outside of the 4 bits there are"},
		{"missing argument", "module m (input [f():0] a); function int f(int n); f = n; endfunction endmodule", nil,
			"m.sv:1:18: f(): argument n of function f is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("m.sv", tt.text)
			if err != nil {
				t.Fatal(err)
			}
			ws, err := Elaborate(f).Module("m").PortWidths(tt.overrides)
			if err == nil {
				t.Fatalf("got %v, want error %q", ws, tt.want)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

// Verilator 5.006 does not take this one.
func TestRecursiveFunction(t *testing.T) {
	f, err := Parse("m.sv", "module m (input [sum(10)-1:0] a); function automatic int sum(int n); "+
		"if (n <= 0) sum = 0; else sum = n + sum(n - 1); endfunction endmodule")
	if err != nil {
		t.Fatal(err)
	}
	ws, err := Elaborate(f).Module("m").PortWidths(nil)
	if err != nil || ws[0].Width != 55 {
		t.Errorf("got %v, %v, want a width of 55", ws, err)
	}
}

func TestFilesTogether(t *testing.T) {
	pkg, err := Parse("p.sv", constPkg)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse("m.sv", "module m (input p::beat_t a); endmodule")
	if err != nil {
		t.Fatal(err)
	}
	if w := m.Modules[0].Ports[0].Width; w != 0 {
		t.Errorf("width without the package: %d, want 0", w)
	}
	Elaborate(m, pkg).Annotate()
	if w := m.Modules[0].Ports[0].Width; w != 21 {
		t.Errorf("width with the package: %d, want 21", w)
	}
}
