// SPDX-License-Identifier: Apache-2.0

package lapspick

import "github.com/nicgen/nicgen/gen/event"

// Pick is a request: choose a path.
type Pick struct {
	Usable  uint32     // the paths that may be picked, a bit for each
	Latency [32]uint16 // UQ5.9 octaves, by path
	Tag     uint64     // returned with the answer
	Inject  bool       `port:",optional"` // take the random bits from Random
	Random  [6]uint64  `port:",optional"` // bit 0 lowest in the first word
}

// Choice is the answer to a Pick.
type Choice struct {
	None      bool   // no path is usable
	Saturated bool   // there are usable paths, but all are saturated
	Index     uint32 // the path, or 0
	Tag       uint64
}

// Seed is a word for the random generator. A Pick in the same cycle uses the bits before the shift, and the
// generator does not step.
type Seed struct{ Word uint16 }

// Streams of the unit.
var (
	Picks   = event.Input[Pick]("pick")
	Choices = event.Output[Choice]("pick")
	Seeds   = event.Input[Seed]("seed")
)

// Counters, in the order of CounterNames.
const (
	CountPick = iota
	CountNone
	CountSaturated
)

// Contract implements event.Contracted. The unit is ready one cycle after its reset takes effect.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Picks.Stream, Seeds.Stream},
		Answers:  []event.Answer{{Stream: Choices.Stream, To: "pick", After: p.PickLatency()}},
		Reset:    1,
		Counters: event.Counters(CounterNames, map[string]int{"": p.PickLatency() + 1}),
		Lanes:    map[string]int{"s_pick_latency": LatencyBits},
	}
}
