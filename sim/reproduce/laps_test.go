// SPDX-License-Identifier: Apache-2.0

package reproduce

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
	lapsunit "github.com/nicgen/nicgen/tb/laps"
)

// Messages of a lower load are among those of a higher one, and each load is offered.
func TestAtLoads(t *testing.T) {
	const begin = 10 * ms
	l := &Lab{Seed: 1}
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

// Large runs with RTL have it in the first sender, and golden models in the others; others have the model that was asked for.
func TestOneRTL(t *testing.T) {
	for _, c := range []struct {
		model transport.Model
		one   bool
		want  map[int]transport.Model
	}{
		{transport.RTL, true, map[int]transport.Model{3: transport.RTL, 0: transport.Golden}},
		{transport.RTL, false, map[int]transport.Model{3: transport.RTL, 0: transport.RTL}},
		{transport.Float, true, map[int]transport.Model{3: transport.Float, 0: transport.Float}},
	} {
		asked := map[int]transport.Model{}
		l := &Lab{Seed: 1, Model: c.model, Unit: func(string) (transport.Maker, error) {
			return func(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
				asked[h.Number] = m
				return lapsunit.Transport(ctx, transport.Golden, h)
			}, nil
		}}
		r := mesh(lossless, false)
		r.oneRTL, r.flows = c.one, []workload.Flow{{Src: 3, Dst: 9, Bytes: 5000}, {Src: 0, Dst: 1, Bytes: 5000}}
		if _, _, err := l.mesh(t.Context(), &r, 1); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(asked) != fmt.Sprint(c.want) {
			t.Errorf("%s, one %v: %v, want %v", c.model, c.one, asked, c.want)
		}
	}
}
