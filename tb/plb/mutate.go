// SPDX-License-Identifier: Apache-2.0

package plb

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
		{Name: "small", Settings: "counter_bits=8 connections=3 conn_bits=3 pkts_bits=3 rtt_bits=9 target_ns=100 balance_bits=24 round_bits=3 forced_rounds=5 " +
			"timer_bits=29 pause_bits=24 pause_ns=12000000 label_bits=8 port_bits=4",
			Mutants: 300, Sample: 12, Steps: bench.Steps, Long: bench.Long, Why: "few connections, all in LUTRAM, counters that wrap"},
		{Name: "block", Settings: "counter_bits=8 connections=3 conn_bits=3 pkts_bits=3 rtt_bits=9 target_ns=100 balance_bits=24 round_bits=3 forced_rounds=5 " +
			"timer_bits=29 pause_bits=24 pause_ns=12000000 label_bits=8 port_bits=4 state_memory=bram ram_latency=2",
			Mutants: 150, Sample: 12, Steps: bench.Steps, Long: bench.Long, Why: "the same in block RAM with its output registers: forwarding from two cycles"},
	},
}
