// SPDX-License-Identifier: Apache-2.0

// Package nictransport generates the block of a NIC that turns packets into events of the units and
// back: parser, connection lookup, queues, window gate, pacer, editor, echo, registers, a path unit
// and a window unit, wired to each other. docs/units/nic_transport.md describes the unit.
package nictransport

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	nicgate "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/gen/sv"
)

// Choices of units.
const (
	None     = "none"
	REPS     = "reps"
	PLB      = "plb"
	Spray    = "spray"
	LAPS     = "laps"
	PowerTCP = "powertcp"
)

// Sources of PowerTCP's windows.
const (
	Theta = "theta" // round-trip times
	INT   = "int"   // telemetry of each hop
)

// Profiles of packets.
const (
	RoCE = "roce"
	UET  = "uet"
)

// Widths that do not depend on the configuration.
const (
	DataBits    = 512
	DataBytes   = DataBits / 8
	NowBits     = 48
	EVBits      = 16
	ProfileBits = 18 // significant bits of a profile's word; with LAPS DstBits more
	ConnBits    = 16
	INTBytes    = 44 // the body of an INT shim
	LAPSBytes   = 28 // the body of a LAPS shim
	DstBits     = 14 // a destination of LAPS
	Anchors     = 4  // of a path
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Path        string
	Window      string
	Telemetry   string
	Profile     string
	IPv6        bool
	Tags        int64
	Connections int64
	Ways        int64
	Rows        int64
	KiB         int64
	Ring        int64
	EVSBits     int64
	EVBase      int64
	List        int64
	TxUserBits  int64
	RxUserBits  int64
	AddrBits    int64
	CounterBits int64
	RandomSeed  int64

	// Of path laps.
	Destinations int64
	PathBanks    int64
	PathRows     int64
	PathDepth    int64
}

