// SPDX-License-Identifier: Apache-2.0

package nicpace

import "github.com/nicgen/nicgen/gen/event"

// Events. All events of one cycle act together; docs/units/nic_pace.md has the steps of the lane.
type (
	// Push is a connection that wants a turn.
	Push struct{ Conn uint32 }
	// Done is the end of a turn.
	Done struct {
		Conn  uint32
		Bytes uint64 // that left in it
		Again bool   // it wants another one
	}
	// Rate is a connection's new rate.
	Rate struct {
		Conn uint32
		Inv  uint64 // ns a byte, 2^-frac_bits; 0: not paced
	}
	// Flush empties a connection.
	Flush struct{ Conn uint32 }
)

// Due is a connection's turn.
type Due struct{ Conn uint32 }

// Settings are the run-time settings.
type Settings struct {
	Allowance  uint64 `port:"allowance_ns"` // of time that a connection was late
	Idle       uint64 `port:"idle_ns"`      // of time that it was idle
	FlushForce bool
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit.
var (
	Pushes  = event.Input[Push]("push").Handshake()
	Dones   = event.Input[Done]("done")
	Rates   = event.Input[Rate]("rate")
	Flushes = event.Input[Flush]("flush").Handshake()
	Dues    = event.Output[Due]("due").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountPush = iota
	CountDone
	CountDue
	CountRate
	CountBeyond
	CountLate
	CountFlush
	CountIllegal
	CountNotReady
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Pushes.Stream, Dones.Stream, Rates.Stream, Flushes.Stream},
		Answers:  []event.Answer{{Stream: Dues.Stream}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Registered: true, Sweep: p.Sweep(),
		Counters: event.Counters(CounterNames(), map[string]int{
			"push": 5, "done": 5, "due": 2, "rate": 3, "beyond": 8, "late": 2, "flush": 2, "illegal": 5, "not_ready": 2,
		}),
		Illegal: "illegal", Pulse: "evt_illegal", PulseAfter: 4, Dropped: "not_ready",
	}
}
