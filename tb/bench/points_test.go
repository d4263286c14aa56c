// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/tb/bench"
)

func TestPoints(t *testing.T) {
	var l bench.Points
	l.Add("a", "first", true)
	l.Add("b", "second", false)
	l.AddDistances([]string{"x", "y"}, 2, func(from, to string, n int) string { return fmt.Sprint(from, to, n) })
	got := ""
	for _, p := range l {
		got += fmt.Sprintf("%s|%s|%t\n", p.Name, p.Doc, p.Required)
	}
	want := `a|first|true
b|second|false
distance/x_x/1|xx1|true
distance/x_x/2|xx2|true
distance/x_y/1|xy1|true
distance/x_y/2|xy2|true
distance/y_x/1|yx1|true
distance/y_x/2|yx2|true
distance/y_y/1|yy1|true
distance/y_y/2|yy2|true
`
	if got != want {
		t.Errorf("points\n%swant\n%s", got, want)
	}
}

// Distances counts, for each event, the last one before its cycle of every kind on
// the same connection: a search through all earlier cycles finds the same.
func TestDistances(t *testing.T) {
	const kinds, span, conns, cycles = 3, 5, 4, 2000
	type cycle struct {
		on   [kinds]bool
		conn [kinds]uint32
	}
	rng := rand.New(rand.NewPCG(1, 2))
	hits, want := make([]uint64, kinds*kinds*span), make([]uint64, kinds*kinds*span)
	d := bench.NewDistances(kinds, span, conns, hits)
	var past []cycle
	for at := range cycles {
		var c cycle
		for k := range kinds {
			c.on[k], c.conn[k] = rng.IntN(3) == 0, uint32(rng.IntN(conns))
		}
		d.Cycle(uint64(at), c.on[:], c.conn[:])
		for to := range kinds {
			for from := range kinds {
				for n := 1; c.on[to] && n <= min(at, span); n++ {
					if p := past[at-n]; p.on[from] && p.conn[from] == c.conn[to] {
						want[(from*kinds+to)*span+n-1]++
						break
					}
				}
			}
		}
		past = append(past, c)
	}
	for i := range want {
		if hits[i] != want[i] || want[i] == 0 {
			t.Errorf("from kind %d to %d, %d cycles apart: %d times, want %d and at least once", i/span/kinds, i/span%kinds, i%span+1, hits[i], want[i])
		}
	}
}
