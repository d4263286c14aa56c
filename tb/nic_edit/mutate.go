// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configuration the bench is graded.
var mutation = &bench.Mutation{
	Survivors:  survivors,
	ModelFiles: []string{"nic_edit.go"}, // a separate test grades the ICRC
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 300, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Why: "all edits, counters that wrap"},
	},
}
