// SPDX-License-Identifier: Apache-2.0

package laps

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// Mutation says in which configurations the bench of LAPS is graded. A design with mutants of
// the default takes minutes to compile, and seconds for what the others do in one of them.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	NoModel:   true, // the bench composes the models of the parts at their ports
	Targets: []bench.Target{
		{Name: "small", Own: true, Mutants: 640, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 flows=3 flow_bits=3 " +
				"rate_bits=16 max_rate=25600 min_rate=256 seq_bits=8 depth=8 lanes=2 ack_queues=2 ack_queue=2 lost_queue=2 rto_min_ns=500",
			Why: "nic_laps itself and its connections to its parts, which have their own scores; small sizes"},
		{Name: "own", Own: true, Mutants: 384, Sample: 6, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 loss=false destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 flows=3 flow_bits=3 tag_bits=4 " +
				"ack_lookup=own baselines=paths picker=lookup",
			Why: "the same without the loss detector: packets and ACKs in one cycle, the lookup picker, a baseline for each path"},
	},
}
