// SPDX-License-Identifier: Apache-2.0

package markrun

import "github.com/nicgen/nicgen/gen/event"

// ACK is an acknowledgement.
type ACK struct {
	Conn uint32
	ECN  bool // it echoes a mark
}

// Run is the answer to an ACK of a connection that exists.
type Run struct {
	Conn uint32
	Run  uint64 // marked ACKs in a row
	Hot  bool   // the run has reached the threshold
}

// Settings are the run-time settings, sampled with each ACK.
type Settings struct{ Threshold uint64 }

// Streams of the unit.
var (
	ACKs         = event.Input[ACK]("ack")
	Runs         = event.Output[Run]("ack")
	SettingPorts = event.Ports[Settings]("cfg_")
)

// counters are the event counters in the order of their ports, and Count… their places.
var counters = []string{"ack", "marked", "hot", "illegal"}

// Places of counters.
const (
	CountACK = iota
	CountMarked
	CountHot
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{ACKs.Stream},
		Answers:  []event.Answer{{Stream: Runs.Stream, To: "ack", After: Latency}},
		Settings: SettingPorts.Stream,
		Sweep:    p.Connections,
		Counters: event.Counters(counters, map[string]int{"": Latency + 1}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: Latency,
	}
}