// Default returns a block for 256 RoCEv2 connections with REPS, its failure detector, and PowerTCP
// based on round-trip times.
func Default() *Params {
	return &Params{
		Path: REPS, Window: PowerTCP, Telemetry: Theta, Profile: RoCE, IPv6: true, Tags: 2, Connections: 256, Ways: 2, Rows: 1024, KiB: 1024, Ring: 128,
		EVSBits: 14, EVBase: 0xC000, List: 0, TxUserBits: 17, RxUserBits: 1, AddrBits: 16, CounterBits: 8, RandomSeed: 1,
		Destinations: 64, PathBanks: 8, PathRows: 64, PathDepth: 32,
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const structure = "Structure"

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "path", Group: structure, Enum: &p.Path, Choices: []string{REPS, None, PLB, Spray, LAPS}, Flag: true,
			Doc:  "The unit that chooses paths; reps: with its failure detector; laps: with probes, shims that name a path, and rates.",
			Cost: "the unit, and its registers",
			Ref:  "REPS §3; PLB §2; LAPS §III; nicgen"},
		{Key: "window", Group: structure, Enum: &p.Window, Choices: []string{PowerTCP, None}, Flag: true,
			Auto: gen.FollowChoice("none with path laps, else powertcp", p.defaultWindow, "path"),
			Doc:  "The unit that computes windows and rates; none: software sets them.",
			Cost: "the unit, and its registers",
			Ref:  "PowerTCP §3"},
		{Key: "telemetry", Group: structure, Enum: &p.Telemetry, Choices: []string{Theta, INT}, Flag: true,
			Doc:  "What powertcp computes windows from: theta, round-trip times; int, telemetry of each hop in shims, which then are put into packets and taken out.",
			Cost: "int: nic_shim, and the echo of a body of 44 bytes for each connection",
			Ref:  "PowerTCP §3.2, §3.4"},
		{Key: "profile", Group: structure, Enum: &p.Profile, Choices: []string{RoCE, UET}, Flag: true,
			Doc:  "The packets that are understood: RoCEv2, or UET over UDP, which has no ICRC to patch.",
			Cost: "roce: the patch of the ICRC",
			Ref:  "IBTA Annex A17; UET 1.0 §3.5"},
		{Key: "ipv6", Group: structure, Bool: &p.IPv6, Flag: true,
			Doc:  "IPv6 is understood beside IPv4.",
			Cost: "LUT and FF for each header bit, and keys of 154 bits in place of 57",
			Ref:  "RFC 8200"},
		{Key: "tags", Group: structure, Unit: "tags", Int: &p.Tags, Min: 0, Max: 2, Flag: true,
			Doc:  "The most VLAN tags of packets that are understood.",
			Cost: "LUT for each header bit",
			Ref:  "IEEE 802.1Q"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 2, Max: 16384, Flag: true,
			Auto: gen.AtMost(d.Connections, p.mostConnections, "ways", "rows"),
			Doc:  "Connections with state of their own.",
			Cost: "memory in all parts",
			Ref:  "nicgen"},
		{Key: "ways", Group: structure, Unit: "ways", Int: &p.Ways, Min: 2, Max: 4, Flag: true,
			Auto: gen.AtLeast(d.Ways, p.leastWays, "connections"),
			Doc:  "Ways of the table of connections: two can be filled to a third, three to 0.85, four to 0.95.",
			Cost: "LUT for a comparison of keys each; see rows",
			Ref:  "nicgen"},
		{Key: "rows", Group: structure, Unit: "rows", Int: &p.Rows, Min: 256, Max: mostRows, PowerOfTwo: true, Flag: true,
			Auto: gen.AtLeast(d.Rows, p.leastRows, "connections", "ways"),
			Doc:  "Rows of the table of connections, of a place for each way; a connection takes two places, one for each direction.",
			Cost: "memory: ways × rows × (key + 17 bits)",
			Ref:  "nicgen"},
		{Key: "kib", Group: structure, Unit: "KiB", Int: &p.KiB, Min: 64, Max: 4096, PowerOfTwo: true, Flag: true,
			Doc:  "Buffer of the packet queues.",
			Cost: "29 URAM for 1,024",
			Ref:  "nicgen"},
		{Key: "ring", Group: structure, Unit: "PSNs", Int: &p.Ring, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true,
			Auto: gen.AtMost(d.Ring, func() int64 { return nicgate.MostRing(p.Connections) }, "connections"),
			Doc:  "PSNs that a connection may have in flight, and that are remembered of what it receives.",
			Cost: "memory: connections × ring × about 100 bits",
			Ref:  "nicgen"},
		{Key: "evs_bits", Group: structure, Unit: "bits", Int: &p.EVSBits, Min: 1, Max: EVBits, Flag: true,
			Doc:  "Bits of an entropy value that are chosen; the others are those of ev_base.",
			Cost: "memory of the path unit",
			Ref:  "REPS §4.1"},
		{Key: "ev_base", Group: structure, Int: &p.EVBase, Min: 0, Max: 1<<EVBits - 1, Flag: true,
			Auto: gen.AtMost(d.EVBase, func() int64 { return 1<<EVBits - 1<<p.EVSBits }, "evs_bits"),
			Doc:  "Lowest entropy value after reset; a register of the path unit, but of plb a parameter.",
			Cost: "none",
			Ref:  "RoCEv2: source ports from 0xC000 on"},
		{Key: "list", Group: structure, Unit: "EVs", Int: &p.List, Min: 0, Max: 16, Flag: true,
			Doc:  "EVs in a feedback packet; 0: none are made, and none are ended.",
			Cost: "nic_feedback, and memory: connections × list × 17 bits",
			Ref:  "REPS §4.5.1"},
		{Key: "tx_user_bits", Group: structure, Unit: "bits", Int: &p.TxUserBits, Min: 2, Max: 33, Flag: true,
			Doc:  "Width of tuser to the wire: bit 0 bad, above it the packet's tag.",
			Cost: "FF and LUTRAM for each bit",
			Ref:  "Corundum: 17"},
		{Key: "rx_user_bits", Group: structure, Unit: "bits", Int: &p.RxUserBits, Min: 1, Max: 129, Flag: true,
			Doc:  "Width of tuser from the wire: bit 0 bad, above it what goes with the packet to the host, such as its time stamp.",
			Cost: "LUTRAM for each bit",
			Ref:  "Corundum: 97 with time stamps, else 1"},
		{Key: "addr_bits", Group: structure, Unit: "bits", Int: &p.AddrBits, Min: 12, Max: 32, Flag: true,
			Doc:  "Width of an address of registers; each part takes 4,096 bytes.",
			Cost: "2 FF a bit",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 16,
			Doc:  "Width of the parts' event counters, which are gathered into totals of 64 bits in the registers.",
			Cost: "LUT and FF for each counter's bit",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 1, Max: 1<<31 - 1, Flag: true,
			Doc:  "Seed of the path unit's generator after power-up; software writes another one to each NIC.",
			Cost: "none",
			Ref:  "nicgen"},
		{Key: "destinations", Group: structure, Unit: "destinations", Int: &p.Destinations, Min: 2, Max: 4096, Flag: true,
			Doc:  "With path laps: destinations with a set of paths, and addresses of their probes.",
			Cost: "memory: destinations × (path_banks × (log2 path_rows + 1) + 97 bits)",
			Ref:  "LAPS §III-C PST"},
		{Key: "path_banks", Group: structure, Unit: "banks", Int: &p.PathBanks, Min: 2, Max: 32, PowerOfTwo: true, Flag: true,
			Doc:  "With path laps: banks of paths; a destination has at most one path in each.",
			Cost: "logic grows linearly; 2 RAMB18 a bank",
			Ref:  "LAPS §III-H: 32 sub-tables"},
		{Key: "path_rows", Group: structure, Unit: "rows", Int: &p.PathRows, Min: 2, Max: 2048, PowerOfTwo: true, Flag: true,
			Doc:  "With path laps: paths in a bank; path number = bank × rows + row.",
			Cost: "memory: path_banks × path_rows × (128 + path_depth × (16 + PSN) bits)",
			Ref:  "LAPS §IV-C: 8,192 paths"},
		{Key: "path_depth", Group: structure, Unit: "packets", Int: &p.PathDepth, Min: 16, Max: 1024, PowerOfTwo: true, Flag: true,
			Doc:  "With path laps: packets that may be outstanding on a path; of further ones no loss is noticed.",
			Cost: "see path_rows",
			Ref:  "LAPS §III-G"},
	}
}

