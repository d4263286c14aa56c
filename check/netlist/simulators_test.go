// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

// A unit passes in the other simulators, and a mistake in its RTL is noticed in each.
func TestOtherSimulators(t *testing.T) {
	eachSample(t, func(e *bench.Evidence) bool { return e.SimulatorSample != nil }, otherSimulators)
}

func otherSimulators(t *testing.T, u registry.Unit, rtl cosim.Bench) {
	unit, mistake := u.New().Unit(), u.Evidence.SimulatorSample
	wrong := design{rtl, rtl.Source()}
	wrong.source.Files = slices.Clone(wrong.source.Files)
	i := slices.IndexFunc(wrong.source.Files, func(f cosim.File) bool { return f.Name == mistake.File })
	if i < 0 {
		t.Fatalf("there is no file %s", mistake.File)
	}
	file := &wrong.source.Files[i]
	var err error
	if file.Text, err = mistake.Edits.Apply(file.Name, file.Text); err != nil {
		t.Fatal(err)
	}
	for _, simulator := range []string{cosim.Icarus, cosim.CXXRTL} {
		t.Run(simulator, func(t *testing.T) {
			for _, c := range []struct {
				bench cosim.Bench
				want  string
			}{{rtl, cosim.Pass}, {wrong, cosim.Mismatch}} {
				r, err := cosim.Run(t.Context(), c.bench, cosim.RunOptions{Unit: unit, Seed: 1, Cycles: 5000, Simulator: simulator})
				if err != nil {
					t.Fatal(err)
				}
				if r.Outcome != c.want || r.Events == 0 {
					t.Errorf("outcome %s after %d events, want %s", r.Outcome, r.Events, c.want)
				}
			}
		})
	}
}
