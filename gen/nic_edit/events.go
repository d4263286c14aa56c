// SPDX-License-Identifier: Apache-2.0

package nicedit

import "github.com/nicgen/nicgen/gen/event"

// Command is the edit command of a frame, with its first beat.
type Command struct {
	V6      bool
	Tags    uint64 // VLAN tags
	Lane    uint64 // of the UDP source port
	EVOn    bool   `port:"ev_valid"`
	EV      uint64
	Flow    bool   `port:",optional"`
	DSCPOn  bool   `port:"dscp_valid,optional"`
	DSCP    uint64 `port:",optional"`
	ECNOn   bool   `port:"ecn_valid,optional"`
	ECN     uint64 `port:",optional"`
	BECNOn  bool   `port:"becn_valid,optional"`
	BECN    bool   `port:",optional"`
	Ask     bool   `port:",optional"`
	UDPZero bool   `port:",optional"`
	ICRC    bool   `port:",optional"`
	UDPLen  uint64 `port:",optional"`
}

// Streams of the unit.
var (
	Frames = event.InputAXIS[event.Beat]("axis")
	Edited = event.OutputAXIS[event.Beat]("axis")

	CommandPorts = event.Ports[Command]("s_edit_")
)

// Counters, in the order of CounterNames.
const (
	CountFrame = iota
	CountIllegal
	CountICRC // of a configuration with an ICRC
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Frames.Stream},
		Answers:  []event.Answer{{Stream: Edited.Stream, To: "axis", After: Latency}},
		Ambient:  CommandPorts.Stream,
		Counters: event.Counters(p.CounterNames(), map[string]int{"": Latency + 1}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: Latency,
	}
}
