// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors:  survivors,
	ModelFiles: []string{"nic_parse.go"},
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 200, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Why: "as it is, but for counters that wrap"},
		{Name: "full", Settings: "profile=both ip_checksum=true counter_bits=8", Mutants: 200, Steps: bench.Steps, Long: bench.LongWide,
			Why: "both profiles and the checksum check"},
	},
}
