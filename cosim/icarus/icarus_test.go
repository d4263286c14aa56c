// SPDX-License-Identifier: Apache-2.0

package icarus

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/verilator"
)

// The bench connects every port to its place, and gives bits of the answer that no port
// has a value.
func TestBench(t *testing.T) {
	pin := func(name string, width, word int, shift uint) verilator.Pin {
		return verilator.Pin{Port: verilator.Port{Name: name, Width: width}, Word: word, Shift: shift}
	}
	got := Bench("m", "ck", map[string]string{"B": "2", "A": "1"},
		[]verilator.Pin{pin("a", 3, 0, 2)}, []verilator.Pin{pin("x", 2, 0, 4), pin("y", 65, 1, 0)}, 1, 3)
	const want = `module nicgen_bench;
  reg clk = 0;
  reg [63:0] in = 0;
  wire [191:0] out;
  reg [191:0] seen;
  m #(.A(1), .B(2)) dut (.ck(clk), .a(in[2+:3]), .x(out[4+:2]), .y(out[64+:65]));
  assign out[0+:4] = 0;
  assign out[6+:58] = 0;
  assign out[129+:63] = 0;
`
	if len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("got\n%s\nwant at its start\n%s", got, want)
	}
}

// An answer is hexadecimal, or binary if bits of it are unknown; what is cut off or
// no number is refused.
func TestParse(t *testing.T) {
	const zeros = "00000000000000000000000000000000"
	for _, c := range []struct {
		text         string
		out, unknown []uint64
		err          string
	}{
		{"000000000000000200000000000000ab", []uint64{0xab, 2}, []uint64{0, 0}, ""},
		{zeros + "00000000000000000000000000000x1z" + zeros + "0000000000000000000000000000010x", []uint64{4, 2}, []uint64{1, 5}, ""},
		{"0000000000000002", nil, nil, "answer of vvp: 16 digits, want 128"},
		{"000000000000000200000000000000ag", nil, nil, `answer of vvp: "000000000000000200000000000000ag"`},
	} {
		out, unknown := make([]uint64, 2), []uint64{7, 7}
		err := parse(c.text, out, unknown)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: got %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || !slices.Equal(out, c.out) || !slices.Equal(unknown, c.unknown) {
			t.Errorf("%s: %x, unknown %x, %v: want %x and %x", c.text, out, unknown, err, c.out, c.unknown)
		}
	}
}
