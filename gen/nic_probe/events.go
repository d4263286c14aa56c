// SPDX-License-Identifier: Apache-2.0

package nicprobe

import "github.com/nicgen/nicgen/gen/event"

// The events.
type (
	// Address sets or removes the addresses of a destination's probes.
	Address struct {
		Dst   uint64
		Set   bool
		Bytes [2]uint64 // byte 0 of the frame in the lowest bits
	}
	// Wish is a probe that the path tables want.
	Wish struct{ Pid, Dst uint64 }
	// Route is the anchors of a path.
	Route struct {
		Anchors [MostAnchors]uint32
	}
	// Shim is the shim of a frame that came.
	Shim struct {
		Bad           bool
		Subtype, Type uint64
		Body          uint64
		Addresses     [2]uint64
	}
)

// The answers.
type (
	// Request asks for the anchors of a path.
	Request struct{ Pid uint64 }
	// Result is the delay of a probe that was answered.
	Result struct {
		Pid   uint64
		Delay uint64 `port:"delay_ns"`
	}
	// Frame is the head of a frame that leaves.
	Frame struct{ Data [HeadBytes / 8]uint64 }
)

// Settings are the run-time settings. They act with each frame.
type Settings struct{ EtherType uint64 }

// Time is the ambient input.
type Time struct {
	Now uint64 `port:"now_ns"`
}

// Streams of the unit.
var (
	Tables   = event.Input[Address]("address").Handshake()
	Wishes   = event.Input[Wish]("probe")
	Requests = event.Output[Request]("route").Handshake()
	Routes   = event.Input[Route]("route")
	Shims    = event.Input[Shim]("shim")
	Results  = event.Output[Result]("answer").Handshake()
	Frames   = event.Output[Frame]("frame").Handshake()

	SettingPorts = event.Ports[Settings]("cfg_")
	TimePorts    = event.Ports[Time]("")
)

// Counters, in the order of CounterNames.
const (
	CountProbe = iota
	CountAnswer
	CountResult
	CountProbeDropped
	CountAnswerDropped
	CountResultDropped
	CountNoAddress
	CountBad
	CountIllegal
)

// Contract implements event.Contracted. Delays count from the cycle in which the unit decides: a
// shim is checked in the cycle after it arrives.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Tables.Stream, Wishes.Stream, Routes.Stream, Shims.Stream},
		Answers:  []event.Answer{{Stream: Requests.Stream}, {Stream: Results.Stream}, {Stream: Frames.Stream}},
		Settings: SettingPorts.Stream, Ambient: TimePorts.Stream,
		Reset: 1, Sweep: p.Destinations,
		Counters: event.Counters(CounterNames, map[string]int{"": 1, "illegal": 2}),
		Illegal:  "illegal", Pulse: "evt_illegal", PulseAfter: 1,
	}
}
