// SPDX-License-Identifier: Apache-2.0

package nicprobe

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
		{Name: "small", Settings: "destinations=3 dst_bits=3 pid_bits=10 anchors=2 counter_bits=8", Mutants: 300, Sample: 8,
			Steps: bench.Steps, Long: bench.LongWide, Why: "few destinations, paths that are too wide, counters that wrap"},
	},
}
