// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"reflect"
	"testing"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/papers/reps"
	repsunit "github.com/nicgen/nicgen/sim/host/reps"
	"github.com/nicgen/nicgen/sim/transport"
)

// A load has the hops that were asked for, and less than half more; the same seed gives the same run.
func TestCarry(t *testing.T) {
	for _, x := range []reps.Load{{Side: 4, Hops: 100_000}, {Side: 6, Hops: 400_000}} {
		l := &papers.Lab{Seed: 1, Model: transport.Golden, Unit: func(string) (transport.Maker, error) { return repsunit.Transport, nil }}
		a, err := x.Carry(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		b, err := x.Carry(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		if a.Hops < x.Hops || float64(a.Hops) > 1.5*float64(x.Hops) {
			t.Errorf("%d hosts: %d packet-hops, want %d or a little more", a.Hosts, a.Hops, x.Hops)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("two runs of one seed: %+v and %+v", a, b)
		}
	}
}
