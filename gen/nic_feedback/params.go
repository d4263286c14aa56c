// SPDX-License-Identifier: Apache-2.0

// Package nicfeedback generates the unit that makes and ends feedback packets of a NIC: lists of
// entropy values and marks on the wire. docs/units/nic_feedback.md describes the unit.
package nicfeedback

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Sizes that the design and the format fix.
const (
	DataBits  = 512 // of a beat
	DataBytes = DataBits / 8
	EVBits    = 16
	PSNBits   = 24
	MostEVs   = 16 // of a packet
	Words     = 32 // of a template
	// FIFO is the number of packets received whose lists may wait.
	FIFO = 16
)

// Bits of a template's first word that are not part of the frame.
const (
	LaneBits  = 4 // from bit 0 on
	LabelBit  = 4
	ValidBit  = 5
	FrameFrom = 16 // the frame's first bytes
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	List        int64
	CounterBits int64
}

// Default returns the configuration for 256 connections and lists of 16 entropy values.
func Default() *Params { return &Params{Connections: 256, ConnBits: 16, List: 16, CounterBits: 32} }

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	const structure = "Structure"
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that have a template.",
			Cost: "BRAM: 1 RAMB36 for each 32",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections have no template, and are counted as illegal.",
			Cost: "LUT and FF for each bit",
			Ref:  "nicgen"},
		{Key: "list", Group: structure, Unit: "EVs", Int: &p.List, Min: 1, Max: MostEVs, Flag: true,
			Doc:  "EVs in a list that becomes a packet; packets received may have 16 whatever it is.",
			Cost: "about 1 LUT for each 3 bits of the list",
			Ref:  "REPS §4.5.1"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "6 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		return []gen.Problem{{Key: "conn_bits", Found: fmt.Sprint(p.ConnBits), Allowed: fmt.Sprintf("at least %d for connections %d", need, p.Connections)}}
	}
	return nil
}

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"list to first beat": BeatLatency, "last beat received to first EV": EVLatency}
}

// Cycles from the offer of a list to its packet's first beat, and from a packet's last beat to its
// first EV, in an otherwise idle unit.
const (
	BeatLatency = 21
	EVLatency   = 6
)

// CounterNames are the event counters, in port order.
var CounterNames = []string{"packet", "no_template", "list", "refused", "dropped", "illegal"}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_feedback" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC feedback packets: entropy values and marks of packets received, to their sender"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Bonato et al., REPS: Recycled Entropy Packet Spraying, EuroSys 2026, §4.5.1; InfiniBand Architecture Specification, Annex A17"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_feedback" }
