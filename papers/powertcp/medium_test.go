// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"math"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// Hosts of the first rack send to all other hosts of two racks, hosts of the second rack send within it, and each sends its share of the
// load.
func TestNear(t *testing.T) {
	x := traffic{load: .6, ms: 2000}
	flows, err := x.near(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var bytes, across float64
	from, to := map[int]bool{}, map[int]bool{}
	for _, f := range flows {
		if f.Src == f.Dst || f.Dst < f.Src/perRack*perRack || f.Dst >= 2*perRack || f.Start >= 2e12 {
			t.Fatalf("%+v", f)
		}
		from[f.Src], to[f.Dst] = true, true
		bytes += float64(f.Bytes)
		if f.Dst/perRack != f.Src/perRack {
			across += float64(f.Bytes)
		}
	}
	if len(from) != 2*perRack || len(to) != 2*perRack {
		t.Errorf("%d hosts send, %d receive, want all %d of two racks", len(from), len(to), 2*perRack)
	}
	if got, want := bytes/2e9, 2*x.load*uplink; math.Abs(got/want-1) > .03 {
		t.Errorf("%.2f bytes a ns, want %.2f", got, want)
	}
	if share := across / bytes; math.Abs(share-.25) > .02 { // half of what the first rack sends
		t.Errorf("%.3f of all bytes leave a rack, want about 0.25", share)
	}
}

// Medium flows have 100 KB to 1 MB, without the megabyte.
func TestMedium(t *testing.T) {
	r := treeRan{Result: &transport.Result{}}
	for i, bytes := range []uint64{9999, 10_000, 99_999, 100_000, 999_999, 1_000_000} {
		r.Flows = append(r.Flows, transport.Done{Flow: workload.Flow{Bytes: bytes, Start: 5e6}, Received: 5e6 + fabric.Instant(i)*1e6})
	}
	if list := r.medium(); len(list) != 2 || list[0] != 3 || list[1] != 4 {
		t.Errorf("%v, want 3 and 4 µs", list)
	}
}

func TestPaired(t *testing.T) {
	for _, x := range []struct {
		a, b            []float64
		mean, deviation float64
	}{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 0, 0},
		{[]float64{2, 20}, []float64{1, 10}, 100, 0},
		{[]float64{2, 1, 2, 1}, []float64{1, 2, 1, 2}, 0, 100 * math.Ln2 / 2}, // twice as long and half as long are the same distance
	} {
		if m, d := paired(x.a, x.b); math.Abs(m-x.mean) > 1e-9 || math.Abs(d-x.deviation) > 1e-9 {
			t.Errorf("%v against %v: %v ± %v, want %v ± %v", x.a, x.b, m, d, x.mean, x.deviation)
		}
	}
}
