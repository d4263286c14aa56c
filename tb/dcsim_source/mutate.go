// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8 seq_bits=8 tag_bits=10 time_bits=15 data_timeout_ns=50000",
			Mutants: 300, Steps: bench.Steps, Long: bench.Long, Why: "the default with counters, numbers, tags and times that wrap"},
		{Name: "small", Settings: "counter_bits=8 flows=3 flow_bits=3 outstanding=32 port_bits=9 copies=32 repeats=8 tag_bits=6 seq_bits=8 want_bits=12 token_bits=24 full_rate=false",
			Mutants: 300, Sample: 12, Steps: bench.Steps, Long: bench.Long, Why: "few flows, all in LUTRAM, counters that wrap"},
	},
}
