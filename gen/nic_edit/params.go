// SPDX-License-Identifier: Apache-2.0

// Package nicedit generates the packet editor of a NIC at 512 bits a cycle: it writes the entropy
// value into the UDP source port or the IPv6 flow label, sets DSCP, ECN and BECN, asks for an
// acknowledgement, updates the IPv4
// header checksum and RoCEv2's ICRC, and sets the UDP checksum to zero.
//
// docs/units/nic_edit.md describes the unit.
package nicedit

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Latency is the number of cycles from a beat to the edited beat.
const Latency = 7

// Sizes that the design fixes.
const (
	DataBits  = 512 // of a beat
	KeepBits  = DataBits / 8
	LabelBits = 20 // of an IPv6 flow label
	PortBits  = 16 // of a UDP source port
	LeastUDP  = 24 // bytes: UDP header, BTH and ICRC
)

// Params is one configuration of the unit: the edits that are built. The zero value is not legal:
// start from Default.
type Params struct {
	ICRC         bool
	FlowLabel    bool
	TrafficClass bool
	BECN         bool
	Ask          bool
	UDPZero      bool
	CounterBits  int64
}

// Default returns an editor with all edits.
func Default() *Params {
	return &Params{ICRC: true, FlowLabel: true, TrafficClass: true, BECN: true, Ask: true, UDPZero: true, CounterBits: 32}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const structure = "Structure"

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "icrc", Group: structure, Bool: &p.ICRC, Flag: true,
			Doc:  "Patches RoCEv2's ICRC where the source port changes. A NIC without RoCEv2 does without.",
			Cost: "the largest part of the logic",
			Ref:  "RoCEv2, Annex A17"},
		{Key: "flow_label", Group: structure, Bool: &p.FlowLabel, Flag: true,
			Doc:  "Can write the entropy value into the IPv6 flow label instead of the source port.",
			Cost: "about 1 LUT for each of the 20 bits in each of three places",
			Ref:  "RFC 6437"},
		{Key: "traffic_class", Group: structure, Bool: &p.TrafficClass, Flag: true,
			Doc:  "Can set DSCP and ECN, and then updates the IPv4 header checksum.",
			Cost: "the checksum's adders, and about 1 LUT for each of 24 bits in each of three places",
			Ref:  "RFC 1624, RFC 2474, RFC 3168"},
		{Key: "becn", Group: structure, Bool: &p.BECN, Flag: true,
			Doc:  "Can set or clear BECN in the BTH.",
			Cost: "about 20 LUT",
			Ref:  "RoCEv2, Annex A17"},
		{Key: "ask", Group: structure, Bool: &p.Ask, Flag: true,
			Doc:  "Can invert the A bit in the BTH, by which a packet asks for an acknowledgement, and then patches the ICRC.",
			Cost: "about 60 LUT, most of them in the ICRC's patch",
			Ref:  "IBTA §9.2.7"},
		{Key: "udp_zero", Group: structure, Bool: &p.UDPZero, Flag: true,
			Doc:  "Can set the UDP checksum to zero, that is, to none.",
			Cost: "less than 1 LUT for each of 96 bits",
			Ref:  "RFC 768, RFC 6935"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "3 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
	}
}

// Check applies the rules over several fields; this unit has no such rules.
func (p *Params) Check() []gen.Problem { return nil }

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_edit" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "Packet editor of a NIC: entropy value, DSCP, ECN, BECN, checksums and ICRC"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "RoCEv2 (InfiniBand Annex A17), RFC 1624, RFC 6437"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_edit" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"beat to edited beat": Latency} }

// CounterNames returns the event counters that this configuration has, in port order.
func (p *Params) CounterNames() []string {
	list := []string{"frame", "illegal"}
	if p.ICRC {
		list = append(list, "icrc")
	}
	return list
}

// after returns the timing of an output.
func after(cycles int) string { return fmt.Sprintf("beat + %d cycles", cycles) }
