// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:       bench.PathChoice,
	New:         params.New,
	Bench:       func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:     Measure,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Mutation:    mutation,
	Proofs:      proofs,
	Upset:       upset,
}
