// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/benchtest"
	source "github.com/nicgen/nicgen/tb/dcsim_source"
)

// The unit counts its clocks from 0 on, and no run is long enough for the upper bits. Here the count begins shortly before
// each boundary of its range: its 12th, 20th and 31st bit, and where it wraps. Nothing else changes, as only differences
// of times count.
func TestTimeBoundaries(t *testing.T) {
	for _, bits := range []int{12, 20, 31, 32} {
		if sample.LeftOut(t.Name() + "/" + fmt.Sprint(bits)) {
			continue
		}
		t.Run(fmt.Sprintf("2^%d", bits), func(t *testing.T) {
			t.Parallel()
			b := source.Unit.Bench(suite.Configure(t, small+" time_bits=32"))
			const reset = "      now_q       <= '0;\n"
			b.Edit = func(name, text string) string {
				if name != top {
					return text
				}
				if strings.Count(text, reset) != 1 {
					t.Errorf("%s has %d lines that reset the time, want 1", name, strings.Count(text, reset))
				}
				return strings.Replace(text, reset, fmt.Sprintf("      now_q       <= 32'h%x;\n", uint64(1)<<bits-3000), 1)
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: source.Unit.Name, Seed: uint64(bits), Cycles: 40_000})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome == cosim.Mismatch || r.Outcome == cosim.Fault {
				t.Errorf("across 2^%d clocks: %s", bits, benchtest.Summary(r))
			}
		})
	}
}
