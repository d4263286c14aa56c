// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// Mutation says in which configurations the bench of the path tables is graded. A design with mutants of
// the default takes minutes to compile, and seconds for what the others do in one of them.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "small", Mutants: 640, Sample: 6, Steps: bench.Steps, Long: bench.Long,
			Settings: "counter_bits=8 destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4",
			Why:      "few destinations and narrow numbers"},
		{Name: "own", Mutants: 384, Steps: bench.Steps, Long: bench.Long,
			Settings: "counter_bits=8 destinations=3 dst_bits=2 banks=2 rows=4 pid_bits=4 anchors=2 lat_bits=8 time_bits=16 tag_bits=4 ack_lookup=own baselines=paths path_latency=true",
			Why:      "ACKs read their own copy of the sets, a baseline for each path"},
	},
}
