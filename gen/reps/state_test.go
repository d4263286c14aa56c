// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen/reps"
)

// The information in a connection's state: 22 bytes at 16-bit EVs and depth 8,
// 14 at 8 bits, where REPS Table 1 counts 25.
func TestLogicalBits(t *testing.T) {
	for _, c := range []struct{ evs, bits, bytes int64 }{{16, 175, 22}, {8, 111, 14}} {
		p := reps.Default()
		p.EVSBits = c.evs
		if got := p.LogicalBits(); got != c.bits || (got+7)/8 != c.bytes {
			t.Errorf("%d-bit EVs: %d bits, %d bytes; want %d, %d", c.evs, got, (got+7)/8, c.bits, c.bytes)
		}
	}
}
