// SPDX-License-Identifier: Apache-2.0

package lapspaths

import "github.com/nicgen/nicgen/gen/event"

// Events, in the order in which the events of one cycle take effect.
type (
	// ACK is a measurement of a path's latency, by an ACK or by a probe's answer.
	ACK struct {
		PID   uint32
		Delay uint32 `port:"delay_ns"` // signed
		Probe bool
		Tag   uint64 // returned with the operands
	}
	// Change is a change of the tables by the control plane.
	Change struct {
		Op      uint8 // OpList and so on
		PID     uint32
		Dst     uint32
		Scale   uint32 // the exponent above the mantissa
		Latency uint32
		Base    uint32
		Anchors [8]uint32
	}
	// Packet is a packet to be sent.
	Packet struct {
		Dst uint32
		Tag uint64 // returned with the path
	}
	// Pick is the picker's answer.
	Pick struct {
		ID    uint32 // of the candidates
		Index uint32 // bank
		None  bool
	}
	// Route is a request for the anchors of a path.
	Route struct{ PID uint32 }
)

// The answers.
type (
	// Candidates are the paths for a packet.
	Candidates struct {
		ID      uint32
		Usable  uint32     // a bit for each bank
		Latency [32]uint16 // UQ5.9 octaves, by bank
	}
	// Probe asks for a probe packet.
	Probe struct{ PID, Dst uint32 }
	// Path is the path of a packet, or of a route request, whose answer has no tag.
	Path struct {
		Tag     uint64
		None    bool
		PID     uint32
		Anchors [8]uint32
		Latency uint32 `port:",optional"`
	}
	// Routed marks a Path as the answer to a route request.
	Routed struct{}
	// Operands are the inputs of rate control for the ACK of a data segment.
	Operands struct {
		Tag     uint64
		Dst     uint32
		Usable  uint32     // a bit for each bank
		Latency [32]uint32 // realVal, by bank
		Base    [32]uint32 `port:",optional"` // baseVal, by bank
		MaxBase uint32     `port:",optional"` // T
	}
)

// Settings are the run-time settings.
type Settings struct{ Beta uint64 }

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit. Some packets cause a probe. Chosen answers each pick; Found marks the answer to a
// route request, whose fields are on the ports of Chosen.
var (
	ACKs    = event.Input[ACK]("ack").Handshake()
	Changes = event.Input[Change]("cfg").Yields("ack")
	Packets = event.Input[Packet]("packet")
	Picks   = event.Input[Pick]("pick")
	Routes  = event.Input[Route]("route").Yields("pick")

	Cands  = event.Output[Candidates]("cand")
	Probes = event.Output[Probe]("probe")
	Chosen = event.Output[Path]("path")
	Found  = event.Output[Routed]("route")
	Rates  = event.Output[Operands]("rate")

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountPacket = iota
	CountNoPath
	CountProbe
	CountProbeWait
	CountACK
	CountAnswer
	CountStray
	CountConfig
	CountIllegal
	CountNotReady
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	lat := int(p.LatBits)
	c := &event.Contract{
		Events: []*event.Stream{ACKs.Stream, Changes.Stream, Packets.Stream, Picks.Stream, Routes.Stream},
		Answers: []event.Answer{
			{Stream: Cands.Stream, After: CandLatency}, {Stream: Probes.Stream, After: CandLatency},
			{Stream: Chosen.Stream, After: PathLatency}, {Stream: Found.Stream, After: PathLatency}, {Stream: Rates.Stream, After: RateLatency},
		},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.ReadyDelay() - 2,
		Counters: event.Counters(CounterNames, map[string]int{
			"": CountDelay, "no_path": CandLatency + 1, "probe": CandLatency + 1, "probe_wait": CandLatency + 1,
		}),
		Illegal: "illegal", Pulse: "evt_illegal", PulseAfter: CountDelay, Dropped: "not_ready",
		Lanes:  map[string]int{"m_cand_latency": WeightBits, "m_rate_latency": lat, "m_rate_base": lat},
		Others: []string{"sts_hold"},
	}
	if p.StateProtection == Parity {
		c.Others = append(c.Others, CorruptPorts...)
	}
	return c
}

// CorruptPorts are the outputs that report words with wrong bits, with state_protection parity.
var CorruptPorts = []string{"evt_corrupt_set", "evt_corrupt_path", "sts_corrupt_cnt", "evt_corrupt_dst", "evt_corrupt_pid"}
