// SPDX-License-Identifier: Apache-2.0

// Package nicprobe generates the unit that makes and answers probes of LAPS in a NIC: requests of
// the path tables become frames, and frames become one-way delays. docs/units/nic_probe.md
// describes the unit.
package nicprobe

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Sizes that the design and the format fix.
const (
	FrameBytes  = 60 // of a probe, and of an answer
	HeadBytes   = 40 // of them, those that may differ from 0
	Addresses   = 12 // bytes of addresses
	NowBits     = 48 // of the time
	DelayBits   = 32 // of a delay that is given to the path tables
	BodyBits    = 64 // bits of a shim's body that are used: path and time
	PathBits    = 16 // of a path in a frame
	MostAnchors = 4  // in a frame
	FIFO        = 16 // of each kind that may wait
)

// Types of a shim.
const (
	Probe  = 2
	Answer = 3
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Destinations int64
	DstBits      int64
	PidBits      int64
	Anchors      int64
	CounterBits  int64

	EtherType int64
}

// Default returns the configuration for 64 destinations, with the widths of laps.
func Default() *Params {
	return &Params{Destinations: 64, DstBits: 16, PidBits: 16, Anchors: MostAnchors, CounterBits: 32, EtherType: 0x88b5}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	const (
		structure = "Structure"
		runtime   = "Run-time settings"
	)
	return []gen.Field{
		{Key: "destinations", Group: structure, Unit: "destinations", Int: &p.Destinations, Min: 2, Max: 4096, Flag: true, SV: "DESTINATIONS",
			Doc:  "Destinations whose addresses are known.",
			Cost: "BRAM: 97 bits each",
			Ref:  "LAPS §III-C PST"},
		{Key: "dst_bits", Group: structure, Unit: "bits", Int: &p.DstBits, Min: 1, Max: 24, Flag: true, SV: "DST_BITS",
			Doc:  "Width of the destination ports; numbers from destinations upwards are illegal and counted.",
			Cost: "LUT and FF for each bit",
			Ref:  "nicgen"},
		{Key: "pid_bits", Group: structure, Unit: "bits", Int: &p.PidBits, Min: 1, Max: PathBits, Flag: true, SV: "PID_BITS",
			Doc:  "Width of the path number ports; answers with a wider one are illegal and counted.",
			Cost: "LUT and FF for each bit",
			Ref:  "LAPS §III-B: 16"},
		{Key: "anchors", Group: structure, Unit: "anchors", Int: &p.Anchors, Min: 1, Max: MostAnchors, Flag: true,
			Doc:  "Anchors of a path, 32 bits each; a frame has room for 4.",
			Cost: "32 FF and LUT each, twice",
			Ref:  "LAPS §III-B: 4"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "9 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "ether_type", Group: runtime, Int: &p.EtherType, Min: 0x600, Max: 0xffff, Flag: true, Runtime: true, Port: "cfg_ether_type",
			Doc: "EtherType of shims.",
			Ref: "IEEE 802: 0x88B5, local experimental"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	if need := int64(sv.CLog2(p.Destinations)); p.DstBits < need {
		return []gen.Problem{{Key: "dst_bits", Found: fmt.Sprint(p.DstBits), Allowed: fmt.Sprintf("at least %d for destinations %d", need, p.Destinations)}}
	}
	return nil
}

// Cycles in a unit that does nothing else.
const (
	RouteLatency  = 3 // from a requested probe to the request of its anchors
	ProbeLatency  = 2 // from its anchors to the frame
	AnswerLatency = 3 // from the record of a received probe to the answer's frame
	ResultLatency = 2 // from the record of an answer to its delay
)

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"probe to route request": RouteLatency, "anchors to frame": ProbeLatency, "probe received to answer": AnswerLatency, "answer received to delay": ResultLatency}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"probe", "answer", "result", "probe_dropped", "answer_dropped", "result_dropped", "no_address", "bad", "illegal"}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_probe" }

// Title implements gen.Config.
func (p *Params) Title() string { return "NIC probes: the probes of LAPS made, answered and ended" }

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, §III-D, Algorithm 1"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_probe" }

// PortValues implements gen.Driven.
func (p *Params) PortValues() map[string]uint64 {
	return map[string]uint64{"cfg_ether_type": uint64(p.EtherType)}
}
