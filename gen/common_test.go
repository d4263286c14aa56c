// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// A width fits if it can number all, from 0 on.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		width, things int64
		want          string
	}{{1, 1, ""}, {1, 2, ""}, {1, 3, "at least 2 for rows 3"}, {8, 256, ""}, {8, 257, "at least 9 for rows 257"}} {
		got := ""
		for _, p := range gen.Fits("row_bits", c.width, "rows", c.things) {
			got += p.Allowed
		}
		if got != c.want {
			t.Errorf("%d bits for %d: %q, want %q", c.width, c.things, got, c.want)
		}
	}
}
