// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/nicgen/nicgen/papers"
	lapsunit "github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// The messages of a lower load are a subset of those at a higher load, and each load is
// offered.
func TestAtLoads(t *testing.T) {
	const begin = 10 * ms
	l := lab{&papers.Lab{Seed: 1}}
	loads := []float64{.5, .8, 1}
	lists, err := l.atLoads(workload.Storage, begin, loads)
	if err != nil {
		t.Fatal(err)
	}
	for i, load := range loads {
		sum := 0.
		for _, f := range lists[i] {
			sum += float64(f.Bytes)
		}
		want := load * hostGbps / 8 * loadHosts * begin / 1000
		if math.Abs(sum-want) > want/50 {
			t.Errorf("%g: %.0f bytes, want %.0f", load, sum, want)
		}
		if i == 0 {
			continue
		}
		k := 0 // both lists are in the order of drawing
		for _, f := range lists[i-1] {
			for k < len(lists[i]) && !reflect.DeepEqual(lists[i][k], f) {
				k++
			}
			if k == len(lists[i]) {
				t.Fatalf("%g: %+v is not among those of %g", loads[i-1], f, load)
			}
		}
	}
}

// The first senders of a run have the RTL, and golden models are in the others: as many as the Lab says, or one in large runs, or all.
// Other models are in all hosts.
func TestRTLHosts(t *testing.T) {
	type models = map[int]transport.Model
	for _, c := range []struct {
		model     transport.Model
		hosts, at int // of the Lab, and of the run
		want      models
	}{
		{transport.RTL, 0, 0, models{0: transport.RTL, 3: transport.RTL, 5: transport.RTL}},
		{transport.RTL, 0, 1, models{0: transport.RTL, 3: transport.Golden, 5: transport.Golden}},
		{transport.RTL, 2, 1, models{0: transport.RTL, 3: transport.RTL, 5: transport.Golden}},
		{transport.RTL, 2, 0, models{0: transport.RTL, 3: transport.RTL, 5: transport.Golden}},
		{transport.Cycles, 1, 0, models{0: transport.Cycles, 3: transport.Golden, 5: transport.Golden}},
		{transport.Float, 0, 1, models{0: transport.Float, 3: transport.Float, 5: transport.Float}},
	} {
		asked := models{}
		l := lab{&papers.Lab{Seed: 1, Model: c.model, RTLHosts: c.hosts, Unit: func(string) (transport.Maker, error) {
			return func(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
				asked[h.Number] = m
				return lapsunit.Transport(ctx, transport.Golden, h)
			}, nil
		}}}
		r := mesh(lossless, false)
		r.few, r.flows = c.at, []workload.Flow{{Src: 3, Dst: 9, Bytes: 5000}, {Src: 0, Dst: 1, Bytes: 5000}, {Src: 5, Dst: 1, Bytes: 5000}}
		for range 2 { // each run begins anew
			clear(asked)
			if _, _, err := l.mesh(t.Context(), &r, 1); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(asked) != fmt.Sprint(c.want) {
				t.Errorf("%s, %d and %d hosts: %v, want %v", c.model, c.hosts, c.at, asked, c.want)
			}
		}
	}
}
