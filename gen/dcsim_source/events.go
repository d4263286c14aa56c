// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import "github.com/nicgen/nicgen/gen/event"

// The events.
type (
	// NewData is DATAs of a flow that are there to be sent.
	NewData struct{ Flow, Count uint64 }
	// SIMAck is a SIM-ACK that arrived.
	SIMAck struct{ Port uint64 }
	// DataAck is a tag of a DATA-ACK that arrived.
	DataAck struct{ Tag uint64 }
	// Seed is some bits of the random generator's state.
	Seed struct{ Word uint64 }
)

// The answers.
type (
	// SIM is a SIM that may be sent.
	SIM struct{ Flow, Port uint64 }
	// Data is a DATA that may be sent.
	Data struct{ Flow, Port, Seq, Tag uint64 }
	// Lost is a DATA that is given back.
	Lost struct{ Flow, Seq uint64 }
)

// Settings are the run-time settings. All of them take effect in every cycle.
type Settings struct {
	TokenGain, TokenCost uint64
	RTTMax               uint64 // clocks
	SIMQueue             uint64 // B
	DataTimeout          uint64 // clocks
}

// Streams of the unit.
var (
	News     = event.Input[NewData]("data").Handshake().Tried()
	SIMAcks  = event.Input[SIMAck]("sim_ack").Tried()
	DataAcks = event.Input[DataAck]("data_ack").Tried()
	Seeds    = event.Input[Seed]("seed").Unready()
	SIMs     = event.Output[SIM]("sim").Handshake()
	Datas    = event.Output[Data]("data").Handshake()
	Losses   = event.Output[Lost]("lost")

	SettingPorts = event.Ports[Settings]("cfg_")
)

// Counters, in the order of CounterNames.
const (
	CountData = iota
	CountSIM
	CountSIMAck
	CountSIMTimeout
	CountDataSent
	CountDataAck
	CountDataTimeout
	CountLost
	CountSIMAckMissed
	CountDataAckMissed
	CountRefused
	CountNotReady
)

// Cycles from a missed SIM-ACK or DATA-ACK to the pulse and to the counter.
const (
	MissedLatency = 3
	CountLatency  = 4
)

// Contract implements event.Contracted. SIMs and DATAs are offered when they are due.
func (p *Params) Contract() *event.Contract {
	c := &event.Contract{
		Events:   []*event.Stream{News.Stream, SIMAcks.Stream, DataAcks.Stream, Seeds.Stream},
		Answers:  []event.Answer{{Stream: SIMs.Stream}, {Stream: Datas.Stream}, {Stream: Losses.Stream}},
		Settings: SettingPorts.Stream,
		Reset:    1, Sweep: 1 << p.SweepBits(),
		Counters: event.Counters(CounterNames, map[string]int{
			"": 1, "data": 3, "sim_ack": CountLatency, "data_ack": CountLatency, "data_timeout": 2, "lost": 2,
			"sim_ack_missed": CountLatency, "data_ack_missed": CountLatency, "refused": 3, "not_ready": 2,
		}),
		Pulse: "evt_illegal", PulseAfter: MissedLatency,
	}
	c.Counters[CountData].Most = 1<<CountBits - 1
	return c
}
