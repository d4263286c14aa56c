// SPDX-License-Identifier: Apache-2.0

package plb

import (
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:     params.New,
	Bench:   New,
	Measure: Measure,
	Proofs:  proofs,
}
