// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"testing"

	"github.com/nicgen/nicgen/check/netlist"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
)

// bench is the bench of a unit in its default configuration.
func bench(t *testing.T, unit string) cosim.Bench {
	t.Helper()
	for _, u := range registry.Units {
		if cfg := u.New(); cfg.Unit() == unit {
			b, err := u.Bench(cfg)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	t.Fatalf("no unit %s", unit)
	return nil
}

// The netlist of a unit gives every output of the golden model.
func TestNetlistEqualsGolden(t *testing.T) {
	for _, unit := range []string{"reps"} {
		t.Run(unit, func(t *testing.T) {
			b, err := netlist.New(t.Context(), bench(t, unit), synth.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unit, Seed: 1, Cycles: 20_000, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r.Outcome, r.Cycles, r.Events, r.Seconds)
			if r.Outcome != cosim.Pass {
				t.Errorf("outcome %s: %s", r.Outcome, r.Failure.Summary())
			}
		})
	}
}
