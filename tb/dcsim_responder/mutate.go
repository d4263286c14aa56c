// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

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
		{Name: "small", Settings: "counter_bits=8 flows=3 flow_bits=3 port_bits=8 tag_bits=8 sim_acks=4", Mutants: 300, Sample: 12,
			Steps: bench.Steps, Long: bench.Long, Why: "few flows, all in LUTRAM, counters that wrap"},
	},
}
