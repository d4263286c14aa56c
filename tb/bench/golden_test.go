// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/bench"
)

// The frame has room for the outputs and the points, and outputs that always count are
// those that are named, in full.
func TestGolden(t *testing.T) {
	l, err := cosim.NewLayout(nil, []cosim.Slot{{Name: "a", Width: 3}, {Name: "b", Width: 40}, {Name: "c", Width: 30}})
	if err != nil {
		t.Fatal(err)
	}
	g := bench.NewGolden(l, 5, true)
	ports := bench.NewPorts("toy", l)
	g.Always(ports.Pin("a"), ports.Pin("c"), bench.Pin{})
	care := make([]uint64, l.OutWords)
	l.MustSlot("a").Set(care, 7)
	l.MustSlot("c").Set(care, 1<<30-1)
	if !g.Bare || g.Known || len(g.Want) != l.OutWords || !slices.Equal(g.Care, care) {
		t.Errorf("%+v, want outputs %#x to count", g, care)
	}
	g.Reached[2], g.Accepted = 4, 9
	if !slices.Equal(g.Hits(), []uint64{0, 0, 4, 0, 0}) || g.Events() != 9 {
		t.Errorf("hits %v, events %d", g.Hits(), g.Events())
	}
}
