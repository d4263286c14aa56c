// SPDX-License-Identifier: Apache-2.0

// Package spray generates the baselines of multipath transport as one unit: ECMP, a random entropy
// value (EV) for each packet, round-robin EVs, and flowlets.
//
// docs/units/spray.md describes the unit.
package spray

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Limits that the design fixes.
const (
	PortBits  = 16    // width of an EV on the wire unless EVs are wider: a UDP source port
	LabelBits = 20    // widest EV: an IPv6 flow label
	Rows      = 65536 // most connections, times NIC ports
	Rounds    = 5     // rounds of the hash of a connection

	SendLatency  = 7 // cycles from a SEND to its EV
	EventLatency = 4 // cycles from an event to its pulse and counters
	JumpLatency  = 6 // cycles from a time to its count as a jump
)

// Values of cfg_mode. OPS and ECMP are the same as in reps.
const (
	ModeFlowlet    = 0
	ModeOPS        = 1
	ModeECMP       = 2
	ModeRoundRobin = 3
)

// Choices of Modes: AllModes, or the only built mode.
const (
	AllModes   = "all"
	Flowlet    = "flowlet"
	OPS        = "ops"
	ECMP       = "ecmp"
	RoundRobin = "round_robin"
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Modes       string
	EVSBits     int64
	Connections int64
	ConnBits    int64
	Flowlets    int64
	TimerBits   int64
	NICPorts    int64
	RAMLatency  int64
	StateMemory string
	CounterBits int64
	RandomSeed  int64

	Mode             string
	EVs              int64
	FlowletTimeoutNS int64
	HashSeed         int64
	EVBase           int64
}

