// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
)

// Points is a list of coverage points that is being written.
type Points []cosim.Point

// Add appends a point; required is false if the configuration cannot reach it.
func (l *Points) Add(name, doc string, required bool) {
	*l = append(*l, cosim.Point{Name: name, Doc: doc, Required: required})
}

// AddDistances appends the points of a Distances: for each pair of kinds, the one
// that comes first varying slowest, "distance/<from>_<to>/1" to "…/<span>". doc
// describes one of them.
func (l *Points) AddDistances(kinds []string, span int, doc func(from, to string, cycles int) string) {
	for _, from := range kinds {
		for _, to := range kinds {
			for d := 1; d <= span; d++ {
				l.Add(fmt.Sprintf("distance/%s_%s/%d", from, to, d), doc(from, to, d), true)
			}
		}
	}
}

// Distances counts how many cycles lie between two events on one connection, for
// each pair of kinds of event and each distance from 1 to a span.
type Distances struct {
	kinds, span uint64
	last        []uint64 // cycle+1 of the last event, by connection and kind
	hits        []uint64
}

// NewDistances counts in hits, which begins with the first point of AddDistances,
// for a number of kinds and of connections.
func NewDistances(kinds, span int, connections int64, hits []uint64) *Distances {
	return &Distances{kinds: uint64(kinds), span: uint64(span), last: make([]uint64, int64(kinds)*connections), hits: hits}
}

// Cycle notes the events of a cycle: of kind k on connection conn[k], which exists,
// if on[k]. Events of one cycle have no distance.
func (d *Distances) Cycle(cycle uint64, on []bool, conn []uint32) {
	for to, happened := range on {
		if !happened {
			continue
		}
		at := d.last[d.kinds*uint64(conn[to]):][:d.kinds]
		for from, last := range at {
			if n := cycle - last; n < d.span && last != 0 {
				d.hits[(d.kinds*uint64(from)+uint64(to))*d.span+n]++
			}
		}
	}
	for kind, happened := range on {
		if happened {
			d.last[d.kinds*uint64(conn[kind])+uint64(kind)] = cycle + 1
		}
	}
}
