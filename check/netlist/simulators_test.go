// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// A unit passes in the other simulators, and a mistake in its RTL is noticed in each.
func TestOtherSimulators(t *testing.T) {
	const unit, file = "reps_detector", "nic_reps_detector.sv"
	rtl := bench(t, unit)
	wrong := design{rtl, rtl.Source()}
	wrong.source.Files = slices.Clone(wrong.source.Files)
	i := slices.IndexFunc(wrong.source.Files, func(f cosim.File) bool { return f.Name == file })
	const right, planted = "p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q > p0_threshold_q"
	if i < 0 || strings.Count(wrong.source.Files[i].Text, right) != 1 {
		t.Fatalf("%s has not exactly one %q", file, right)
	}
	wrong.source.Files[i].Text = strings.Replace(wrong.source.Files[i].Text, right, planted, 1)
	for _, simulator := range []string{cosim.Icarus, cosim.CXXRTL} {
		t.Run(simulator, func(t *testing.T) {
			for _, c := range []struct {
				bench cosim.Bench
				want  string
			}{{rtl, cosim.Pass}, {wrong, cosim.Mismatch}} {
				r, err := cosim.Run(t.Context(), c.bench, cosim.RunOptions{Unit: unit, Seed: 1, Cycles: 5000, NoShrink: true, Simulator: simulator})
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
