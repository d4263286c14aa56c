// SPDX-License-Identifier: Apache-2.0

// Package nicparse generates the NIC's parser: it finds the headers of RoCEv2 and UET packets in
// a stream of 512 bits a cycle, a packet in every cycle. docs/units/nic_parse.md describes the unit.
package nicparse

import "github.com/nicgen/nicgen/gen"

// Cycles from the beat that completes the headers, or from the last beat, to the record.
const (
	Latency    = 4 // to the header record
	EndLatency = 5 // to the end record
	Sampled    = 1 // to the cycle in which settings count
)

// Choices of the profile.
const (
	RoCE = "roce"
	UET  = "uet"
	Both = "both"
)

// Widths of ports.
const (
	DataBytes  = 64
	FrameBits  = 14 // of the longest frame
	LengthBits = 17 // of a frame's bytes
)

// Shortest is the number of bytes below which a frame is truncated regardless of its content:
// Ethernet, IPv4 and UDP, or Ethernet with two tags and a whole IPv4 header.
const Shortest = 42

// Sizes of headers in bytes.
const (
	EthernetBytes = 14
	TagBytes      = 4
	IPv4Bytes     = 20
	IPv6Bytes     = 40
	LayerBytes    = 24 // UDP, BTH and AETH
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Profile     string
	Tags        int64
	IPv6        bool
	Addresses   bool
	IPChecksum  bool
	CounterBits int64

	RoCEPort int64
	UETPort  int64
	MaxFrame int64
}

// Default returns a configuration for RoCEv2 over IPv4 and IPv6, with up to two tags.
func Default() *Params {
	return &Params{Profile: RoCE, Tags: 2, IPv6: true, Addresses: true, CounterBits: 32, RoCEPort: 4791, UETPort: 4793, MaxFrame: 9214}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "profile", Group: structure, Enum: &p.Profile, Choices: []string{RoCE, UET, Both}, Flag: true,
			Doc:  "The packets that are parsed: RoCEv2, UET over UDP, or both, told apart by the UDP port.",
			Cost: "both: LUT and FF for the fields of PDS beside those of BTH",
			Ref:  "IBTA Annex A17; UET 1.0 §3.5"},
		{Key: "tags", Group: structure, Unit: "tags", Int: &p.Tags, Min: 0, Max: 2, Flag: true,
			Doc:  "The most VLAN tags that are passed over; packets with more are other.",
			Cost: "LUT for each header bit",
			Ref:  "IEEE 802.1Q"},
		{Key: "ipv6", Group: structure, Bool: &p.IPv6, Flag: true,
			Doc:  "IPv6 packets are parsed; else they are other.",
			Cost: "LUT and FF for each header and address bit",
			Ref:  "RFC 8200"},
		{Key: "addresses", Group: structure, Bool: &p.Addresses, Flag: true,
			Doc:  "The record has the IP addresses.",
			Cost: "LUT and FF for each address bit",
			Ref:  "nicgen"},
		{Key: "ip_checksum", Group: structure, Bool: &p.IPChecksum, Flag: true,
			Doc:  "The IPv4 header checksum is checked: a packet with a wrong one is malformed.",
			Cost: "LUT and FF for adding ten words of 16 bits",
			Ref:  "RFC 791 §3.1"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "5 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "roce_port", Group: runtime, Int: &p.RoCEPort, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_roce_port",
			Doc: "UDP destination port of RoCEv2.",
			Ref: "IANA: 4791"},
		{Key: "uet_port", Group: runtime, Int: &p.UETPort, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_uet_port",
			Doc: "UDP destination port of UET; if it is that of RoCEv2 too, the packet is RoCEv2.",
			Ref: "IANA: 4793"},
		{Key: "max_frame", Group: runtime, Unit: "bytes", Int: &p.MaxFrame, Min: 64, Max: 1<<FrameBits - 1, Flag: true, Runtime: true, Port: "cfg_max_frame",
			Doc: "The longest frame of a packet that counts as RoCEv2 or UET, without tags and frame check sequence.",
			Ref: "nicgen"},
	}
}

// RoCE reports whether RoCEv2 packets are parsed.
func (p *Params) RoCE() bool { return p.Profile != UET }

// UET reports whether UET packets are parsed.
func (p *Params) UET() bool { return p.Profile != RoCE }

// PSNBits returns the width of a PSN.
func (p *Params) PSNBits() int64 {
	if p.UET() {
		return 32
	}
	return 24
}

// AddressBits returns the width of an address.
func (p *Params) AddressBits() int64 {
	if p.IPv6 {
		return 128
	}
	return 32
}

// PortValues implements gen.Driven: a profile lacks the port of the other profile's setting.
func (p *Params) PortValues() map[string]uint64 {
	return map[string]uint64{"cfg_roce_port": uint64(p.RoCEPort), "cfg_uet_port": uint64(p.UETPort), "cfg_max_frame": uint64(p.MaxFrame)}
}

// Check applies the rules over several fields; this unit has no such rules.
func (p *Params) Check() []gen.Problem { return nil }

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_parse" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC parser: RoCEv2 and UET headers of a packet in every cycle, 512 bits wide"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "InfiniBand Architecture Specification, Annex A17 (RoCEv2); Ultra Ethernet Specification 1.0, §3.5"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_parse" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"headers to header record": Latency, "last beat to end record": EndLatency}
}
