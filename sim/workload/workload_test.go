// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/sim/workload"
)

// In a permutation every host sends once and receives once, and nobody sends to itself.
func TestPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(2, 200).Draw(t, "hosts")
		flows, err := workload.Permutation(hosts, 7, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		if err != nil {
			t.Fatal(err)
		}
		from, to := make([]int, hosts), make([]int, hosts)
		for _, f := range flows {
			if f.Src == f.Dst || f.Bytes != 7 {
				t.Fatalf("%+v", f)
			}
			from[f.Src]++
			to[f.Dst]++
		}
		for h := range hosts {
			if from[h] != 1 || to[h] != 1 {
				t.Fatalf("host %d sends %d and receives %d flows", h, from[h], to[h])
			}
		}
	})
}

func TestTornadoAndIncast(t *testing.T) {
	flows, err := workload.Tornado(8, 5, 9)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range flows {
		if want := (workload.Flow{Src: i, Dst: (i + 4) % 8, Bytes: 9}); f != want {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	flows, err = workload.Incast(4, 3, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range flows {
		if want := (workload.Flow{Src: i, Dst: 3, Bytes: 9}); f != want {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	workload.Spread(flows, 1000, rand.New(rand.NewPCG(1, 1)))
	if flows[0].Start == flows[1].Start || max(flows[0].Start, flows[1].Start, flows[2].Start) >= 1000 {
		t.Errorf("%+v: want different starts below 1000", flows)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		make func() ([]workload.Flow, error)
		want string
	}{
		{func() ([]workload.Flow, error) { return workload.Tornado(7, 1, 1) }, "tornado: found 1 senders of 7 hosts, allowed: an even number of hosts, and 1 sender to all"},
		{func() ([]workload.Flow, error) { return workload.Permutation(1, 1, nil) }, "permutation: found 1 hosts, allowed: 2 or more"},
		{func() ([]workload.Flow, error) { return workload.Incast(4, 4, 1, 1) }, "incast: found 1 senders to host 4 of 4, allowed: a host, and fewer senders than hosts"},
	} {
		if _, err := c.make(); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
