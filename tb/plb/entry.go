// SPDX-License-Identifier: Apache-2.0

package plb

import (
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/plant"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.PathChoice,
	New:      params.New,
	Bench:    New,
	Measure:  Measure,
	Proofs:   proofs,
	Mutation: mutation,
	Upset:    upset,
	// RAM_LATENCY is 2 at most.
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence: bench.Evidence{SimulatorSample: &bench.Mistake{
		File: "nic_plb.sv", Edits: plant.Edits{"p0_rtt_q > p0_target_q", "p0_rtt_q >= p0_target_q"},
	}},
}
