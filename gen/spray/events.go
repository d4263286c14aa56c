// SPDX-License-Identifier: Apache-2.0

package spray

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect. A Seed takes effect first, in
// any cycle.
type (
	// Seed is a word for the random generator.
	Seed struct{ Word uint32 }
	// ACK is an acknowledgement. It is counted, and changes no EV.
	ACK struct {
		Conn, Port uint64
		EV         uint64
		ECN        bool // the acknowledged packet was marked
	}
	// Fail is a suspected failure. It is counted, and changes no EV.
	Fail struct{ Conn, Port uint64 }
	// Send is a packet about to be sent.
	Send struct {
		Conn, Port uint64
		Inject     bool   `port:",rare"`       // Word replaces the generator's word
		Word       uint64 `port:"random,rare"` // random bits
	}
	// Flush returns a connection on a NIC port to its state after reset.
	Flush struct{ Conn, Port uint64 }
)

// Answer is the answer to a Send.
type Answer struct {
	EV     uint64 `port:"=m_ev"`
	Source uint8
}

// Settings are the run-time settings. Each event reads the ones that it needs.
type Settings struct {
	Mode     [8]uint8 // of each NIC port
	EVs      uint64   `port:"evs"`
	Timeout  uint64   `port:"flowlet_timeout_ns"`
	HashSeed uint64
	Base     uint64 `port:"ev_base"`
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit. A flush waits for a cycle without a SEND.
var (
	Seeds   = event.Input[Seed]("seed").Unready()
	ACKs    = event.Input[ACK]("ack")
	Fails   = event.Input[Fail]("fail")
	Sends   = event.Input[Send]("send")
	Flushes = event.Input[Flush]("flush").Yields("send")
	Answers = event.Output[Answer]("ev")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountACK = iota
	CountECN
	CountFail
	CountSend
	CountFlush
	CountNew
	CountIllegal
	CountNotReady
	CountJump
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	c := &event.Contract{
		Events:   []*event.Stream{Seeds.Stream, ACKs.Stream, Fails.Stream, Sends.Stream, Flushes.Stream},
		Answers:  []event.Answer{{Stream: Answers.Stream, To: "send", After: SendLatency}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Entries(),
		Counters: event.Counters(CounterNames, map[string]int{"": EventLatency, "new": SendLatency, "jump": JumpLatency}),
		Illegal:  "illegal_conn", Pulse: "evt_illegal", PulseAfter: EventLatency, Dropped: "not_ready",
		Lanes:  map[string]int{"cfg_mode": 2},
		Others: []string{"sts_seeded"},
	}
	if p.NICPorts == 1 {
		c.Rare = []string{"s_ack_port", "s_fail_port", "s_send_port", "s_flush_port"}
	}
	return c
}
