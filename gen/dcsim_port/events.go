// SPDX-License-Identifier: Apache-2.0

package dcsimport

import "github.com/nicgen/nicgen/gen/event"

// Frame is the descriptor of a frame that is to be sent, begins, or is dropped.
type Frame struct {
	Class uint64
	Len   uint64 // bytes
	Tag   uint64
}

// Settings are the run-time settings. All of them act in every cycle.
type Settings struct {
	TokenGain, TokenCost   uint64
	LineRate, Gap          uint64
	Queue                  uint64 // B: packets in each small queue
	DataPackets, DataBytes uint64
}

// Streams of the unit.
var (
	Arrivals = event.Input[Frame]("frame").Tried()
	Begins   = event.Output[Frame]("frame").Handshake()
	Drops    = event.Output[Frame]("drop")

	SettingPorts = event.Ports[Settings]("cfg_")
)

// CountIllegal is the counter of illegal descriptors. The counters before it count drops, one for
// each class.
const CountIllegal = 4

// Cycles from a descriptor to the pulse of its drop or of an illegal descriptor, and to the
// counters.
const (
	DropLatency  = 3
	CountLatency = 4
)

// Contract implements event.Contracted. A frame begins when the line is free.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Arrivals.Stream},
		Answers:  []event.Answer{{Stream: Begins.Stream}, {Stream: Drops.Stream, After: DropLatency}},
		Settings: SettingPorts.Stream,
		Reset:    1,
		Counters: event.Counters(CounterNames, map[string]int{"": CountLatency}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: DropLatency,
		Others: []string{"sts_data_packets", "sts_data_bytes"},
	}
}
