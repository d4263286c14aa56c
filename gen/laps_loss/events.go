// SPDX-License-Identifier: Apache-2.0

package lapsloss

import "github.com/nicgen/nicgen/gen/event"

// Segment is a data segment sent on a path, or acknowledged by an ACK of the path.
type Segment struct {
	PID     uint32
	Flow    uint32
	Seq     uint64
	Latency uint64 `port:"latency_ns"` // of the path
}

// The answers.
type (
	// Sent is the answer to a send.
	Sent struct {
		Stored bool // the segment is tracked
	}
	// Done is the answer to an ACK, given when the ACK leaves the barrel.
	Done struct {
		PID   uint32
		Flow  uint32
		Seq   uint64
		Cause uint8
	}
	// Lost is a lost segment.
	Lost struct {
		PID     uint32
		Flow    uint32
		Seq     uint64
		Timeout bool // by the path's timer
	}
)

// Settings are the run-time settings.
type Settings struct {
	RTOMin uint64 `port:"rto_min_ns"`
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit.
var (
	Sends = event.Input[Segment]("send")
	ACKs  = event.Input[Segment]("ack").Handshake()

	SendAnswers = event.Output[Sent]("send")
	ACKAnswers  = event.Output[Done]("ack")
	Losses      = event.Output[Lost]("lost").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountSend = iota
	CountFull
	CountACK
	CountSkip
	CountIgnored
	CountLost
	CountTimeout
	CountExpired
	CountIllegalPath
	CountNotReady
)

// Contract implements event.Contracted. The latency of ACKs and of reports depends on the traffic.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events: []*event.Stream{Sends.Stream, ACKs.Stream},
		Answers: []event.Answer{
			{Stream: SendAnswers.Stream, To: "send", After: p.SendLatency()}, {Stream: ACKAnswers.Stream}, {Stream: Losses.Stream},
		},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Paths + p.ReadyDelay() - 1,
		Counters: event.Counters(CounterNames, map[string]int{"": CountDelay}),
		Illegal:  "illegal_path", Dropped: "not_ready",
	}
}
