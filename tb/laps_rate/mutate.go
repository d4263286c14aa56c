// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// outcomes are invariants of the answer: three bits with seven values.
var outcomes = []string{"m_rate_cause != 7"}

// Mutation says in which configurations the bench of the rate control is graded.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: bench.Steps, Long: bench.LongWide,
			Invariants: append(outcomes[:1:1], "rst_q || !ready_q || clear_idx_q == 0"),
			Why:        "the default, trees over 32 paths, with counters that wrap"},
		{Name: "latencies", Mutants: 300, Steps: bench.Steps, Long: bench.LongWide, Invariants: outcomes,
			Settings: "counter_bits=8 flows=3 flow_bits=3 paths=3 operands=latencies decrease_interval=max increase_interval=base",
			Why:      "few flows, T from a port, the intervals of the authors' simulator"},
		{Name: "extremes", Mutants: 300, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Invariants: outcomes,
			Settings: "counter_bits=8 flows=5 flow_bits=3 operands=extremes lat_bits=9 time_bits=16 rate_bits=10 max_rate=1000 min_rate=10",
			Why:      "no trees, narrow numbers"},
		{Name: "step", Mutants: 300, Steps: bench.Steps, Long: bench.LongWide, Invariants: outcomes,
			Settings: "counter_bits=8 flows=5 flow_bits=3 operands=extremes lat_bits=9 time_bits=16 rate_bits=10 max_rate=1000 min_rate=10 least_increase=37",
			Why:      "the least step of an increase, as in the authors' simulator"},
	},
}
