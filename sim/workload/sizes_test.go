// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/sim/workload"
)

func TestSizes(t *testing.T) {
	s := workload.Sizes{{Bytes: 0, Chance: 0}, {Bytes: 100, Chance: 0.5}, {Bytes: 300, Chance: 1}}
	for _, c := range []struct{ chance, want float64 }{{0, 0}, {0.25, 50}, {0.5, 100}, {0.75, 200}, {1, 300}} {
		if got := s.At(c.chance); got != c.want {
			t.Errorf("at %v: %v, want %v", c.chance, got, c.want)
		}
	}
	if got := s.Mean(); got != 125 {
		t.Errorf("mean %v, want 125", got)
	}
}

// All hosts offer the load, to all others, until the end, in sizes of the distribution.
func TestAll2all(t *testing.T) {
	const hosts, load, end = 16, 5.0, 50_000_000_000 // 50 ms
	flows, err := workload.All2all(hosts, workload.Storage, load, end, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	var bytes [hosts]float64
	sum := 0.
	pairs, small := map[[2]int]bool{}, 0.
	for _, f := range flows {
		if f.Src == f.Dst || f.Start >= end || f.Bytes < 1 || f.Bytes > 2_000_000 {
			t.Fatalf("%+v", f)
		}
		bytes[f.Src] += float64(f.Bytes)
		sum += float64(f.Bytes)
		pairs[[2]int{f.Src, f.Dst}] = true
		if f.Bytes <= 8000 {
			small += 1 / float64(len(flows))
		}
	}
	for h, b := range bytes {
		if got := b / (end / 1000); math.Abs(got-load) > 0.25*load {
			t.Errorf("host %d sends %v bytes/ns, want %v", h, got, load)
		}
	}
	if got := sum / hosts / (end / 1000); math.Abs(got-load) > 0.05*load {
		t.Errorf("hosts send %v bytes/ns on average, want %v", got, load)
	}
	if len(pairs) != hosts*(hosts-1) || math.Abs(small-0.6921) > 0.01 {
		t.Errorf("%d pairs, a share of %v is 8 KB or less", len(pairs), small)
	}
	if _, err := workload.All2all(1, workload.Storage, 1, 1, nil); err == nil || err.Error() != "all to all: found 1 hosts, 1 bytes/ns, 9 sizes, allowed: 2 or more, a number above 0, and 2 or more" {
		t.Errorf("%v", err)
	}
}
