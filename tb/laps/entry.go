// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"slices"

	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/tb/bench"
	tbloss "github.com/nicgen/nicgen/tb/laps_loss"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Trace:       NewTrace,
	Measure:     Measure,
	Published:   Published,
	Sprayer:     Controller,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable(),
	Evidence: bench.Evidence{
		// Paths and rates from the RTL: a path fails and is repaired.
		Tour: []bench.TourStep{{
			Title: "LAPS: closed loop, outage",
			Run:   "sim outage --svg REPORT/laps-outage.svg --csv REPORT/laps-outage.csv --json REPORT/laps-outage.json --beta 4",
			Show:  " β′ |[0-9] of [0-9]",
		}},
		Small:         "banks=2 rows=16 destinations=16 anchors=1 flows=64 depth=8 lanes=2 ack_queues=2",
		SmallInIcarus: true,
		Syntheses:     []bench.Synthesis{{Name: "prototype", Settings: "loss=false"}},
	},
}

// unreachable are the lines that only an upset reaches: those of the loss detector, whose
// modules have other names here.
func unreachable() []bench.Unreachable {
	list := slices.Clone(tbloss.Entry.Unreachable)
	for i, u := range list {
		list[i].File = params.PartModule(u.File)
	}
	return list
}
