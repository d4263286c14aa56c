// SPDX-License-Identifier: Apache-2.0

// Package nicecho generates the receiver side of a NIC's path feedback: entropy values and marks of
// received packets, for ACKs and feedback packets. docs/units/nic_echo.md describes the unit.
package nicecho

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	Ring        int64
	PSNBits     int64
	TagBits     int64
	EVBits      int64
	List        int64
	ShimBits    int64
	RingMemory  string
	RingLatency int64
	TimerBits   int64
	CounterBits int64

	ECNOr           bool
	FeedbackPackets int64
	FeedbackNS      int64
}

// Default returns the configuration for 256 connections with 128 PSNs, lists of 16 EVs, and the 44
// bytes of five hops of telemetry.
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, Ring: 128, PSNBits: 24, TagBits: 5, EVBits: 16, List: 16, ShimBits: 352,
		RingMemory: gen.Auto, RingLatency: 5, TimerBits: 32, CounterBits: 32,
		ECNOr: false, FeedbackPackets: 4, FeedbackNS: 5_000,
	}
}

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "memory: connections × (ring × (2 + tag_bits + ev_bits) + list × (ev_bits + 1) + shim_bits + some 100 bits)",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "LUT and FF for each bit of each event",
			Ref:  "nicgen"},
		{Key: "ring", Group: structure, Unit: "PSNs", Int: &p.Ring, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true,
			Doc:  "PSNs of a connection that are remembered.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "psn_bits", Group: structure, Unit: "bits", Int: &p.PSNBits, Min: 16, Max: 32, Flag: true,
			Doc:  "Width of a PSN: 24 bits in RoCEv2, 32 in UET.",
			Cost: "memory and LUT for each bit",
			Ref:  "IBTA §9.2; UET 1.0 §3.5"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: 16,
			Doc:  "Bits of a PSN above those that address the ring, which an entry has.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "ev_bits", Group: structure, Unit: "bits", Int: &p.EVBits, Min: 1, Max: 20, Flag: true,
			Doc:  "Width of an entropy value.",
			Cost: "memory: see connections",
			Ref:  "REPS §2.2"},
		{Key: "list", Group: structure, Unit: "EVs", Int: &p.List, Min: 0, Max: 16, Flag: true,
			Doc:  "EVs in a feedback packet; 0: there are none.",
			Cost: "list × (ev_bits + 1) FF, and memory: see connections",
			Ref:  "REPS §4.5.1"},
		{Key: "shim_bits", Group: structure, Unit: "bits", Int: &p.ShimBits, Min: 0, Max: 512, Flag: true,
			Doc:  "Telemetry that is kept of a connection; 0: none.",
			Cost: "memory: connections × shim_bits; FF for each bit",
			Ref:  "PowerTCP §3.3; LAPS §IV"},
		{Key: "ring_memory", Group: structure, Enum: &p.RingMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for the ring; auto: BRAM up to 8,192 entries, URAM above.",
			Cost: "BRAM: 1 RAMB36 for a bit of 32,768 entries; URAM: 1 for 8,192 entries of up to 36 bits",
			Ref:  "nicgen"},
		{Key: "ring_latency", Group: structure, Unit: "cycles", Int: &p.RingLatency, Min: 3, Max: 16, Flag: true,
			Doc:  "Cycles from an address of the ring to its entry, with registers for UltraRAMs in cascade: rows and columns, and one; with several banks four more. BRAM uses two of them.",
			Cost: "FF for each bit of an entry and cycle beyond those in the memories",
			Ref:  "AMD UG573"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 16, Max: 48, Flag: true,
			Doc:  "Width of the time in ns; feedback_ns is below half of its range.",
			Cost: "memory: connections × timer_bits",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "LUT and FF for each counter's bit",
			Ref:  "nicgen"},

		{Key: "ecn_or", Group: runtime, Bool: &p.ECNOr, Flag: true, Runtime: true, Port: "cfg_ecn_or",
			Doc: "An ACK's mark is the OR of those since the last ACK, not that of its own packet.",
			Ref: "DCTCP §3.2"},
		{Key: "feedback_packets", Group: runtime, Unit: "packets", Int: &p.FeedbackPackets, Min: 0, Max: 31, Flag: true, Runtime: true, Port: "cfg_feedback_packets",
			Doc: "Packets received for each feedback packet; 0 is as 1, more than list as list.",
			Ref: "REPS §4.5.1"},
		{Key: "feedback_ns", Group: runtime, Unit: "ns", Int: &p.FeedbackNS, Min: 0, Max: 1<<47 - 1, Flag: true, Runtime: true, Port: "cfg_feedback_ns",
			Doc: "The longest time that the first packet of a list waits for its feedback packet.",
			Ref: "nicgen"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if p.Banks() > 1 && p.RingLatency < 5 {
		add("ring_latency", p.RingLatency, fmt.Sprintf("at least 5 with connections %d and ring %d, as the ring has %d banks", p.Connections, p.Ring, p.Banks()))
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, fmt.Sprintf("at least %d for connections %d", need, p.Connections))
	}
	if most := p.PSNBits - int64(sv.CLog2(p.Ring)); p.TagBits > most {
		add("tag_bits", p.TagBits, fmt.Sprintf("at most %d with psn_bits %d and ring %d", most, p.PSNBits, p.Ring))
	}
	if most := int64(36 - 2 - p.EVBits); p.RingKind() == gen.URAM && p.TagBits > most {
		add("tag_bits", p.TagBits, fmt.Sprintf("at most %d with ev_bits %d in URAM, two entries a row", most, p.EVBits))
	}
	if p.FeedbackNS >= 1<<(p.TimerBits-1) {
		add("feedback_ns", p.FeedbackNS, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits-1, p.TimerBits))
	}
	return out
}

// inBRAM is the largest number of entries for which the ring is in BRAM under Auto.
const inBRAM = 8192

// RingKind returns the memory of the ring: BRAM or URAM.
func (p *Params) RingKind() string {
	return gen.MemoryFor(p.RingMemory, p.Connections*p.Ring, 0, inBRAM)
}

// Banks returns the number of UltraRAM columns in the ring, 0 in BRAM.
func (p *Params) Banks() int64 {
	if p.RingKind() != gen.URAM {
		return 0
	}
	return gen.URAMBanks(p.Connections * p.Ring / 2)
}

// PortValues implements gen.Driven: without a list there are no settings of feedback packets.
func (p *Params) PortValues() map[string]uint64 {
	v := map[string]uint64{"cfg_ecn_or": 0, "cfg_feedback_packets": uint64(p.FeedbackPackets), "cfg_feedback_ns": uint64(p.FeedbackNS)}
	if p.ECNOr {
		v["cfg_ecn_or"] = 1
	}
	return v
}

// EchoLatency returns the number of cycles from an ACK to its echo.
func (p *Params) EchoLatency() int { return int(p.RingLatency) + 3 }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"ACK to echo": p.EchoLatency()} }

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// FIFO is the number of lists that may wait to go out.
const FIFO = 16

// CounterNames returns the event counters that this configuration has, in port order.
func (p *Params) CounterNames() []string {
	list := []string{"data", "marked", "hit", "miss"}
	if p.List > 0 {
		list = append(list, "duplicate", "feedback", "lost")
	}
	return append(list, "flush", "illegal", "not_ready")
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_echo" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC echo: entropy values and marks of received packets, for ACKs and feedback packets"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Bonato et al., REPS: Recycled Entropy Packet Spraying, EuroSys 2026, §4.5.1; Alizadeh et al., Data Center TCP, SIGCOMM 2010, §3.2"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_echo" }
