// SPDX-License-Identifier: Apache-2.0

package nicparse

import "github.com/nicgen/nicgen/gen/event"

// The records of a frame.
type (
	// Header is the content of the packet's first bytes.
	Header struct {
		Kind, Reason uint64
		Placed       bool
		V6           bool   `port:",optional"`
		Tags         uint64 `port:",optional"`
		Lane         uint64
		DSCP, ECN    uint64
		Flow         uint64    `port:",optional"`
		Src          [2]uint64 `port:",optional"` // the low half first
		Dst          [2]uint64 `port:",optional"`
		SrcPort      uint64    `port:"sport"`
		UDPLen       uint64
		IPBytes      uint64
		Opcode       uint64
		QP, PSN      uint64
		FECN         bool `port:",optional"`
		BECN, AckReq bool
		Pad          uint64 `port:",optional"`
		Syndrome     uint64 `port:",optional"`
		MSN          uint64
		ICRC         bool `port:",optional"`
	}
	// End is the result known at the packet's end.
	End struct {
		Bytes      uint64 // all ones if it does not fit
		Bad, Short bool
	}
)

// Settings are the run-time settings. They take effect Sampled cycles after the headers.
type Settings struct {
	RoCEPort uint16 `port:"roce_port,optional"`
	UETPort  uint16 `port:"uet_port,optional"`
	MaxFrame uint64 // bytes, without tags
}

// Streams of the unit.
var (
	Frames  = event.InputAXIS[event.Beat]("axis")
	Headers = event.Output[Header]("hdr")
	Ends    = event.Output[End]("end")

	SettingPorts = event.Ports[Settings]("cfg_")
)

// Counters, in the order of their ports.
const (
	CountFrame = iota
	CountOther
	CountTruncated
	CountMalformed
	CountShort
	CountUnplaced
)

// Contract implements event.Contracted.
func (p *Params) Contract() *event.Contract {
	return &event.Contract{
		Events:   []*event.Stream{Frames.Stream},
		Answers:  []event.Answer{{Stream: Headers.Stream, After: Latency}, {Stream: Ends.Stream, After: EndLatency}},
		Settings: SettingPorts.Stream,
		Counters: event.Counters([]string{"frame", "other", "truncated", "malformed", "short", "unplaced"},
			map[string]int{"": Latency + 1, "short": EndLatency + 1}),
		Pulse: "evt_illegal", PulseAfter: Latency,
	}
}
