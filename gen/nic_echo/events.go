// SPDX-License-Identifier: Apache-2.0

package nicecho

import "github.com/nicgen/nicgen/gen/event"

// Events. All events of one cycle act together; docs/units/nic_echo.md has the steps.
type (
	// Data is a packet received.
	Data struct {
		Conn     uint32
		PSN      uint64
		EV       uint32
		CE       bool
		Feedback bool      `port:",optional"` // its connection wants feedback packets
		Shim     bool      `port:",optional"` // Body is there
		Body     [8]uint64 `port:",optional"` // of the shim, the first word lowest
	}
	// ACK is a departing ACK.
	ACK struct {
		Conn uint32
		PSN  uint64
	}
	// Flush empties a connection.
	Flush struct{ Conn uint32 }
)

// Echo is the answer to an ACK.
type Echo struct {
	Hit   bool      `port:",always"` // EV is there
	EV    uint32    `port:",always"`
	Mark  bool      `port:",always"`
	Fresh bool      `port:",always,optional"` // Body is there
	Body  [8]uint64 `port:",optional"`
}

// Feedback is a list that is sent. The newest of its Count packets is the last one of EVs, and the
// highest bit of Marks.
type Feedback struct {
	Conn  uint32     `port:",always"`
	PSN   uint64     `port:",always"`
	Count uint8      `port:",always"`
	EVs   [16]uint32 `port:"evs"`
	Marks uint32
	Again bool `port:",always"`
}

// Settings are the run-time settings.
type Settings struct {
	ECNOr           bool
	FeedbackPackets uint64 `port:",optional"`
	FeedbackTime    uint64 `port:"feedback_ns,optional"`
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns,optional"`
}

// Streams of the unit. There are no Feedbacks without lists.
var (
	Datas     = event.Input[Data]("data")
	ACKs      = event.Input[ACK]("ack")
	Flushes   = event.Input[Flush]("flush").Handshake()
	Echoes    = event.Output[Echo]("echo")
	Feedbacks = event.Output[Feedback]("fb").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// EventLatency is the number of cycles from an event to its step and to evt_illegal.
const EventLatency = 3

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	c := &event.Contract{
		Events:   []*event.Stream{Datas.Stream, ACKs.Stream, Flushes.Stream},
		Answers:  []event.Answer{{Stream: Echoes.Stream, To: "ack", After: p.EchoLatency()}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Registered: true, Sweep: p.Connections * p.Ring,
		Counters: event.Counters(p.CounterNames(), map[string]int{
			"": EventLatency + 1, "duplicate": EventLatency + 2, "lost": EventLatency + 2,
			"hit": p.EchoLatency() + 1, "miss": p.EchoLatency() + 1, "feedback": 1,
		}),
		Illegal: "illegal", Pulse: "evt_illegal", PulseAfter: EventLatency, Dropped: "not_ready",
	}
	if p.List > 0 {
		c.Answers = append(c.Answers, event.Answer{Stream: Feedbacks.Stream})
		c.Lanes = map[string]int{"m_fb_evs": int(p.EVBits)}
	}
	return c
}
