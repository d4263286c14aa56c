// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
)

// Crafted frames among good ones, in both directions: no difference, no hang, and all are accounted for.
func TestFuzz(t *testing.T) {
	for i, set := range sets {
		if sample.LeftOut(i, 3) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			p := params.Default()
			if err := gen.Configure(p, set); err != nil {
				t.Fatal(err)
			}
			b, err := Fuzz.New(p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: 3 * *cycles, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d frames, %d cycles, %.0f a second, %v", r.Events, r.Cycles, r.CyclesPerSecond, r.Coverage)
			if r.Outcome != cosim.Missed && !r.OK() {
				t.Errorf("%s in cycle %d: %s%s", r.Failure.Kind, r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
			}
			if r.Coverage["accounted"] == 0 {
				t.Error("no conversation came to its end")
			}
		})
	}
}
