// SPDX-License-Identifier: Apache-2.0

package bench

// Situation is a coverage point of an event: a predicate on an S, the values of the event.
type Situation[S any] struct {
	Name, Doc string
	Is        func(s *S) bool
}

// Situations are coverage points of an event, in the order of their hits.
type Situations[S any] []Situation[S]

// AddTo appends the points to a list. A run need not reach the points named in except, which the
// configuration cannot reach.
func (l Situations[S]) AddTo(list *Points, except ...string) {
	for i := range l {
		required := true
		for _, name := range except {
			required = required && name != l[i].Name
		}
		list.Add(l[i].Name, l[i].Doc, required)
	}
}

// Count counts the situations that an event is in.
func (l Situations[S]) Count(hits []uint64, s *S) {
	for i := range l {
		if l[i].Is(s) {
			hits[i]++
		}
	}
}
