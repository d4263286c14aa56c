// SPDX-License-Identifier: Apache-2.0

// Package nicshim generates the unit that inserts telemetry and path headers between a frame's
// addresses and its EtherType, and removes them, at 512 bits a cycle. docs/units/nic_shim.md
// describes the unit.
package nicshim

import "github.com/nicgen/nicgen/gen"

// RemoveLatency is the number of cycles from a beat of a frame without shim to its output, and from
// a first beat to the record.
const RemoveLatency = 3

// Sizes that the design fixes.
const (
	DataBits  = 512 // of a beat
	DataBytes = DataBits / 8
	Addresses = 12 // bytes in front of the shim
	LAPSBytes = 32 // of a shim
	INTBytes  = 48
	HeadBytes = 4 // of a shim, in front of its body
)

// Subtypes.
const (
	LAPS  = 1
	HPCC  = 2
	INTMD = 3
)

// Choices of formats.
const (
	Both     = "both"
	LAPSOnly = "laps"
	INTOnly  = "int"
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Formats     string
	CounterBits int64

	EtherType int64
}

// Default returns a configuration with all formats.
func Default() *Params { return &Params{Formats: Both, CounterBits: 32, EtherType: 0x88b5} }

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "formats", Group: structure, Enum: &p.Formats, Choices: []string{Both, LAPSOnly, INTOnly}, Flag: true,
			Doc:  "The shims that are known: both, those of LAPS, or those of INT (HPCC's words and INT-MD).",
			Cost: "both: one LUT more for most bits of a beat, each way",
			Ref:  "LAPS §IV; HPCC §4.1; INT 2.1 §5.7"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "7 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "ether_type", Group: runtime, Int: &p.EtherType, Min: 0x600, Max: 0xffff, Flag: true, Runtime: true, Port: "cfg_ether_type",
			Doc: "EtherType of shims, in both directions.",
			Ref: "IEEE 802: 0x88B5, local experimental"},
	}
}

// HasLAPS and HasINT report which shims are known.
func (p *Params) HasLAPS() bool { return p.Formats != INTOnly }

// HasINT reports whether shims of INT are known.
func (p *Params) HasINT() bool { return p.Formats != LAPSOnly }

// Size returns the number of bytes of a shim of a subtype, or 0 if it is unknown.
func (p *Params) Size(subtype int) int {
	switch {
	case subtype == LAPS && p.HasLAPS():
		return LAPSBytes
	case (subtype == HPCC || subtype == INTMD) && p.HasINT():
		return INTBytes
	}
	return 0
}

// Largest returns the number of bytes of the largest known shim.
func (p *Params) Largest() int {
	if p.HasINT() {
		return INTBytes
	}
	return LAPSBytes
}

// BodyBits returns the width of the body's ports.
func (p *Params) BodyBits() int64 { return int64(8 * (p.Largest() - HeadBytes)) }

// Check applies the rules over several fields; this unit has no such rules.
func (p *Params) Check() []gen.Problem { return nil }

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_shim" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC shims: telemetry and path headers put into frames, and taken out of them"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "LAPS §IV; Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, §4.1; In-band Network Telemetry specification 2.1"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_shim" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"beat out to the network": 1, "beat in without shim": RemoveLatency, "first beat in to record": RemoveLatency}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"tx_frame", "insert", "tx_illegal", "rx_frame", "remove", "end", "rx_illegal"}
