// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"math/rand/v2"
	"reflect"
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
		if want := (workload.Flow{Src: i, Dst: (i + 4) % 8, Bytes: 9}); !reflect.DeepEqual(f, want) {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
	flows, err = workload.Incast(4, 3, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range flows {
		if want := (workload.Flow{Src: i, Dst: 3, Bytes: 9}); !reflect.DeepEqual(f, want) {
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

// Each client calls each server on the requested number of connections, and each connection has its own think times.
func TestRPCs(t *testing.T) {
	flows, err := workload.RPCs(3, 2, 100, 1000, 5000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	pairs, seeds := map[[2]int]int{}, map[uint64]bool{}
	for _, f := range flows {
		pairs[[2]int{f.Src, f.Dst}]++
		seeds[f.Loop.Seed] = true
		if f.Src > 2 || f.Dst < 3 || f.Dst > 5 || f.Bytes != 100 || f.Loop.Think != 1000 || f.Loop.Until != 5000 {
			t.Errorf("%+v", f)
		}
	}
	for p, n := range pairs {
		if n != 2 {
			t.Errorf("%d connections from %d to %d, want 2", n, p[0], p[1])
		}
	}
	if len(pairs) != 9 || len(seeds) != 18 {
		t.Errorf("%d pairs and %d seeds, want 9 and 18", len(pairs), len(seeds))
	}
	for _, c := range [][3]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		if _, err := workload.RPCs(c[0], c[1], uint64(c[2]), 1, 1, rand.New(rand.NewPCG(1, 1))); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

// The times of a loop have their mean, and come again with the same seed.
func TestGaps(t *testing.T) {
	l := &workload.Loop{Think: 1000, Seed: 3}
	a, b := l.Gaps(), l.Gaps()
	const n = 100_000
	var sum uint64
	for range n {
		x := a()
		if y := b(); x != y {
			t.Fatalf("%d and %d", x, y)
		}
		sum += x
	}
	if mean := float64(sum) / n; mean < 980 || mean > 1020 {
		t.Errorf("mean %.1f, want 1000", mean)
	}
}
