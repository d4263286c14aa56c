// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"flag"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

var cycles = flag.Uint64("cycles", 20_000, "cycles of a run")

const small = "connections=16 rows=256 kib=64 ring=32"

func TestRuns(t *testing.T) {
	for _, set := range []string{small, small + " path=spray telemetry=int", small + " path=plb", small + " path=none window=none", small + " ipv6=false", small + " profile=uet"} {
		t.Run(set, func(t *testing.T) {
			p := params.Default()
			if err := gen.Configure(p, set); err != nil {
				t.Fatal(err)
			}
			b := Unit.Bench(p)
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: *cycles, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cycles, %.0f a second, %v, %v", r.Cycles, r.CyclesPerSecond, r.Coverage, r.Notes)
			if !r.OK() {
				t.Errorf("%+v", r.Failure)
			}
		})
	}
}
