// SPDX-License-Identifier: Apache-2.0

package reps

import (
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:       params.New,
	Bench:     New,
	Trace:     NewTrace,
	Measure:   Measure,
	Published: Published,
	Mutation:  Mutation,
	Proofs:    Proofs,
	Upset:     Upset,
	Evidence:  bench.Evidence{NetlistSample: true},
}
