// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"slices"
	"strings"

	params "github.com/nicgen/nicgen/gen/laps"
	parts "github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/tb/bench"
	tbloss "github.com/nicgen/nicgen/tb/laps_loss"
	tbrate "github.com/nicgen/nicgen/tb/laps_rate"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Trace:       NewTrace,
	Measure:     Measure,
	Published:   Published,
	Transport:   Transport,
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

// unreachable are the lines of the loss detector that only an upset reaches, and those of the
// rate control that elaboration decides. Their modules have other names here, but for the
// library's.
func unreachable() []bench.Unreachable {
	list := slices.Concat(tbloss.Entry.Unreachable, tbrate.Entry.Unreachable)
	for i, u := range list {
		if !strings.HasPrefix(u.File, parts.PartPrefix) {
			list[i].File = params.PartModule(u.File)
		}
	}
	return list
}
