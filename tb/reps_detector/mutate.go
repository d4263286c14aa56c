// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// causes are invariants of the answer: two bits with three values.
var causes = []string{"m_timeout_cause != 3"}

// Mutation says in which configurations the bench of the REPS failure detector is graded.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: bench.Steps, Long: bench.Long, Invariants: causes,
			Why: "the default with counters that wrap"},
		{Name: "small", Mutants: 300, Sample: 12, Steps: bench.Steps, Long: bench.Long, Invariants: causes,
			Settings: "counter_bits=8 connections=3 conn_bits=3 rtt_bits=9 rtt_threshold_ns=100 timer_bits=16 window_ns=1000",
			Why:      "few connections, all in LUTRAM"},
	},
}
