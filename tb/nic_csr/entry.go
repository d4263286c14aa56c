// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/plant"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.NIC,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Mutation: mutation,
	Proofs:   proofs,
	Upset:    upset,
	Evidence: bench.Evidence{CoverageCycles: 2_400_000, SimulatorSample: &bench.Mistake{
		File: axilFile, Edits: plant.Edits{"b_error_q <= !w_full_q;", "b_error_q <= 1'b0;"},
	}},
}

// Measure is software that never waits: an access at any time.
func Measure(gen.Config) cosim.MeasureOptions {
	return cosim.MeasureOptions{Idle: 2, Fixed: map[string]uint64{"rst": 0, "s_axil_bready": 1, "s_axil_rready": 1, "s_axil_wstrb": 15}}
}
