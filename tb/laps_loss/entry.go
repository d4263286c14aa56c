// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Measure:     Measure,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable,
	Evidence: bench.Evidence{
		Small:          "paths=16 depth=8 lanes=2 ack_queues=2",
		CoverageCycles: 3_200_000, // an ACK of a whole ring at once is rare
	},
}

// unreachable are a line that only an upset reaches, and one that is decided before there is
// a stimulus.
var unreachable = []bench.Unreachable{
	{
		File: "nic_laps_loss_watch.sv",
		Line: "end else if (told_full && doubt_q == DOUBT_EMPTY && told_same_q) begin (elsif)",
		Reason: "A send finds a ring full of which the timer told that nothing is outstanding: only an upset " +
			"leaves that behind. The upset runs reach it, and mend such a ring (nicgen upset laps_loss).",
	},
	lib.SecondStep,
}
