// SPDX-License-Identifier: Apache-2.0

package agenda_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/agenda"
)

// A Forward gives the events of an Agenda in the same order.
func TestForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda.Agenda[int]
		var f agenda.Forward[int]
		now := agenda.Instant(0)
		span := rapid.SampledFrom([]int64{3, 50, 1 << 20, 1 << 50}).Draw(t, "span")
		for id, ahead := range rapid.SliceOf(rapid.Int64Range(-span, span)).Draw(t, "time ahead, below 0 takes one out") {
			if ahead >= 0 {
				a.Add(now+agenda.Instant(ahead), id)
				f.Add(now+agenda.Instant(ahead), id)
			} else if a.Len() > 0 {
				at, want := a.Next()
				if was, got := f.Next(); was != at || got != want {
					t.Fatalf("event %d at %d, want %d at %d", got, was, want, at)
				}
				now = at
			}
			if a.Len() != f.Len() {
				t.Fatalf("%d are left, want %d", f.Len(), a.Len())
			}
		}
		for a.Len() > 0 {
			at, want := a.Next()
			if was, got := f.Next(); was != at || got != want {
				t.Fatalf("event %d at %d, want %d at %d", got, was, want, at)
			}
		}
	})
}

// An event of the past would never come.
func TestForwardRefusesThePast(t *testing.T) {
	defer func() {
		if got, want := recover(), "agenda: an event at 4 ps after one at 5 ps"; got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	var f agenda.Forward[int]
	f.Add(5, 0)
	f.Next()
	f.Add(4, 0)
}

type list interface {
	Add(agenda.Instant, [3]uint64)
	Next() (agenda.Instant, [3]uint64)
}

// An event is taken, and another one added a while later, with many waiting.
func BenchmarkAgendas(b *testing.B) {
	for _, c := range []struct {
		name string
		list list
	}{{"heap", &agenda.Agenda[[3]uint64]{}}, {"forward", &agenda.Forward[[3]uint64]{}}} {
		b.Run(c.name, func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(1, 1))
			const waiting, span = 20_000, 1_000_000
			for range waiting {
				c.list.Add(agenda.Instant(rnd.Int64N(span)), [3]uint64{})
			}
			b.ResetTimer()
			for range b.N {
				at, e := c.list.Next()
				c.list.Add(at+agenda.Instant(rnd.Int64N(span)), e)
			}
		})
	}
}