// Default returns 256 connections with EVs of 16 bits and a flowlet state for each. 50 µs is the
// flowlet timeout of the evaluations in LAPS.
func Default() *Params {
	return &Params{
		Modes: AllModes, EVSBits: 16, Connections: 256, ConnBits: 16, Flowlets: 0, TimerBits: 22, NICPorts: 1, RAMLatency: 2,
		StateMemory: gen.Auto, CounterBits: 32, RandomSeed: 1,
		Mode: Flowlet, EVs: 65536, FlowletTimeoutNS: 50_000, HashSeed: 1, EVBase: 0,
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "modes", Group: structure, Enum: &p.Modes, Choices: []string{AllModes, Flowlet, OPS, ECMP, RoundRobin}, Flag: true,
			Doc:  "all: cfg_mode chooses at run time; else the one mode that is built, whatever cfg_mode says.",
			Cost: "flowlet: table and aging; round_robin: EVs of the table; ecmp: the hash; ops: neither",
			Ref:  "nicgen"},
		{Key: "evs_bits", Group: structure, Unit: "bits", Int: &p.EVSBits, Min: 1, Max: LabelBits, Flag: true, SV: "EVS_BITS",
			Doc:  "Width of an entropy value (EV). Up to 16 bits for a UDP source port, 20 for an IPv6 flow label.",
			Cost: "table: entries × evs_bits; about 9 LUT a bit",
			Ref:  "REPS §2.2 EVS"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections; connections × nic_ports, that rounded up to a power of two, is at most 65536.",
			Cost: "the table grows linearly",
			Ref:  "REPS §4.1 REPS-FPGA: 256"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "about 1 LUT a port for each 6 bits above what connections needs",
			Ref:  "nicgen"},
		{Key: "flowlets", Group: structure, Unit: "entries", Int: &p.Flowlets, Min: 0, Max: 65536, Flag: true, SV: "FLOWLETS",
			Doc:  "Entries of the table of flowlets, a power of two; 0, or as many as connections × nic_ports: one for each. With fewer, connections share entries.",
			Cost: "memory: entries × (evs_bits + timer_bits + 3)",
			Ref:  "LetFlow"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 8, Max: 64, Flag: true, SV: "TIMER_BITS",
			Doc:  "Width of the time in ns. A quarter of its range, 2^(timer_bits-2) ns, is above the timeout and at least 8 ns for each entry, so that it has more cycles than there are entries: above 125 MHz in any case.",
			Cost: "memory: entries × timer_bits; about 3 LUT a bit",
			Ref:  "nicgen"},
		{Key: "nic_ports", Group: structure, Unit: "ports", Int: &p.NICPorts, Min: 1, Max: 8, Flag: true, SV: "NIC_PORTS",
			Doc:  "NIC ports; each has its own mode, and a connection its own entry on each of them.",
			Cost: "the table grows in proportion, by powers of two",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to the data of a block RAM: 2 uses its output register, 1 does not, for clocks of 250 MHz. SEND to EV takes as long with both.",
			Cost: "2: a second word to forward, 1 LUT a bit of an entry",
			Ref:  "nicgen"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory of the table; auto: LUTRAM up to 64 entries, BRAM above, single bits in LUTRAM up to 512.",
			Cost: "BRAM: 2 RAMB18 at least; LUTRAM: about 1 LUT for each 40 bits",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "9 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 0, Max: 1<<63 - 1, Flag: true,
			Doc:  "Seed of the random generator after reset; SplitMix64 expands it to the state. All NICs with one bitstream have the same: seed each by s_seed.",
			Cost: "none",
			Ref:  "nicgen"},

		{Key: "mode", Group: runtime, Enum: &p.Mode, Choices: []string{Flowlet, OPS, ECMP, RoundRobin}, Flag: true, Runtime: true, Port: "cfg_mode",
			Doc: "Mode of every NIC port: flowlet: a random EV after each idle gap; ops: a random EV for each packet; ecmp: one EV a connection; round_robin: all EVs in turn.",
			Ref: "REPS §2.2; LetFlow"},
		{Key: "evs", Group: runtime, Unit: "EVs", Int: &p.EVs, Min: 1, Max: 1 << LabelBits, Flag: true, Runtime: true, Port: "cfg_evs",
			Auto: gen.Follow("2^evs_bits", func() int64 { return 1 << p.EVSBits }, "evs_bits"),
			Doc:  "Number of EVs: 0 to evs-1 are in use. At most 2^evs_bits; need not be a power of two.",
			Ref:  "REPS §2.2 EVS"},
		{Key: "flowlet_timeout_ns", Group: runtime, Unit: "ns", Int: &p.FlowletTimeoutNS, Min: 0, Max: 1<<62 - 1, Flag: true, Runtime: true, Port: "cfg_flowlet_timeout_ns",
			Auto: gen.AtMost(d.FlowletTimeoutNS, func() int64 { return 1<<min(p.TimerBits-2, 62) - 1 }, "timer_bits"),
			Doc:  "A gap above it begins a new flowlet; below 2^(timer_bits-2).",
			Ref:  "LetFlow"},
		{Key: "hash_seed", Group: runtime, Int: &p.HashSeed, Min: 0, Max: 1<<LabelBits - 1, Flag: true, Runtime: true, Port: "cfg_hash_seed",
			Doc: "Seed of the hash that gives a connection its EV under ECMP. Below 2^16, or 2^evs_bits if that is wider.",
			Ref: "nicgen"},
		{Key: "ev_base", Group: runtime, Int: &p.EVBase, Min: 0, Max: 1<<LabelBits - 1, Flag: true, Runtime: true, Port: "cfg_ev_base",
			Doc: "Added to every EV that leaves, so that EVs fall into a UDP source-port range (RoCEv2: 49152 with evs_bits 14). Below 2^16, or 2^evs_bits if that is wider.",
			Ref: "nicgen; REPS §2.2 EVS"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, format string, args ...any) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: fmt.Sprintf(format, args...)})
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, "at least %d for connections %d", need, p.Connections)
	}
	if p.NICPorts > 0 && p.Rows() > Rows {
		add("nic_ports", p.NICPorts, "at most %d with connections %d: at most %d connections on all ports, the ports rounded up to a power of two",
			max(1, Rows/p.Connections), p.Connections, Rows)
	}
	if p.Flowlets == 1 || p.Flowlets&(p.Flowlets-1) != 0 && p.Flowlets < p.Rows() {
		add("flowlets", p.Flowlets, "0, or a power of two from 2 on")
	}
	if need := int64(sv.CLog2(p.Entries())) + 5; p.TimerBits < need {
		add("timer_bits", p.TimerBits, "at least %d for %d entries", need, p.Entries())
	}
	if p.EVs > 1<<p.EVSBits {
		add("evs", p.EVs, "at most %d with evs_bits %d", int64(1)<<p.EVSBits, p.EVSBits)
	}
	if p.FlowletTimeoutNS >= 1<<min(p.TimerBits-2, 62) {
		add("flowlet_timeout_ns", p.FlowletTimeoutNS, "below 2^%d with timer_bits %d", p.TimerBits-2, p.TimerBits)
	}
	if p.HashSeed >= 1<<p.WireBits() {
		add("hash_seed", p.HashSeed, "below 2^%d with evs_bits %d", p.WireBits(), p.EVSBits)
	}
	if p.EVBase >= 1<<p.WireBits() {
		add("ev_base", p.EVBase, "below 2^%d with evs_bits %d", p.WireBits(), p.EVSBits)
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "spray" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "Baselines of multipath transport: ECMP, packet spraying, round robin, flowlets"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "what the papers compare with; flowlets: Vanini et al., LetFlow, NSDI 2017"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_spray" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"SEND to EV": SendLatency} }

// WireBits returns the width of an EV on the wire, and of a random word.
func (p *Params) WireBits() int { return max(PortBits, int(p.EVSBits)) }

// HashBits returns the width of the hash of a connection: with 8 bits more than its number, few
// connections collide in a round.
func (p *Params) HashBits() int { return max(p.WireBits(), sv.IdxW(p.Connections)+8) }

// Rows returns the number of connections times the number of NIC ports rounded up to a power of
// two.
func (p *Params) Rows() int64 { return p.Connections << sv.CLog2(p.NICPorts) }

// Entries returns the number of entries of the table, at least 2. Without a mode that needs the
// table it is 2, which synthesis removes.
func (p *Params) Entries() int64 {
	switch {
	case !p.HasTable():
		return 2
	case p.Shared():
		return p.Flowlets
	}
	return max(2, p.Rows())
}

// Shared reports whether connections share entries.
func (p *Params) Shared() bool { return p.Flowlets != 0 && p.Flowlets < p.Rows() }

// HasTable reports whether a mode that is built uses the table.
func (p *Params) HasTable() bool { return p.Modes != OPS && p.Modes != ECMP }

// FixedMode returns the value of cfg_mode that the unit implements; ok is false if the
// port decides.
func (p *Params) FixedMode() (mode uint64, ok bool) {
	switch p.Modes {
	case Flowlet:
		return ModeFlowlet, true
	case OPS:
		return ModeOPS, true
	case ECMP:
		return ModeECMP, true
	case RoundRobin:
		return ModeRoundRobin, true
	}
	return 0, false
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"ack", "ecn", "fail", "send", "flush", "new", "illegal_conn", "not_ready", "jump"}

// PortIdxBits returns the number of bits that name a NIC port, at least 1.
func (p *Params) PortIdxBits() int { return sv.IdxW(p.NICPorts) }
