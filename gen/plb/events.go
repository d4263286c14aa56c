// SPDX-License-Identifier: Apache-2.0

package plb

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect. A Seed takes effect first,
// even while the unit is not ready.
type (
	// Seed is a word for the random generator.
	Seed struct{ Word uint32 }
	// ACK is an acknowledgement.
	ACK struct {
		Conn     uint32
		Pkts     uint64 // newly acknowledged packets; 0 for a duplicate
		ECE      bool   // it echoes CE
		RTT      uint64 `port:"rtt_ns"`
		UNA, NXT uint32 // the first unacknowledged sequence number, and one above the highest sent
	}
	// RTO is a retransmission timeout, or the opening of a connection.
	RTO struct {
		Conn uint32
		Open bool
	}
	// Send is a packet about to be sent.
	Send struct {
		Conn uint32
		Idle bool // no packet of the connection is in flight
	}
)

// Label is the answer to a Send. The answer to an illegal one has a cause and no label.
type Label struct {
	Conn  uint32
	Label uint32
	Port  uint64 // UDP source port
	New   bool   `port:",always"`
	Cause uint8  `port:",always"`
}

// Settings are the run-time settings. Each event reads the ones that it needs.
type Settings struct {
	Mode        uint64 // ModePLB and so on
	RTTDetector bool   // RTT above the target instead of CE
	Fraction    uint64 // K in 2^-15
	Target      uint64 `port:"target_ns"`
	Idle        uint64 `port:"idle_rounds"`   // M
	Forced      uint64 `port:"forced_rounds"` // N
	Pause       uint64 `port:"pause_ns"`      // T
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit.
var (
	Seeds  = event.Input[Seed]("seed").Unready()
	ACKs   = event.Input[ACK]("ack")
	RTOs   = event.Input[RTO]("rto")
	Sends  = event.Input[Send]("send")
	Labels = event.Output[Label]("send")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountACK = iota
	CountRTO
	CountSend
	CountCongested
	CountClean
	CountIdle
	CountForced
	CountRestart
	CountOpen
	CountSaturated
	CountIllegal
	CountJump
	CountNotReady
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Seeds.Stream, ACKs.Stream, RTOs.Stream, Sends.Stream},
		Answers:  []event.Answer{{Stream: Labels.Stream, To: "send", After: SendLatency}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Connections,
		Counters: event.Counters(CounterNames, map[string]int{
			"": CountLatency, "congested": RoundLatency, "clean": RoundLatency, "saturated": RoundLatency,
			"idle": LabelLatency, "forced": LabelLatency, "restart": LabelLatency, "jump": JumpLatency,
		}),
		Illegal: "illegal", Pulse: "evt_illegal", PulseAfter: CountLatency, Dropped: "not_ready",
	}
}
