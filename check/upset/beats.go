// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
)

// beats are the inputs of a recorded run, in which the beat of a stream stays until it is taken.
type beats struct {
	r       *record
	in      []uint64
	streams []*offers
}

// offers are the beats of one stream.
type offers struct {
	valid, ready cosim.Slot
	with         []cosim.Slot
	list         []offer
	next         int // the first one that has not been taken
}

// offer is a beat of the record: the first cycle in which it was offered, and the cycle in which it
// was taken.
type offer struct{ from, taken int }

// beats returns the beats of a record from a cycle on, or nil if no stream waits.
func (r *record) beats(begin int) *beats {
	if len(r.streams) == 0 {
		return nil
	}
	b := &beats{r: r, in: make([]uint64, r.layout.InWords)}
	for _, s := range r.streams {
		c := *s
		c.next, _ = slices.BinarySearchFunc(c.list, begin, func(o offer, at int) int { return o.taken - at })
		b.streams = append(b.streams, &c)
	}
	return b
}

// offers lists the beats of a stream.
func (r *record) offers(name string) *offers {
	l := r.layout
	s := &offers{valid: l.MustSlot(name + "_tvalid"), ready: l.MustSlot(name + "_tready")}
	for _, x := range l.Inputs {
		if strings.HasPrefix(x.Name, name+"_") && x.Name != s.valid.Name {
			s.with = append(s.with, x)
		}
	}
	from := -1
	for i := range len(r.in) / l.InWords {
		if s.valid.Get(r.in[i*l.InWords:]) == 0 {
			continue
		}
		if from < 0 {
			from = i
		}
		if s.ready.Get(r.want[i*l.OutWords:]) == 1 {
			s.list = append(s.list, offer{from, i})
			from = -1
		}
	}
	return s
}

// next returns the inputs of a cycle.
func (b *beats) next(at int) []uint64 {
	iw := b.r.layout.InWords
	copy(b.in, b.r.in[at*iw:(at+1)*iw])
	for _, s := range b.streams {
		s.valid.Set(b.in, 0)
		if s.next == len(s.list) || at < s.list[s.next].from {
			continue
		}
		beat := b.r.in[s.list[s.next].taken*iw:]
		s.valid.Set(b.in, 1)
		for _, x := range s.with {
			x.Write(b.in, x.Read(beat))
		}
	}
	return b.in
}

// taken notes the beats that a cycle took.
func (b *beats) taken(in, out []uint64) {
	for _, s := range b.streams {
		if s.valid.Get(in) == 1 && s.ready.Get(out) == 1 {
			s.next++
		}
	}
}

// upTo reports whether exactly the beats before a cycle of the record have been taken.
func (b *beats) upTo(at int) bool {
	if b == nil {
		return true
	}
	for _, s := range b.streams {
		if s.next > 0 && s.list[s.next-1].taken >= at || s.next < len(s.list) && s.list[s.next].taken < at {
			return false
		}
	}
	return true
}
