// SPDX-License-Identifier: Apache-2.0

package nicgate

import "github.com/nicgen/nicgen/gen/event"

// tagWords are the words of 64 bits of the widest tag.
const tagWords = mostTagBits / 64

// The events.
type (
	// Enter is a packet stored in a queue.
	Enter struct {
		Conn   uint32
		PSN    uint64
		Counts bool // it will be acknowledged
	}
	// Due is a connection's turn.
	Due struct{ Conn uint32 }
	// Release is a packet that leaves a queue.
	Release struct {
		Conn       uint32
		PSN, Bytes uint64
		Counts     bool
	}
	// Done is the end of a visit.
	Done struct {
		Conn    uint32
		Wire    uint64
		Discard bool
	}
	// ACK is an ACK or a NAK.
	ACK struct {
		Conn   uint32
		PSN    uint64
		NAK    bool
		Counts bool
		Tag    [tagWords]uint64
	}
	// Window is a new window.
	Window struct {
		Conn  uint32
		Bytes uint64
	}
	// Flush asks for a connection to be emptied.
	Flush struct{ Conn uint32 }
)

// The answers.
type (
	// Timeout is the event that the host's timer has sent a packet again.
	Timeout struct{ Conn uint32 }
	// Push is a connection that wants its turn.
	Push struct{ Conn uint32 }
	// Pop is packets that may leave.
	Pop struct {
		Conn    uint32
		Budget  uint64
		Discard bool
	}
	// Send is a packet that leaves, for the path unit.
	Send struct {
		Conn uint32
		Idle bool
	}
	// Over is the end of a turn.
	Over struct {
		Conn  uint32
		Bytes uint64
		Again bool
	}
	// Sample is the answer to an ACK.
	Sample struct {
		Conn     uint32
		Hit      bool
		EV       uint64
		Measured bool
		RTT      uint64
		Acked    uint64
		PSNs     uint64 `port:"psns"`
		Una      uint64 `port:",only=hit"`
		Nxt      uint64
		Moved    bool
		Tag      [tagWords]uint64
	}
)

// Settings are the run-time settings.
type Settings struct {
	InitWindow, Quantum uint64
	Stall               uint64 `port:"stall_ns"`
	Flight              uint64 `port:"flight_ns"`
	GoBackN, FlushForce bool
}

// Inputs are the ambient inputs.
type Inputs struct {
	Now uint64 `port:"now_ns"`
	EV  uint64 `port:"s_ev"` // of the packet that left some cycles ago
}

// Streams of the unit. A flush waits for the queue and the pacer behind the gate, so it must not be
// offered at any time.
var (
	Enters   = event.Input[Enter]("enter").Tried()
	Dues     = event.Input[Due]("due").Handshake().Tried()
	Releases = event.Input[Release]("release").Tried()
	Dones    = event.Input[Done]("done").Tried()
	ACKs     = event.Input[ACK]("ack").Tried()
	Windows  = event.Input[Window]("window").Tried()
	Flushes  = event.Input[Flush]("flush").Handshake()

	Timeouts = event.Output[Timeout]("timeout")
	Pushes   = event.Output[Push]("push").Handshake()
	Visits   = event.Output[Pop]("pop").Handshake()
	Sends    = event.Output[Send]("send")
	Overs    = event.Output[Over]("done")
	Samples  = event.Output[Sample]("sample")

	SettingPorts = event.Ports[Settings]("cfg_")
	InputPorts   = event.Ports[Inputs]("")
)

// Counters, in the order of CounterNames.
const (
	CountACK = iota
	CountOld
	CountStray
	CountRetransmit
	CountTimeout
	CountShut
	CountStall
	CountDropped
	CountFlush
	CountIllegal
	CountNotReady
)

// Contract implements event.Contracted. Delays count from the cycle in which the unit decides.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events: []*event.Stream{Enters.Stream, Dues.Stream, Releases.Stream, Dones.Stream, ACKs.Stream, Windows.Stream, Flushes.Stream},
		Answers: []event.Answer{
			{Stream: Timeouts.Stream, After: 1}, {Stream: Pushes.Stream}, {Stream: Visits.Stream}, {Stream: Sends.Stream, After: 1},
			{Stream: Overs.Stream, After: 1}, {Stream: Samples.Stream, To: "ack", After: 2},
		},
		Settings: SettingPorts.Stream, Ambient: InputPorts.Stream,
		Reset: 1, Sweep: p.Sweep(),
		Counters: event.Counters(CounterNames(), map[string]int{"": 2, "ack": 3, "old": 3, "stray": 3, "timeout": 3, "illegal": 3}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: 2,
	}
}
