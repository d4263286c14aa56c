// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// Mutation says in which configurations the bench of PowerTCP is graded.
var Mutation = &bench.Mutation{
	Survivors:  survivors,
	ModelFiles: []string{"arith.go", "lanes.go", "powertcp.go"}, // without the paper's arithmetic in floating point
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: bench.Steps, Long: bench.LongWide,
			Why: "the default, telemetry of a hop a cycle, with counters that wrap"},
		{Name: "theta", Mutants: 400, Sample: 6, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 variant=theta connections=3 conn_bits=3",
			Why:      "round-trip times in place of telemetry"},
		{Name: "both", Mutants: 400, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 variant=both throughput=ack connections=3 conn_bits=3 hops=2",
			Why:      "either with each ACK, all hops in one cycle"},
		{Name: "observed", Mutants: 400, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 base_rtt=observed connections=3 conn_bits=3 hops=2",
			Why:      "the base RTT from the smallest round-trip time of each connection"},
	},
}
