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

// The distributions have the means of their sources' points, and the twentieth of messages that are largest carries the share of bytes
// that LAPS' §IV-A gives, less what its authors' draws are off the points.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name               string
		sizes              workload.Sizes
		mean, share, allow float64
	}{
		{"web search", workload.WebSearch, 1_711_250, 46.1, 0.5},
		{"data mining", workload.DataMining, 12_658_040, 97.9, 1.5},
		{"storage", workload.Storage, 40_870, 77.1, 4},
	} {
		first, last := c.sizes[0], c.sizes[len(c.sizes)-1]
		if first != (workload.Size{}) || last.Chance != 1 {
			t.Errorf("%s: from %v to %v, want chances from 0 to 1", c.name, first, last)
		}
		if got := c.sizes.Mean(); math.Abs(got-c.mean) > c.mean/1000 {
			t.Errorf("%s: mean %.0f, want %.0f", c.name, got, c.mean)
		}
		const steps = 100_000
		top := 0.
		for i := range steps {
			top += c.sizes.At(.95+.05*(float64(i)+.5)/steps) * .05 / steps
		}
		if got := 100 * top / c.sizes.Mean(); math.Abs(got-c.share) > c.allow {
			t.Errorf("%s: the largest twentieth has %.1f %% of the bytes, want %.1f within %g", c.name, got, c.share, c.allow)
		}
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

// Messages go to other racks, and a rack offers its load.
func TestAcross(t *testing.T) {
	const hosts, rack, load, end = 40, 16, 20.0, 200_000_000_000 // the last rack has 8 hosts
	flows, err := workload.Across(hosts, rack, workload.WebSearch, load, end, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	sum, to := 0., map[int]bool{}
	for _, f := range flows {
		if f.Src/rack == f.Dst/rack || f.Dst < 0 || f.Dst >= hosts || f.Start >= end {
			t.Fatalf("%+v", f)
		}
		to[f.Dst] = true
		if f.Src/rack < 2 {
			sum += float64(f.Bytes)
		}
	}
	if got := sum / 2 / (end / 1000); math.Abs(got-load) > .1*load || len(to) != hosts {
		t.Errorf("racks send %v bytes/ns to %d hosts, want %v to %d", got, len(to), load, hosts)
	}
	if _, err := workload.Across(16, 16, workload.WebSearch, 1, 1, nil); err == nil {
		t.Error("a single rack: want an error")
	}
}

// Each request is answered at once by as many different hosts of other racks as there are servers.
func TestRequests(t *testing.T) {
	const hosts, rack, servers, bytes, rate, end = 64, 16, 10, 2_000_000, 50_000, 20_000_000_000 // 1,000 in 20 ms
	flows, err := workload.Requests(hosts, rack, servers, bytes, rate, end, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	n := len(flows) / servers
	if len(flows)%servers != 0 || math.Abs(float64(n)-1000) > 100 {
		t.Fatalf("%d flows, want about 1000 times %d", len(flows), servers)
	}
	for i := range n {
		from := map[int]bool{}
		for _, f := range flows[i*servers:][:servers] {
			if f.Dst != flows[i*servers].Dst || f.Start != flows[i*servers].Start || f.Src/rack == f.Dst/rack || f.Bytes != bytes/servers {
				t.Fatalf("request %d: %+v", i, f)
			}
			from[f.Src] = true
		}
		if len(from) != servers {
			t.Fatalf("request %d: %d servers", i, len(from))
		}
	}
	if _, err := workload.Requests(hosts, rack, 49, bytes, rate, end, nil); err == nil {
		t.Error("more servers than other racks have: want an error")
	}
}
