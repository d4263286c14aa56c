// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"math/bits"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// configurations returns all numbers of paths with each picker and memory.
func configurations(t *testing.T) (list []*params.Params) {
	t.Helper()
	for paths := int64(2); paths <= 32; paths++ {
		for _, k := range []struct{ picker, memory string }{{params.Race, gen.BRAM}, {params.Race, params.LUT}, {params.Lookup, gen.BRAM}} {
			p := params.Default()
			p.Paths, p.Picker, p.NoiseMemory, p.Inject = paths, k.picker, k.memory, paths%2 == 0
			if err := gen.Validate(p); err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
	}
	return list
}

// The generator has enough bits, few more than needed, and never a short period; the
// latency grows with the levels of the tree.
func TestShape(t *testing.T) {
	for _, p := range configurations(t) {
		need, have := p.RandomBits(), p.StateBits()
		if have < need || have < 61 || have > max(need+40, 61) {
			t.Errorf("%d paths, %s: %d random bits from a generator of %d", p.Paths, p.Picker, need, have)
		}
		levels := bits.Len(uint(p.Paths - 1))
		want := levels + 2
		if p.Picker == params.Lookup {
			want = 2*levels + 6 + max(2, (levels+1)/2)
		}
		if got := p.PickLatency(); got != want {
			t.Errorf("%d paths, %s: latency %d, want %d", p.Paths, p.Picker, got, want)
		}
	}
}
