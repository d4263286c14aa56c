// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/rtl"
)

// clocked registers the part's outputs: co-simulation wants a clock.
const clocked = `
module clocked #(parameter int unsigned WIDTH = 8) (
  input  wire logic clk, input wire logic [3*WIDTH-1:0] copies, output logic [WIDTH-1:0] word, output logic differ
);
  logic [WIDTH-1:0] now;
  logic             odd;

  nic_lib_vote #(.WIDTH (WIDTH)) vote (.copies (copies), .word (now), .differ (odd));

  always_ff @(posedge clk) begin
    word   <= now;
    differ <= odd;
  end
endmodule
`

// The vote returns the majority of three copies for each bit, and reports whether they differ: for
// every input of words of one to three bits, and for words of 21 bits after no, one, two and more
// flips.
func TestVote(t *testing.T) {
	parts, err := rtl.Parts("nic_lib_vote")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{1, 2, 3, 21} {
		sim, err := cosim.Open(t.Context(), cosim.Source{Top: "clocked", Params: map[string]string{"WIDTH": fmt.Sprint(width)},
			Files: []cosim.File{{Name: parts[0].Name, Text: parts[0].Text}, {Name: "clocked.sv", Text: clocked}}})
		if err != nil {
			t.Fatal(err)
		}
		mask := uint64(1)<<width - 1
		try := func(copies uint64) {
			a, b, c := copies&mask, copies>>width&mask, copies>>(2*width)&mask
			var word, differ uint64
			for i := range width {
				if ones := a>>i&1 + b>>i&1 + c>>i&1; ones > 1 {
					word |= 1 << i
				}
			}
			if a != b || a != c {
				differ = 1
			}
			sim.Set("copies", copies)
			sim.Step(1)
			if w, d := sim.Get("word"), sim.Get("differ"); w != word || d != differ {
				t.Errorf("width %d: copies %x, %x, %x: word %x, differ %d; want %x, %d", width, a, b, c, w, d, word, differ)
			}
		}
		if width <= 3 {
			for copies := range uint64(1) << (3 * width) {
				try(copies)
			}
		} else {
			for n := range 20_000 {
				word := rng.Uint64() & mask
				copies := word | word<<width | word<<(2*width)
				for range n % 5 {
					copies ^= 1 << rng.IntN(3*width)
				}
				try(copies)
			}
		}
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	}
}
