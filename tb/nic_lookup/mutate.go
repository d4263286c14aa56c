// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// small is a table whose rows are cleared soon, with short keys.
const small = "rows=256 key_bits=56 connections=100 conn_bits=8 counter_bits=8"

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors:  survivors,
	ModelFiles: []string{"hash.go", "table.go"}, // without keys, which the stimulus makes
	Targets: []bench.Target{
		{Name: "small", Settings: small, Mutants: 300, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Why: "few rows, short keys, counters that wrap"},
		{Name: "ultra", Settings: small + " ways=3 table_memory=uram", Mutants: 100, Steps: bench.Steps, Long: bench.LongWide, Why: "three ways in ultra RAM"},
	},
}
