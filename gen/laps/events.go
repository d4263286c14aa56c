// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"strings"

	"github.com/nicgen/nicgen/gen/event"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
)

// Events that no part has. Optional fields exist only with the loss detector.
type (
	// Packet is a packet to be sent.
	Packet struct {
		Dst   uint32
		Tag   uint64 // returned with the path
		Track bool   `port:",optional"` // a data segment: detect its loss
		Flow  uint32 `port:",optional"`
		Seq   uint64 `port:",optional"`
	}
	// ACK is an ACK of a data segment.
	ACK struct {
		PID   uint32 // path of the segment
		Flow  uint32
		Seq   uint64 `port:",optional"`
		Delay uint32 `port:"delay_ns"` // signed
	}
	// Answer is a probe's answer.
	Answer struct {
		PID   uint32
		Delay uint32 `port:"delay_ns"` // signed
	}
)

// Settings are the run-time settings.
type Settings struct {
	Beta             uint64
	MaxRate, MinRate uint64
	Stages           uint8
	RTOMin           uint64 `port:"rto_min_ns,optional"`
}

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit. Sent, Acked and Losses exist only with the loss detector.
var (
	Packets = event.Input[Packet]("packet")
	Routes  = event.Input[lapspaths.Route]("route").Handshake()
	Answers = event.Input[Answer]("answer").Handshake()
	ACKs    = event.Input[ACK]("ack").Handshake()
	Opens   = event.Input[lapsrate.Open]("open").Handshake()
	Changes = event.Input[lapspaths.Change]("cfg").Handshake()
	Seeds   = event.Input[lapspick.Seed]("seed").Unready()

	Chosen = event.Output[lapspaths.Path]("path")
	Found  = event.Output[lapspaths.Routed]("route")
	Probes = event.Output[lapspaths.Probe]("probe")
	Rates  = event.Output[lapsrate.Rate]("rate")
	Sent   = event.Output[lapsloss.Sent]("send")
	Acked  = event.Output[lapsloss.Done]("ack")
	Losses = event.Output[lapsloss.Lost]("lost").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	d := p.Delays()
	c := &event.Contract{
		Events: []*event.Stream{Seeds.Stream, Answers.Stream, ACKs.Stream, Changes.Stream, Packets.Stream, Routes.Stream, Opens.Stream},
		Answers: []event.Answer{
			{Stream: Chosen.Stream, To: "packet", After: p.PacketLatency()}, {Stream: Found.Stream, After: d.Path},
			{Stream: Probes.Stream, After: d.Cand}, {Stream: Rates.Stream},
		},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.ReadyDelay() - 2,
		Counters: p.counters(), Dropped: "not_ready",
		Others: []string{"evt_paths_illegal", "evt_rate_illegal"},
	}
	if p.Loss {
		c.Answers = append(c.Answers, event.Answer{Stream: Sent.Stream}, event.Answer{Stream: Acked.Stream}, event.Answer{Stream: Losses.Stream})
	}
	if p.Tables.StateProtection == lapspaths.Parity {
		c.Others = append(c.Others, lapspaths.CorruptPorts[:2]...)
		c.Others = append(c.Others, lapspaths.CorruptPorts[3:]...)
	}
	return c
}

// counters returns the parts' counters, with their delays from the event at the unit's ports.
func (p *Params) counters() (list []event.Counter) {
	d, parts := p.Delays(), p.Parts()
	of := map[string]*event.Contract{"paths": parts.Paths.Contract(), "pick": parts.Pick.Contract(), "rate": parts.Rate.Contract()}
	if parts.Loss != nil {
		of["loss"] = parts.Loss.Contract()
	}
	before := map[string]int{"pick": d.Cand, "rate": d.Operands}
	for _, x := range p.Counters() {
		after := 0
		for _, k := range of[x.Part].Counters {
			if k.Name == x.Name {
				after = k.After + before[x.Part]
			}
		}
		list = append(list, event.Counter{Name: strings.TrimSuffix(strings.TrimPrefix(x.Port, "sts_"), "_cnt"), After: after})
	}
	return append(list, event.Counter{Name: "not_ready", After: 2})
}
