// SPDX-License-Identifier: Apache-2.0

package agenda_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/agenda"
)

func ExampleAgenda() {
	var a agenda.Agenda[string]
	a.Add(agenda.At(7), "later")
	a.Add(agenda.At(5), "first")
	a.Add(agenda.At(5), "second")
	for a.Len() > 0 {
		at, what := a.Next()
		fmt.Println(at.NS(), what)
	}
	// Output:
	// 5 first
	// 5 second
	// 7 later
}

// Whatever is added when, events come in the order of a stable sort.
func TestOrder(t *testing.T) {
	type event struct {
		at agenda.Instant
		id int
	}
	rapid.Check(t, func(t *rapid.T) {
		var a agenda.Agenda[int]
		var want []event
		for id, at := range rapid.SliceOf(rapid.Int64Range(-1, 30)).Draw(t, "times, -1 takes one out") {
			if at >= 0 {
				a.Add(agenda.Instant(at), id)
				want = append(want, event{agenda.Instant(at), id})
			} else if a.Len() > 0 {
				slices.SortStableFunc(want, func(x, y event) int { return cmp.Compare(x.at, y.at) })
				at, id := a.Next()
				if got := (event{at, id}); got != want[0] {
					t.Fatalf("%v, want %v", got, want[0])
				}
				want = want[1:]
			}
		}
		if a.Len() != len(want) {
			t.Fatalf("%d are left, want %d", a.Len(), len(want))
		}
	})
}
