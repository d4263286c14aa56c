// SPDX-License-Identifier: Apache-2.0

package nicqueue

import "github.com/nicgen/nicgen/gen/event"

// metaWords are the words of 64 bits of the widest meta.
const metaWords = mostMetaBits / 64

// The events.
type (
	// Beat is a beat of a packet; the first beat also has the packet's sideband values.
	Beat struct {
		Data  [DataBits / 64]uint64 `port:"tdata"`
		Keep  uint64                `port:"tkeep"`
		Last  bool                  `port:"tlast"`
		User  bool                  `port:"tuser"`
		Conn  uint64
		Store bool
		Bytes uint64
		Tags  uint64
		Meta  [metaWords]uint64
	}
	// Pop is a visit of a queue.
	Pop struct {
		Conn, Budget uint64
		Discard      bool
	}
)

// The answers.
type (
	// Entered is a packet for a queue that has ended.
	Entered struct {
		Conn    uint64
		Dropped bool
		Reason  uint64
		Bytes   uint64
	}
	// Out is a beat of a departing packet; the first beat also has the packet's sideband values.
	Out struct {
		Data  [DataBits / 64]uint64 `port:"tdata"`
		Keep  uint64                `port:"tkeep"`
		Last  bool                  `port:"tlast"`
		First bool
		Conn  uint64
		Bytes uint64
		Tags  uint64
		Final bool
		Meta  [metaWords]uint64
	}
	// Done is the account of a visit.
	Done struct {
		Conn                 uint64
		Discard              bool
		Packets, Bytes, Wire uint64
		Empty                bool
	}
	// Flow stops or resumes a connection.
	Flow struct {
		Conn uint64
		Off  bool
	}
)

// Settings are the run-time settings. They act in every cycle.
type Settings struct{ Quota, Xoff, Xon, FreeOff, FreeOn, Shim uint64 }

// Streams of the unit.
var (
	Beats    = event.InputAXIS[Beat]("axis")
	Visiting = event.Input[Pop]("pop").Handshake()
	Enters   = event.Output[Entered]("enter")
	Leaves   = event.OutputAXIS[Out]("axis")
	Dones    = event.Output[Done]("done")
	Tells    = event.Output[Flow]("flow").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
)

// Counters, in the order of CounterNames; the first ones are in the order of reasons.
const (
	CountStored = iota
	CountUnknown
	CountBad
	CountLong
	CountFull
	CountQuota
	CountNotReady
	CountSent
	CountDiscarded
	CountEmpty
	CountPopUnknown
)

// countLatency is the number of cycles from a decision to the pulse and to the counters.
const countLatency = 2

// Contract implements event.Contracted. Delays count from the cycle in which the unit decides, or reads a
// cell.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events: []*event.Stream{Beats.Stream, Visiting.Stream},
		Answers: []event.Answer{
			{Stream: Enters.Stream, After: 1}, {Stream: Leaves.Stream, After: int(p.ReadLatency())}, {Stream: Dones.Stream, After: 1}, {Stream: Tells.Stream},
		},
		Settings: SettingPorts.Stream,
		Sweep:    p.Connections,
		Counters: event.Counters(CounterNames, map[string]int{"": countLatency}),
		Pulse:    "evt_illegal", PulseAfter: countLatency,
		Others: []string{"m_axis_ready", "sts_off", "sts_free_cells"},
	}
}
