// SPDX-License-Identifier: Apache-2.0

package sv_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/internal/toy"
)

func ExampleHeader() {
	fmt.Print(sv.Header(toy.New()))
	// Output:
	// module nic_toy #(
	//   // Structure
	//   parameter int unsigned COUNT_BITS = 8,
	//   parameter int unsigned STEP       = 1,
	//   parameter bit          WRAP       = 1'b1
	// ) (
	//   // Clock and reset
	//   input  wire logic                  clk,
	//   input  wire logic                  rst,
	//
	//   // Run-time settings
	//   input  wire logic [COUNT_BITS-1:0] cfg_limit_ns,
	//   input  wire logic                  cfg_enable,
	//   input  wire logic [1:0]            cfg_direction,
	//
	//   // Count
	//   output logic      [COUNT_BITS-1:0] m_count
	// );
}

func ExampleChecks() {
	fmt.Print(sv.Checks(toy.New()))
	// Output:
	//   if (COUNT_BITS < 2 || COUNT_BITS > 32) begin : g_check_count_bits
	//     $error("COUNT_BITS must be 2 to 32");
	//   end
	//   if (STEP < 1 || STEP > 64 || (STEP & (STEP - 1)) != 0) begin : g_check_step
	//     $error("STEP must be a power of two, 1 to 64");
	//   end
}

func ExampleInstance() {
	fmt.Print(sv.Instance(toy.New(), "u_toy", map[string]string{"cfg_enable": "1'b1"}))
	// Output:
	// nic_toy #(
	//   .COUNT_BITS (8),
	//   .STEP       (1),
	//   .WRAP       (1'b1)
	// ) u_toy (
	//   .clk           (clk),
	//   .rst           (rst),
	//   .cfg_limit_ns  (cfg_limit_ns),
	//   .cfg_enable    (1'b1),
	//   .cfg_direction (cfg_direction),
	//   .m_count       (m_count)
	// );
}

func TestWidths(t *testing.T) {
	for _, c := range []struct {
		n             int64
		log, idx, cnt int
	}{
		{0, 0, 1, 1}, {1, 0, 1, 1}, {2, 1, 1, 2}, {3, 2, 2, 2}, {4, 2, 2, 3}, {5, 3, 3, 3}, {8, 3, 3, 4}, {9, 4, 4, 4},
		{65536, 16, 16, 17}, {1<<63 - 1, 63, 63, 63},
	} {
		if l, i, k := sv.CLog2(c.n), sv.IdxW(c.n), sv.CntW(c.n); l != c.log || i != c.idx || k != c.cnt {
			t.Errorf("%d things: logarithm %d, index %d bits, count %d bits, want %d, %d and %d", c.n, l, i, k, c.log, c.idx, c.cnt)
		}
	}
}

func TestRange(t *testing.T) {
	for width, want := range map[string]string{
		"": "", "1": "", "2": "[1:0]", " 16 ": "[15:0]", "W": "[W-1:0]", "2*W": "[2*W-1:0]", "A+B": "[A+B-1:0]",
		"A?1:B": "[(A?1:B)-1:0]", "(A|B)": "[(A|B)-1:0]", "(A)|(B)": "[((A)|(B))-1:0]", "A<<1": "[(A<<1)-1:0]",
		"$clog2(A<<1)": "[$clog2(A<<1)-1:0]", "$clog2(A)|1": "[($clog2(A)|1)-1:0]",
	} {
		if got := sv.Range(width); got != want {
			t.Errorf("Range(%q) = %q, want %q", width, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	num := func(v, lo, hi int64) gen.Field { return gen.Field{Int: &v, Min: lo, Max: hi} }
	no, third := false, "c"
	for _, c := range []struct {
		name      string
		f         gen.Field
		typ, want string
	}{
		{"small", num(7, 0, 10), "int unsigned", "7"},
		{"above int", num(1<<31, 0, 1<<32-1), "int unsigned", "32'd2147483648"},
		{"negative", num(-3, -8, 7), "int", "-3"},
		{"wide", num(1<<40, 0, 1<<62), "logic [63:0]", "64'd1099511627776"},
		{"wide signed", num(-1<<40, -1<<62, 1<<62), "logic signed [63:0]", "-64'sd1099511627776"},
		{"wide signed, positive", num(5, -1<<62, 1<<62), "logic signed [63:0]", "64'sd5"},
		{"switch", gen.Field{Bool: &no}, "bit", "1'b0"},
		{"choice", gen.Field{Enum: &third, Choices: []string{"a", "b", "c"}}, "int unsigned", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sv.Type(c.f); got != c.typ {
				t.Errorf("type %q, want %q", got, c.typ)
			}
			if got := sv.Literal(c.f); got != c.want {
				t.Errorf("literal %q, want %q", got, c.want)
			}
		})
	}
}

// No check compares an unsigned number with zero, and a range without limits
// that the type does not have already gives no check.
func TestChecksOfFullRange(t *testing.T) {
	if got := sv.Checks(wide{toy.Named("wide")}); got != "" {
		t.Errorf("got %q, want no checks", got)
	}
	if got := sv.Header(wide{toy.Named("wide")}); !strings.HasPrefix(got, "module nic_wide #(\n  parameter int unsigned ANY = 0\n) (\n") {
		t.Errorf("got %s", got)
	}
}

type wide struct{ *toy.Params }

func (wide) Fields() []gen.Field {
	var v int64
	return []gen.Field{{Key: "any", SV: "ANY", Int: &v, Max: 1<<32 - 1}}
}
