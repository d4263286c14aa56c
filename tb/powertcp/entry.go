// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:        params.New,
	Bench:      New,
	Trace:      NewTrace,
	Measure:    Measure,
	Controller: Controller,
	Mutation:   Mutation,
	Proofs:     Proofs,
	Upset:      Upset,
	Evidence: bench.Evidence{
		Configurations: []string{"variant=theta", "variant=both"},
		NetlistCycles:  1_000_000, CoverageCycles: 3_200_000, // an ACK takes several cycles
	},
}
