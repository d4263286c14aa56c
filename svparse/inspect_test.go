// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Constructs of other people's files that nicgen does not emit are read, and a "?" is explained.
func TestWriteText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"members and elements of parameters", `
typedef struct packed { int unsigned w; bit [3:0] z; } cfg_t;
typedef struct { logic [6:0] x; int y [2]; } open_t;
localparam cfg_t C0 = '{w: 12, z: 3};
module m #(parameter cfg_t C = C0, parameter int W [3] = '{1, 2, 5}, parameter open_t O = '{x: 7, y: '{8, 9}})
  (input logic [C.w-1:0] a, input logic [C0.z:0] b, input logic [W[2]-1:0] c, input logic [O.y[1]-1:0] d,
   input logic [cfg_t'{default: 2}.w:0] e);
endmodule`, `
module m
  parameters
    C  cfg_t    C0 = 195
    W  int [3]  '{1, 2, 5}
    O  open_t   '{x: 7, y: '{8, 9}}
  ports
    input  a  12  [C.w-1:0]
    input  b  4   [C0.z:0]
    input  c  5   [W[2]-1:0]
    input  d  9   [O.y[1]-1:0]
    input  e  3   [cfg_t'{default: 2}.w:0]
`},
		{"ranges of enumeration names, arrays of types", `
package p;
  typedef enum {S[3], T[5:7] = 10, U} seq_t;
  typedef logic [1:0][3:0] mat_t [4];
endpackage
module m (input logic [p::U-1:0] a, input logic [p::T6-1:0] b, input p::mat_t c, input logic [1:0][3:0] d [4], e);
endmodule`, `
package p
  types
    seq_t  32  enum {S[3], T[5:7] = 10, U}
    mat_t  32  logic [1:0][3:0][4]

module m
  ports
    input  a  13  [p::U-1:0]
    input  b  11  [p::T6-1:0]
    input  c  32  p::mat_t
    input  d  32  [1:0][3:0][4]
    input  e  8   [1:0][3:0]
`},
		{"type parameters behind others", `
module m #(parameter type X = logic [4:0], Y = X, Z = logic signed [2:0], parameter int N = 3)
  (input X x, input Y y, input Z z, input logic [N-1:0] n);
endmodule`, `
module m
  parameters
    X  type  logic [4:0]
    Y  type  X
    Z  type  logic signed [2:0]
    N  int   3
  ports
    input  x  5         X
    input  y  5         Y
    input  z  3 signed  Z
    input  n  3         [N-1:0]
`},
		{"byte-order mark", "\ufeffmodule m (input logic [2:0] a);\nendmodule", `
module m
  ports
    input  a  3  [2:0]
`},
		{"ports of the body", `
module m (a, b, c, d);
  parameter W = 6;
  input [W-1:0] a;    // the first
  output reg [2*W-1:0] b;
  inout wire c, d;
endmodule`, `
module m
  parameters
    W    6
  ports
    input   a  6   [W-1:0]       the first
    output  b  12  reg[2*W-1:0]
    inout   c  1
    inout   d  1
`},
		{"modports", `
interface bus #(parameter int DW = 8) (input logic clk);
  logic [DW-1:0] data; logic v;
  modport src (output data, v, import function int f(int x), task t(), import g), other (export task u, .w(v));
  modport snk (input data, v, clocking cb);
  function automatic int f(int x); return x + 1; endfunction
endinterface`, `
interface bus
  parameters
    DW  int  8
  ports
    input  clk  1
`},
		{"exports of packages", `
package a; localparam int N = 7; localparam int M = 3; endpackage
package b; import a::*; export a::*; endpackage
package c; export a::M; endpackage
package d; import a::*; endpackage
module m (input logic [b::N-1:0] x, input logic [c::M-1:0] y, input logic [d::N-1:0] z);
endmodule`, `
package a
  localparams
    N  int  7
    M  int  3

package b

package c

package d

module m
  ports
    input  x  7  [b::N-1:0]
    input  y  3  [c::M-1:0]
    input  z  ?  [d::N-1:0]
    ? t.sv:6:76: package d has no N
`},
		{"why a width is not known", `
package p; typedef x::t t; endpackage
module m #(parameter int N = 2, parameter real R = 1.5) (input x::t a, input logic [$random:0] b, input logic [N-3:0] c, input x::t d, e);
  input e;
endmodule`, `
package p
  types
    t  ?  x::t
    ? t.sv:2:20: package x is not in the files: give its file too

module m
  parameters
    N  int   2
    R  real  1.5
  ports
    input  a  ?  x::t
    input  b  ?  [$random:0]
    input  c  2  [N-3:0]
    input  d  ?  x::t
    input  e  ?  x::t
    ? t.sv:3:64: package x is not in the files: give its file too
    ? t.sv:3:85: $random: $random cannot be evaluated as a constant
    ? t.sv:3:128: package x is not in the files: give its file too
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("t.sv", c.text)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := WriteText(&b, f); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff("file t.sv\n"+c.want, b.String()); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// Mistakes in an assignment pattern or a range of names are reported.
func TestUnknown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"typedef struct packed { int a; int b; } t; localparam t P = '{1}; module m (input logic [P.a:0] x); endmodule", "an assignment pattern of 1 values, want 2"},
		{"typedef struct packed { int a; int b; } t; localparam t P = '{a: 1}; module m (input logic [P.a:0] x); endmodule", "an assignment pattern without a value for b"},
		{"typedef struct packed { int a; int b; } t; localparam t P = '{c: 1, default: 2}; module m (input logic [P.a:0] x); endmodule", "c is no part of what the assignment pattern is for"},
		{"localparam int L [2] = '{1, 2, 3}; module m (input logic [L[0]:0] x); endmodule", "an assignment pattern of 3 values, want 2"},
		{"localparam int L [2] = '{0: 1}; module m (input logic [L[0]:0] x); endmodule", "an assignment pattern without a value for index 1"},
		{"localparam L [2] = '{1, 2}; module m (input logic [L[0]:0] x); endmodule", "L is an array without a type: write the type of its elements"},
		{"localparam int L = '{3{1}}; module m (input logic [L:0] x); endmodule", "an assignment pattern of 3 values, want 32"},
		{"typedef enum {A[1000000]} e; module m (input logic [A:0] x); endmodule", "A[1000000]: bound 1000000, want a number of at most 4095"},
		{"module m (x); endmodule", "port x has no direction: want input or output before it"},
		{"package a; export b::N; endpackage package b; export a::N; endpackage module m (input logic [a::N:0] x); endmodule", "more than 200 packages that export each other's N"},
	} {
		f, err := Parse("t.sv", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		p := f.Modules[0].Ports[0]
		if p.Width != 0 || !strings.HasSuffix(p.Unknown, ": "+c.want) {
			t.Errorf("%s: width %d, %q, want %q", c.text, p.Width, p.Unknown, c.want)
		}
	}
}

// An invisible character is named by its number.
func TestInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"module m;\u200bendmodule": "t.sv:1:10: stray character U+200B: no SystemVerilog token starts with it",
		"module m;\u00a0endmodule": "t.sv:1:10: stray character U+00A0: no SystemVerilog token starts with it",
		"module m;§endmodule":      "t.sv:1:10: stray character '§': no SystemVerilog token starts with it",
	} {
		if _, err := Parse("t.sv", text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
