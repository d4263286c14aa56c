// SPDX-License-Identifier: Apache-2.0

package repsdetector

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect.
type (
	// RTT is a sample of the RTT of a packet.
	RTT struct {
		Conn uint32
		NS   uint64 // all ones: this RTT or a longer one
	}
	// Flush empties a connection.
	Flush struct{ Conn uint32 }
	// Timeout is a retransmission timeout.
	Timeout struct{ Conn uint32 }
)

type (
	// Verdict is the answer to a Timeout.
	Verdict struct {
		Conn  uint32
		Cause uint8
	}
	// Fail is a failure for the REPS buffer, with its Verdict.
	Fail struct{ Conn uint32 }
)

// Settings are the run-time settings. Each event reads the ones that it needs.
type Settings struct {
	Trimming  bool   // every timeout is a failure
	Threshold uint64 `port:"rtt_threshold_ns"` // RTTs below it are low
	Window    uint64 `port:"window_ns"`        // time before a timeout in which RTTs count
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit. A flush waits for a cycle without an RTT sample.
var (
	RTTs     = event.Input[RTT]("rtt")
	Flushes  = event.Input[Flush]("flush").Yields("rtt")
	Timeouts = event.Input[Timeout]("timeout")
	Verdicts = event.Output[Verdict]("timeout")
	Fails    = event.Output[Fail]("fail")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountRTT = iota
	CountHigh
	CountTimeout
	CountFail
	CountCongestion
	CountFlush
	CountIllegal
	CountNotReady
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{RTTs.Stream, Flushes.Stream, Timeouts.Stream},
		Answers:  []event.Answer{{Stream: Verdicts.Stream, To: "timeout", After: VerdictLatency}, {Stream: Fails.Stream, After: VerdictLatency}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Connections,
		Counters: event.Counters(CounterNames, map[string]int{"": CountLatency, "fail": VerdictLatency + 1, "congestion": VerdictLatency + 1}),
		Illegal:  "illegal_conn", Pulse: "evt_illegal", PulseAfter: CountLatency, Dropped: "not_ready",
	}
}
