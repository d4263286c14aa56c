// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configuration the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "small", Settings: small, Mutants: 200, Sample: 12, Steps: bench.Steps, Long: bench.Long, Why: "few rows, all in LUTRAM, counters that wrap"},
	},
}