// HasShim reports whether packets get shims.
func (p *Params) HasShim() bool { return p.HasINT() || p.HasLAPS() }

// HasINT reports whether packets get shims of INT.
func (p *Params) HasINT() bool { return p.Window == PowerTCP && p.Telemetry == INT }

// HasLAPS reports whether LAPS chooses paths, and packets get its shims.
func (p *Params) HasLAPS() bool { return p.Path == LAPS }

// ProfileBits returns the number of significant bits of a profile's word.
func (p *Params) ProfileBits() int {
	if p.HasLAPS() {
		return ProfileBits + DstBits
	}
	return ProfileBits
}

// HasPath reports whether the block has a path unit.
func (p *Params) HasPath() bool { return p.Path != None }

// HasWindow reports whether the block has a window unit.
func (p *Params) HasWindow() bool { return p.Window != None }

// PSNBits returns the width of a PSN.
func (p *Params) PSNBits() int64 {
	if p.Profile == UET {
		return 32
	}
	return 24
}

// NumberBits returns the width of the number of a connection's remote end: queue pair or PDC.
func (p *Params) NumberBits() int64 {
	if p.Profile == UET {
		return 16
	}
	return 24
}

// KeyBits returns the width of a key of the table of connections.
func (p *Params) KeyBits() int64 {
	if p.IPv6 {
		return 129 + 1 + p.NumberBits()
	}
	return 32 + 1 + p.NumberBits()
}

