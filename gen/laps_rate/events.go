// SPDX-License-Identifier: Apache-2.0

package lapsrate

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect.
type (
	// ACK is the ACK of a data segment, with the latencies of the paths to its flow's destination.
	// Params.Operands decides which optional fields exist.
	ACK struct {
		Flow       uint32
		Usable     uint32     // the valid paths, a bit for each; bit 0 alone with ExtremesOp
		Latency    [32]uint32 `port:"latency_ns,optional"`     // realVal, by path
		Base       [32]uint32 `port:"base_ns,optional"`        // baseVal, by path
		MinLatency uint32     `port:"min_latency_ns,optional"` // t
		MaxLatency uint32     `port:"max_latency_ns,optional"`
		MaxBase    uint32     `port:"max_base_ns,optional"` // T
	}
	// Open is the opening of a flow.
	Open struct{ Flow uint32 }
)

// Rate is the answer to an ACK or an Open.
type Rate struct {
	Flow              uint32
	Cause             uint8
	Current, Expected uint64 // from now on
}

// Settings are the run-time settings, read SettingsDelay cycles after each event. Rates are in any unit,
// the same for both.
type Settings struct {
	Max    uint64 `port:"max_rate"` // rate of an opened flow, and cap
	Min    uint64 `port:"min_rate"` // no decrease leads below
	Stages uint8  // increases before the expected rate is doubled with each: N
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit.
var (
	ACKs  = event.Input[ACK]("ack")
	Opens = event.Input[Open]("open").Yields("ack")
	Rates = event.Output[Rate]("rate")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountACK = iota
	CountCongested
	CountDecrease
	CountIncrease
	CountHyper
	CountNoPath
	CountOpen
	CountIllegalFlow
	CountNotReady
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	lat := int(p.LatBits)
	return &event.Contract{
		Events:   []*event.Stream{ACKs.Stream, Opens.Stream},
		Answers:  []event.Answer{{Stream: Rates.Stream, To: "ack open", After: p.RateLatency()}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Flows,
		Counters: event.Counters(CounterNames, map[string]int{"": p.RateLatency() + 1, "not_ready": 2}),
		Illegal:  "illegal_flow", Pulse: "evt_illegal", PulseAfter: p.RateLatency(), Dropped: "not_ready",
		Lanes: map[string]int{"s_ack_latency_ns": lat, "s_ack_base_ns": lat},
	}
}
