// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import "github.com/nicgen/nicgen/gen/event"

// Packet is a packet of DCSIM that arrived.
type Packet struct {
	Class, Flow uint64
	Port        uint64 // of SIMs
	Tag         uint64 // of DATAs
	Bytes       uint64
}

// The answers.
type (
	// Answer is a SIM-ACK that may be sent.
	Answer struct{ Flow, Port uint64 }
	// Ack is a tag of a DATA-ACK.
	Ack struct {
		Flow, Tag uint64
		Left      uint64 // tags of the packet that follow
		Last      bool
	}
)

// Settings are the run-time settings. All of them act in every cycle.
type Settings struct {
	Every     uint64 // packets, less one
	Tick      uint64 // 2^GrainBits clocks, less one
	DataBytes uint64 // the longest DATA
}

// Streams of the unit.
var (
	Packets = event.Input[Packet]("rx").Tried()
	SIMAcks = event.Output[Answer]("sim_ack").Handshake()
	Acks    = event.Output[Ack]("data_ack").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
)

// Counters, in the order of CounterNames.
const (
	CountSIM = iota
	CountSIMMissed
	CountData
	CountDataMissed
	CountDataAck
	CountDataAckTimed
	CountAcked
	CountBadClass
	CountBadFlow
	CountBadLength
	CountNotReady
)

// Cycles from a packet to its check and its queue, to the pulse of an illegal packet, and to the
// counters.
const (
	checkLatency   = 2
	IllegalLatency = checkLatency + 1
	CountLatency   = checkLatency + 2
)

// Contract implements event.Contracted. A DATA-ACK is for several packets.
func (p *Params) Contract() *event.Contract {
	data := CountLatency + int(p.RAMLatency) - 1
	return &event.Contract{
		Events:   []*event.Stream{Packets.Stream},
		Answers:  []event.Answer{{Stream: SIMAcks.Stream}, {Stream: Acks.Stream}},
		Settings: SettingPorts.Stream,
		Reset:    1,
		Counters: event.Counters(CounterNames, map[string]int{
			"": CountLatency, "data": data, "data_missed": data, "data_ack": 2, "data_ack_timed": 2, "acked": 2, "not_ready": 2,
		}),
		Pulse: "evt_illegal", PulseAfter: IllegalLatency,
		Others: []string{"sts_ready", "evt_missed"},
	}
}
