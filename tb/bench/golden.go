// SPDX-License-Identifier: Apache-2.0

package bench

import "github.com/nicgen/nicgen/cosim"

// Golden is the frame of a predictor, which embeds it: what it counts, and the outputs that
// stay from cycle to cycle.
type Golden struct {
	Bare     bool     // coverage is not counted
	Cycle    uint64   // the number of the present one
	Accepted uint64   // events
	Reached  []uint64 // number of times, for each coverage point
	Known    bool     // a reset has been seen: before it nothing is known

	Want []uint64 // counters and the like: what stays from cycle to cycle
	Care []uint64 // the outputs that always count
}

// NewGolden is the frame of a predictor with a number of coverage points.
func NewGolden(l *cosim.Layout, points int, bare bool) Golden {
	return Golden{Bare: bare, Reached: make([]uint64, points), Want: make([]uint64, l.OutWords), Care: make([]uint64, l.OutWords)}
}

// Always lists the outputs that always count.
func (g *Golden) Always(pins ...Pin) {
	for i := range pins {
		pins[i].Put(g.Care, ^uint64(0))
	}
}

// Hits implements cosim.Predictor.
func (g *Golden) Hits() []uint64 { return g.Reached }

// Events implements cosim.Predictor.
func (g *Golden) Events() uint64 { return g.Accepted }