// NoEcho reports whether 0 is no entropy value, so that an acknowledgement without an echo says so by it.
func (p *Params) NoEcho() bool { return p.EVBase > 0 }

// fill is the percentage to which a table of connections can be filled, by its number of ways:
// docs/units/nic_lookup.md.
var fill = map[int64]int64{2: 35, 3: 85, 4: 95}

// defaultWindow returns the default unit that computes windows.
func (p *Params) defaultWindow() string {
	if p.HasLAPS() {
		return None
	}
	return PowerTCP
}

// mostConnections returns the number of connections that a table with a number of ways and rows
// holds: each takes two of the places that can be filled.
func mostConnections(ways, rows int64) int64 { return rows * ways * fill[ways] / 200 }

// mostConnections returns the number of connections that the configured table holds.
func (p *Params) mostConnections() int64 { return mostConnections(p.Ways, p.Rows) }

// mostRows is the largest table.
const mostRows = 16384

// leastWays returns the smallest number of ways for which the largest table holds the connections.
func (p *Params) leastWays() int64 {
	ways := int64(2)
	for ways < 4 && mostConnections(ways, mostRows) < p.Connections {
		ways++
	}
	return ways
}

// leastRows returns the smallest number of rows for which the table holds the connections.
func (p *Params) leastRows() int64 {
	rows := int64(256)
	for rows < mostRows && mostConnections(p.Ways, rows) < p.Connections {
		rows *= 2
	}
	return rows
}

// Check applies the rules over several fields, which include the parts' rules; the parts agree with
// each other.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if p.Window == None && p.Telemetry == INT {
		add("telemetry", p.Telemetry, "theta without a window unit")
	}
	if p.HasLAPS() && p.Window != None {
		add("window", p.Window, "none with path laps, which has rates of its own")
	}
	if p.List > 0 && p.Profile == UET {
		add("list", p.List, "0 with profile uet, which has no feedback packets")
	}
	if p.List > 0 && p.Path != REPS && p.Path != Spray {
		add("list", p.List, "0 with path "+p.Path+", which takes no entropy values back")
	}
	if most := p.mostConnections(); p.Connections > most {
		add("connections", p.Connections, fmt.Sprintf("at most %d with ways %d and rows %d: two places each, of which %d %% can be filled", most, p.Ways, p.Rows, fill[p.Ways]))
	}
	if end := p.EVBase + 1<<p.EVSBits; end > 1<<EVBits {
		add("ev_base", p.EVBase, fmt.Sprintf("at most %d with evs_bits %d", 1<<EVBits-1<<p.EVSBits, p.EVSBits))
	}
	for _, part := range p.Parts() {
		for _, f := range part.Config.Fields() {
			if f.Int != nil && (*f.Int < f.Min || *f.Int > f.Max) {
				add(f.Key, *f.Int, fmt.Sprintf("%d to %d, by %s", f.Min, f.Max, part.Config.Unit()))
			}
		}
		for _, x := range part.Config.Check() {
			out = append(out, gen.Problem{Key: x.Key, Found: x.Found, Allowed: x.Allowed + ", by " + part.Config.Unit()})
		}
	}
	if len(out) > 0 {
		return out
	}
	if m, err := p.Map(); err != nil {
		add("path", p.Path, err.Error())
	} else if need := int64(12 + sv.CLog2(int64(len(m.Blocks)))); p.AddrBits < need {
		add("addr_bits", p.AddrBits, fmt.Sprintf("at least %d for %d blocks", need, len(m.Blocks)))
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_transport" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC transport: packets in, packets out, with paths, windows and rates by connection"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Bonato et al., REPS, EuroSys 2026; Addanki et al., PowerTCP, NSDI 2022; Qureshi et al., PLB, SIGCOMM 2022; InfiniBand Architecture Specification, Annex A17"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_transport" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{} }
