// SPDX-License-Identifier: Apache-2.0

package reps

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect. A Seed takes effect first,
// even while the unit is not ready.
type (
	// Seed is a word for the random generator.
	Seed struct{ Word uint32 }
	// ACK is an acknowledgement that returns an EV.
	ACK struct {
		Conn uint32
		Port uint8
		EV   uint32
		ECN  bool // the acknowledged packet was marked
	}
	// CarriedACK is an acknowledgement that returns several EVs. It waits in a queue: each cycle gives
	// one EV to the buffer.
	CarriedACK struct {
		Conn  uint32
		Port  uint8
		Count uint8 // EVs; above the maximum it counts as the maximum
		EV    [16]uint32
		ECN   uint16 // a flag for each EV
	}
	// Flush returns a connection on a NIC port to its state after reset.
	Flush struct {
		Conn uint32
		Port uint8
	}
	// Fail is a suspected failure.
	Fail struct {
		Conn uint32
		Port uint8
	}
	// Send is a packet about to be sent.
	Send struct {
		Conn   uint32
		Port   uint8
		Inject bool   `port:",rare"` // Random replaces the generator's word
		Random uint32 `port:",rare"`
	}
)

// Answer is the answer to a Send.
type Answer struct {
	EV     uint32 `port:"=m_ev"`
	Source uint8
}

// Settings are the run-time settings. Each event reads the ones that it needs.
type Settings struct {
	Mode     [8]uint8 // of each NIC port: 0 REPS, 1 or 3 OPS, 2 ECMP
	Freezing bool     // failures freeze the buffer
	Timeout  uint64   `port:"freezing_timeout_ns"` // FREEZING_TIMEOUT
	NumPkts  uint32   `port:"num_pkts_cwnd"`       // NUM_PKTS_CWND in packets, 0 to 65535
	EVBase   uint32   // lowest EV on the wire
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit. ACKs that carry EVs wait for room in their queue, which alone holds back a
// flush then; otherwise a flush waits for a cycle without an ACK.
var (
	Seeds          = event.Input[Seed]("seed").Unready()
	ACKs           = event.Input[ACK]("ack")
	CarriedACKs    = event.Input[CarriedACK]("ack").Handshake()
	Flushes        = event.Input[Flush]("flush").Yields("ack")
	CarriedFlushes = event.Input[Flush]("flush").Handshake()
	Fails          = event.Input[Fail]("fail")
	Sends          = event.Input[Send]("send")
	Answers        = event.Output[Answer]("ev")

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
	CountFreeze
	CountThaw
	CountIllegalConn
	CountIllegalEV
	CountNotReady
)

// FlushStream returns the stream of flushes of a configuration.
func (p *Params) FlushStream() event.In[Flush] {
	if p.Coalescing == Carry {
		return CarriedFlushes
	}
	return Flushes
}

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	acks, lanes := ACKs.Stream, map[string]int{"cfg_mode": 2}
	if p.Coalescing == Carry {
		acks, lanes["s_ack_ev"] = CarriedACKs.Stream, p.WireBits()
	}
	c := &event.Contract{
		Events:   []*event.Stream{Seeds.Stream, acks, p.FlushStream().Stream, Fails.Stream, Sends.Stream},
		Answers:  []event.Answer{{Stream: Answers.Stream, To: "send", After: p.SendLatency()}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: 2 * p.Rows(),
		Counters: event.Counters(CounterNames, map[string]int{"": EventLatency, "freeze": FreezeLatency, "thaw": FreezeLatency}),
		Illegal:  "illegal_conn", Pulse: "evt_illegal", PulseAfter: EventLatency, Dropped: "not_ready",
		Lanes:  lanes,
		Others: []string{"sts_seeded", "evt_freeze", "evt_thaw"},
	}
	if p.Protected() {
		c.Others = append(c.Others, "evt_corrected", "sts_corrected_cnt")
	}
	if p.NICPorts == 1 {
		c.Rare = []string{"s_ack_port", "s_fail_port", "s_send_port", "s_flush_port"}
	}
	return c
}
