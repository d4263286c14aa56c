// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import "github.com/nicgen/nicgen/gen/event"

// The events.
type (
	// Word is a word of a connection's template.
	Word struct{ Conn, Word, Data uint64 }
	// List is a list that becomes a packet.
	List struct {
		Conn, PSN, Count uint64
		EVs              [MostEVs]uint16 `port:"evs"` // the newest in the highest one in use
		Marks            uint64
		Again            bool
	}
	// Part is a beat of a frame received.
	Part struct {
		Data [DataBytes / 8]uint64 `port:"tdata"`
		Last bool                  `port:"tlast"`
	}
)

// Side holds the sideband values of a received frame: Good comes with its last beat, the rest with
// its first one.
type Side struct {
	On    bool `port:"valid"`
	Conn  uint64
	Lane  uint64
	Words uint64 // UDP length
	Good  bool
}

// The answers.
type (
	// Made is a beat of a packet.
	Made struct {
		Data [DataBytes / 8]uint64 `port:"tdata"`
		Keep uint64                `port:"tkeep"`
		Last bool                  `port:"tlast"`
	}
	// Back is an entropy value received.
	Back struct {
		Conn, EV uint64
		Mark     bool
	}
)

// Streams of the unit.
var (
	Texts  = event.Input[Word]("template").Handshake()
	Lists  = event.Input[List]("fb").Handshake()
	Parts  = event.InputAXIS[Part]("axis")
	Beats  = event.OutputAXIS[Made]("axis").Handshake()
	Values = event.Output[Back]("back").Handshake()

	SidePorts = event.Ports[Side]("s_list_")
)

// Counters, in the order of CounterNames.
const (
	CountPacket = iota
	CountNoTemplate
	CountList
	CountRefused
	CountDropped
	CountIllegal
)

// Contract implements event.Contracted. Delays count from the cycle in which the unit decides.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:  []*event.Stream{Texts.Stream, Lists.Stream, Parts.Stream},
		Answers: []event.Answer{{Stream: Beats.Stream}, {Stream: Values.Stream}},
		Ambient: SidePorts.Stream,
		Reset:   1, Sweep: p.Connections,
		Counters: event.Counters(CounterNames, map[string]int{"": 2, "packet": 1, "no_template": 1, "list": 1}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: 1,
	}
}
