// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// Under Auto the memory follows the rows, both sides of each limit; a choice overrides.
func TestMemoryFor(t *testing.T) {
	for _, c := range []struct {
		want                   string
		rows, inLUTRAM, inBRAM int64
		memory                 string
	}{
		{gen.Auto, 64, 64, 128, gen.LUTRAM}, {gen.Auto, 65, 64, 128, gen.BRAM}, {gen.Auto, 128, 64, 128, gen.BRAM}, {gen.Auto, 129, 64, 128, gen.URAM},
		{gen.Auto, 1, 0, 128, gen.BRAM}, {gen.Auto, 1 << 40, 64, gen.NoURAM, gen.BRAM},
		{gen.URAM, 1, 64, 128, gen.URAM}, {gen.LUTRAM, 1 << 20, 64, 128, gen.LUTRAM},
	} {
		if got := gen.MemoryFor(c.want, c.rows, c.inLUTRAM, c.inBRAM); got != c.memory {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A column of UltraRAM has at most as many rows as eight of them.
func TestURAMBanks(t *testing.T) {
	for rows, want := range map[int64]int64{0: 0, 1: 1, 32768: 1, 32769: 2, 1 << 20: 32} {
		if got := gen.URAMBanks(rows); got != want {
			t.Errorf("%d rows: %d columns, want %d", rows, got, want)
		}
	}
}
