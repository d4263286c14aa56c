// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence: bench.Evidence{
		Small:     "banks=2 rows=16 destinations=16 anchors=1",
		Syntheses: []bench.Synthesis{{Name: "parity", Settings: "state_protection=parity"}},
	},
}
