// SPDX-License-Identifier: Apache-2.0

package agenda

import (
	"fmt"
	"math/bits"
)

// Forward is an Agenda whose events are never added before the instant of the one that was
// taken last. It is a radix heap: an event waits in the bucket of the highest bit in which
// its time differs from that instant. Events of one instant are always in the same bucket,
// and a bucket keeps their order, so they come in the order in which they were added, as from an
// Agenda. Adding and taking move an event a few times along slices, and compare none.
// The zero Forward is empty, at instant 0.
type Forward[E any] struct {
	buckets [64][]timed[E] // the first one: the events of the instant last
	head    int            // the next one of the first bucket
	used    uint64         // bit b: bucket b of the others is not empty
	last    Instant
	n       int
}

type timed[E any] struct {
	at    Instant
	event E
}

// Len is the number of events.
func (a *Forward[E]) Len() int { return a.n }

// Add adds an event at an instant, which must not be before the last event taken.
func (a *Forward[E]) Add(at Instant, event E) {
	if at < a.last {
		panic(fmt.Sprintf("agenda: an event at %d ps after one at %d ps", at, a.last))
	}
	a.n++
	a.put(timed[E]{at, event})
}

func (a *Forward[E]) put(t timed[E]) {
	b := bits.Len64(uint64(t.at^a.last)) & 63
	a.buckets[b] = append(a.buckets[b], t)
	a.used |= 1 << b
}

// Next takes the first event out. There must be one.
func (a *Forward[E]) Next() (Instant, E) {
	if a.head == len(a.buckets[0]) {
		a.advance()
	}
	t := &a.buckets[0][a.head]
	event := t.event
	t.event = *new(E) // lets go of what the event points to
	a.head++
	a.n--
	return a.last, event
}

// advance goes on to the next instant that has events.
func (a *Forward[E]) advance() {
	a.buckets[0], a.head = a.buckets[0][:0], 0
	b := bits.TrailingZeros64(a.used&^1) & 63
	list := a.buckets[b]
	first := list[0].at
	for i := range list {
		first = min(first, list[i].at)
	}
	a.last = first
	a.used &^= 1 << b
	a.buckets[b] = list[:0] // all of its events go to lower buckets
	for _, t := range list {
		a.put(t)
	}
	clear(list)
}
