// SPDX-License-Identifier: Apache-2.0

package reps

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// ready are invariants of the sweep over the connections after a reset, which its register
// brings a cycle late.
var ready = []string{"rst_q || !ready_q || (again_q && clear_idx_q == 0)"}

// Mutation says in which configurations the bench of REPS is graded.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: bench.Steps, Long: bench.Long,
			Invariants: append(ready[:1:1], "rst_q || sts_illegal_ev_cnt == 0", "!p2_illegal_ev_q"), // every EV of 16 bits is legal
			Why:        "the default with counters that wrap"},
		{Name: "small", Mutants: 400, Sample: 16, Steps: bench.Steps, Long: bench.Long, Invariants: ready,
			Settings: "counter_bits=8 connections=6 conn_bits=4 buffer_depth=4 explore_stride=2 evs_bits=2 timer_bits=16 freezing_timeout_ns=1000 nic_ports=3 random_seed=0",
			Why:      "few connections, all in LUTRAM; three NIC ports"},
		{Name: "reuse", Mutants: 200, Steps: bench.Steps, Long: bench.Long, Invariants: ready,
			Settings: "counter_bits=8 connections=3 conn_bits=3 buffer_depth=4 explore_stride=4 timer_bits=16 freezing_timeout_ns=1000 ack_coalescing=reuse ack_coalescing_ratio=3",
			Why:      "an EV is used several times"},
		{Name: "carry", Mutants: 300, Steps: bench.Steps, Long: bench.Long, Invariants: ready,
			Settings: "counter_bits=8 connections=3 conn_bits=3 buffer_depth=4 explore_stride=4 timer_bits=16 freezing_timeout_ns=1000 ack_coalescing=carry ack_coalescing_ratio=3 carry_queue_depth=4",
			Why:      "an ACK carries several EVs"},
	},
}
