// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:       params.New,
	Bench:     New,
	Measure:   Measure,
	Published: Published,
	Mutation:  Mutation,
	Proofs:    Proofs,
	Upset:     Upset,
	Evidence:  bench.Evidence{Small: "paths=2 flows=64"},
}
