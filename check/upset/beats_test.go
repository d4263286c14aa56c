// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// A beat that the disturbed unit does not take stays, with all that goes with it, and the next ones come later; the ones
// that it takes come when they were recorded.
func TestBeats(t *testing.T) {
	l, err := cosim.NewLayout(
		[]cosim.Slot{{Name: "s_axis_tvalid", Word: 0, Shift: 0, Width: 1}, {Name: "s_axis_tdata", Word: 0, Shift: 8, Width: 8}, {Name: "other", Word: 0, Shift: 16, Width: 8}},
		[]cosim.Slot{{Name: "s_axis_tready", Word: 0, Shift: 0, Width: 1}})
	if err != nil {
		t.Fatal(err)
	}
	valid, data, other, ready := l.MustSlot("s_axis_tvalid"), l.MustSlot("s_axis_tdata"), l.MustSlot("other"), l.MustSlot("s_axis_tready")
	r := &record{layout: l}
	// Beats 1 and 2 are taken immediately, 3 in its second cycle, 4 after a pause.
	for i, x := range [][3]uint64{{1, 1, 1}, {1, 2, 1}, {1, 3, 0}, {1, 3, 1}, {0, 0, 1}, {1, 4, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}} {
		in, out := make([]uint64, l.InWords), make([]uint64, l.OutWords)
		valid.Set(in, x[0])
		data.Set(in, x[1])
		other.Set(in, uint64(100+i))
		ready.Set(out, x[2])
		r.in, r.want = append(r.in, in...), append(r.want, out...)
	}
	if b := r.beats(0); b != nil {
		t.Error("a record without streams has beats")
	}
	r.streams = []*offers{r.offers("s_axis")}
	for _, x := range []struct {
		name         string
		begin        int
		ready, beats []uint64 // of each cycle; 0: none
		upTo         bool     // at the end all recorded beats have been taken, and no others
	}{
		{"as recorded", 0, []uint64{1, 1, 0, 1, 1, 1, 1}, []uint64{1, 2, 3, 3, 0, 4, 0}, true},
		{"from the middle", 2, []uint64{0, 1, 1, 1, 1}, []uint64{3, 3, 0, 4, 0}, true},
		{"one stays", 0, []uint64{1, 0, 0, 0, 1, 1, 1}, []uint64{1, 2, 2, 2, 2, 3, 4}, true},
		{"one is taken early", 2, []uint64{1, 1, 1, 1}, []uint64{3, 0, 0, 4}, true},
		{"none is taken", 0, []uint64{0, 0, 0, 0, 0, 0}, []uint64{1, 1, 1, 1, 1, 1}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := r.beats(x.begin)
			var got []uint64
			for i, ok := range x.ready {
				in := b.next(x.begin + i)
				beat := uint64(0)
				if valid.Get(in) == 1 {
					beat = data.Get(in)
				}
				got = append(got, beat)
				if n := other.Get(in); n != uint64(100+x.begin+i) {
					t.Errorf("cycle %d: another input is %d, want %d as recorded", i, n, 100+x.begin+i)
				}
				out := make([]uint64, l.OutWords)
				ready.Set(out, ok)
				b.taken(in, out)
			}
			if !slices.Equal(got, x.beats) {
				t.Errorf("beats %v, want %v", got, x.beats)
			}
			if is := b.upTo(x.begin + len(x.ready)); is != x.upTo {
				t.Errorf("all are taken: %t, want %t", is, x.upTo)
			}
		})
	}
}
