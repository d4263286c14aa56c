// SPDX-License-Identifier: Apache-2.0

// Package agenda holds the pending events of a simulated network in the order of their
// times.
package agenda

// Instant is a time in ps: in ns, the gaps of paced packets would not be whole numbers.
type Instant int64

// PS is the number of ps in a ns.
const PS = 1000

// At is an instant in ns from the start.
func At(ns uint64) Instant { return Instant(ns) * PS }

// NS is the whole number of ns in an instant from 0.
func (t Instant) NS() uint64 { return uint64(t) / PS }

// Agenda holds events of type E in the order of time; events at the same instant keep the
// order in which they were added. The zero Agenda is empty.
type Agenda[E any] struct {
	heap  []entry[E]
	order uint64
}

type entry[E any] struct {
	at    Instant
	order uint64
	event E
}

func (e *entry[E]) before(f *entry[E]) bool {
	return e.at < f.at || e.at == f.at && e.order < f.order
}

// Len is the number of events.
func (a *Agenda[E]) Len() int { return len(a.heap) }

// Add adds an event at an instant.
func (a *Agenda[E]) Add(at Instant, event E) {
	a.heap = append(a.heap, entry[E]{at, a.order, event})
	a.order++
	h := a.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// Next takes the first event out. There must be one.
func (a *Agenda[E]) Next() (Instant, E) {
	h := a.heap
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h[last] = entry[E]{} // lets go of what the event points to
	h = h[:last]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(h); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	a.heap = h
	return first.at, first.event
}

// First is the instant of the first event. There must be one.
func (a *Agenda[E]) First() Instant { return a.heap[0].at }
