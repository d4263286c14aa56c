// SPDX-License-Identifier: Apache-2.0

// Package nicgate generates the window gate of a NIC: it decides which connections may send, and
// counts their bytes in flight. docs/units/nic_gate.md describes the unit.
package nicgate

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// BytesPerPSN is the budget for each PSN in the ring: no packet has fewer bytes of IP.
const BytesPerPSN = 32

// MostEntries is the largest number of entries of all rings together: 256 UltraRAMs of up to 72
// bits.
const MostEntries = 1 << 20

// mostTagBits is the largest width of the tag that comes back with a sample.
const mostTagBits = 256

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	Ring        int64
	PSNBits     int64
	LapBits     int64
	ByteBits    int64
	PacketBits  int64
	EVBits      int64
	EVLatency   int64
	TimerBits   int64
	RTTBits     int64
	TagBits     int64
	RingMemory  string
	RingLatency int64
	CounterBits int64

	InitWindow int64
	Quantum    int64
	StallNS    int64
	FlightNS   int64
	GoBackN    bool
	FlushForce bool
}

// Default returns the configuration for 256 connections with 128 PSNs in flight and a ring entry in
// one word of UltraRAM: 100 Gb/s and 1,500 bytes for 15 µs.
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, Ring: 128, PSNBits: 24, LapBits: 5, ByteBits: 24, PacketBits: 16, EVBits: 16, EVLatency: 8,
		TimerBits: 32, RTTBits: 25, TagBits: 32, RingMemory: gen.Auto, RingLatency: 5, CounterBits: 32,
		InitWindow: 1<<24 - 1, Quantum: 4096, StallNS: 1_000_000, FlightNS: 65_536, GoBackN: true,
	}
}

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "memory: connections × (ring × (2 + lap_bits + ev_bits + byte_bits + rtt_bits) + some 700 bits)",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "LUT and FF for each bit of each event",
			Ref:  "nicgen"},
		{Key: "ring", Group: structure, Unit: "PSNs", Int: &p.Ring, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true,
			Auto: gen.AtMost(d.Ring, func() int64 { return MostRing(p.Connections) }, "connections"),
			Doc:  "PSNs that a connection may have in flight.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "psn_bits", Group: structure, Unit: "bits", Int: &p.PSNBits, Min: 16, Max: 32, Flag: true,
			Doc:  "Width of a PSN: 24 bits in RoCEv2, 32 in UET.",
			Cost: "memory and LUT for each bit",
			Ref:  "IBTA §9.2; UET 1.0 §3.5"},
		{Key: "lap_bits", Group: structure, Unit: "bits", Int: &p.LapBits, Min: 1, Max: 16,
			Doc:  "Bits of a PSN above those that address the ring, which an entry has.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "byte_bits", Group: structure, Unit: "bits", Int: &p.ByteBits, Min: 16, Max: 32, Flag: true,
			Doc:  "Width of windows, and of the bytes in an entry; windows are below 2^(byte_bits-1), or all ones.",
			Cost: "memory and LUT for each bit",
			Ref:  "nicgen"},
		{Key: "packet_bits", Group: structure, Unit: "bits", Int: &p.PacketBits, Min: 4, Max: 20,
			Doc:  "Width of the counters of packets entered and released: fewer than 2^packet_bits wait in a queue.",
			Cost: "memory and LUT for each bit",
			Ref:  "nicgen"},
		{Key: "ev_bits", Group: structure, Unit: "bits", Int: &p.EVBits, Min: 1, Max: 20, Flag: true,
			Doc:  "Width of an entropy value.",
			Cost: "memory: see connections",
			Ref:  "REPS §2.2"},
		{Key: "ev_latency", Group: structure, Unit: "cycles", Int: &p.EVLatency, Min: 0, Max: 64,
			Doc:  "Cycles from a RELEASE to its EV, the path unit's latency.",
			Cost: "a shift register for each bit of PSN and bytes that waits for it",
			Ref:  "nicgen"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 24, Max: 48, Flag: true,
			Doc:  "Width of the time in ns; stall_ns is below half of its range.",
			Cost: "LUT and FF for each bit",
			Ref:  "nicgen"},
		{Key: "rtt_bits", Group: structure, Unit: "bits", Int: &p.RTTBits, Min: 16, Max: 32, Flag: true,
			Auto: gen.AtMost(d.RTTBits, func() int64 { return p.TimerBits }, "timer_bits"),
			Doc:  "Width of a packet's time in the ring, and of a round-trip time; longer ones wrap (25 bits: 33 ms).",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: mostTagBits, SV: "TAG_BITS",
			Doc:  "Width of what goes with an ACK and comes back with its sample.",
			Cost: "FF, or a shift register, for each bit",
			Ref:  "nicgen"},
		{Key: "ring_memory", Group: structure, Enum: &p.RingMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for the ring; auto: BRAM up to 2,048 entries, URAM above.",
			Cost: "BRAM: 2 RAMB36 for 1,024 entries of up to 72 bits; URAM: 1 for 4,096",
			Ref:  "nicgen"},
		{Key: "ring_latency", Group: structure, Unit: "cycles", Int: &p.RingLatency, Min: 3, Max: 16, Flag: true,
			Doc:  "Cycles from an address of the ring to its entry, with registers for UltraRAMs in cascade: rows and columns, and one; with several banks four more. BRAM uses two of them.",
			Cost: "FF for each bit of an entry and cycle beyond those in the memories",
			Ref:  "AMD UG573"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "LUT and FF for each counter's bit",
			Ref:  "nicgen"},

		{Key: "init_window", Group: runtime, Unit: "bytes", Int: &p.InitWindow, Min: 0, Max: 1<<32 - 1, Flag: true, Runtime: true, Port: "cfg_init_window",
			Auto: gen.Follow("2^byte_bits - 1: no window", func() int64 { return 1<<p.ByteBits - 1 }, "byte_bits"),
			Doc:  "Window after a flush; all ones of byte_bits: no window.",
			Ref:  "nicgen"},
		{Key: "quantum", Group: runtime, Unit: "bytes", Int: &p.Quantum, Min: 1, Max: 65535, Flag: true, Runtime: true, Port: "cfg_quantum",
			Doc: "The most bytes of a visit, exceeded by less than a packet.",
			Ref: "nicgen"},
		{Key: "stall_ns", Group: runtime, Unit: "ns", Int: &p.StallNS, Min: 0, Max: 1<<47 - 1, Flag: true, Runtime: true, Port: "cfg_stall_ns",
			Doc: "A connection that waits so long, to twice as long, without progress or a window may send a packet.",
			Ref: "nicgen"},
		{Key: "flight_ns", Group: runtime, Unit: "ns", Int: &p.FlightNS, Min: 0, Max: 1<<47 - 1, Flag: true, Runtime: true, Port: "cfg_flight_ns",
			Doc: "While a packet of a connection left so recently, a retransmission is no TIMEOUT: more than a round trip, less than the host's timer.",
			Ref: "nicgen"},
		{Key: "go_back_n", Group: runtime, Bool: &p.GoBackN, Flag: true, Runtime: true, Port: "cfg_go_back_n",
			Doc: "A retransmission means that all that is in flight is lost; else only that packet.",
			Ref: "IBTA §9.7.5"},
		{Key: "flush_force", Group: runtime, Bool: &p.FlushForce, Runtime: true, Port: "cfg_flush_force",
			Doc: "A flush does not wait for its connection's turn to end; when it rises, nor for packets being discarded: for turns that an upset has lost.",
			Ref: "nicgen"},
	}
}

// MostRing returns the longest ring of each connection for a number of connections.
func MostRing(connections int64) int64 { return 1 << bits.Len64(uint64(MostEntries/connections)) >> 1 }

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
	if most := p.PSNBits - int64(sv.CLog2(p.Ring)); p.LapBits > most {
		add("lap_bits", p.LapBits, fmt.Sprintf("at most %d with psn_bits %d and ring %d", most, p.PSNBits, p.Ring))
	}
	if p.Connections*p.Ring > MostEntries {
		add("ring", p.Ring, fmt.Sprintf("at most %d with connections %d", MostEntries/p.Connections, p.Connections))
	}
	if p.RTTBits > p.TimerBits {
		add("rtt_bits", p.RTTBits, fmt.Sprintf("at most timer_bits %d", p.TimerBits))
	}
	if all := int64(1)<<p.ByteBits - 1; p.InitWindow > all>>1 && p.InitWindow != all {
		add("init_window", p.InitWindow, fmt.Sprintf("below 2^%d, or %d with byte_bits %d", p.ByteBits-1, all, p.ByteBits))
	}
	if p.StallNS >= 1<<(p.TimerBits-1) {
		add("stall_ns", p.StallNS, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits-1, p.TimerBits))
	}
	if p.FlightNS >= 1<<(p.TimerBits-1) {
		add("flight_ns", p.FlightNS, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits-1, p.TimerBits))
	}
	return out
}

// inBRAM is the largest number of entries for which the ring is in BRAM under Auto.
const inBRAM = 2048

// RingKind returns the memory of the ring: BRAM or URAM.
func (p *Params) RingKind() string {
	return gen.MemoryFor(p.RingMemory, p.Connections*p.Ring, 0, inBRAM)
}

// Banks returns the number of UltraRAM columns in the ring, 0 in BRAM.
func (p *Params) Banks() int64 {
	if p.RingKind() != gen.URAM {
		return 0
	}
	return gen.URAMBanks(p.Connections * p.Ring)
}

// SampleLatency returns the number of cycles from an ACK to its sample.
func (p *Params) SampleLatency() int { return int(p.RingLatency) + 6 }

// ToRing returns the number of cycles from a RELEASE to its entry in the ring.
func (p *Params) ToRing() int64 { return max(4, p.EVLatency+1) }

// Drain returns the number of cycles that a flush waits for operations in flight.
func (p *Params) Drain() int64 { return p.ToRing() + p.RingLatency + 8 }

// Sweep returns the number of cycles that clear the unit after a reset.
func (p *Params) Sweep() int64 { return p.Connections * p.Ring }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{
		"ENTER to PUSH": 4, "ENTER to TIMEOUT": 5, "RELEASE to SEND": 4, "DUE to POP": 4, "DONE to DONE": 6, "ACK to sample": p.SampleLatency(),
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// Sizes of queues.
const (
	Looks = 16 // connections whose ACK, and as many whose window, requests a check
	Calls = 16 // connections that a look or the scan has found open
	Pops  = 8  // pops that the queues have not taken, and connections with a pending decision
)

// Widths shared with nic_queue and nic_pace.
const (
	WireBits   = 24 // bytes of a visit on the wire
	BudgetBits = 24
	DoneBits   = 16 // bytes on the wire, for the pacer
	PSNsBits   = 8  // PSNs newly acknowledged
	NearBits   = 16 // of a PSN, in which they are counted
	TickBits   = 8  // of the time in ns that steps of it do not see
	CountBits  = 32 // of the byte counters
	LengthBits = 16 // IP bytes of a packet
)

// CounterNames returns the event counters, in port order.
func CounterNames() []string {
	return []string{"ack", "old", "stray", "retransmit", "timeout", "shut", "stall", "dropped", "flush", "illegal", "not_ready"}
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_gate" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC window gate: which connections may send, and what they have in flight"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Karn and Partridge, Improving Round-Trip Time Estimates in Reliable Transport Protocols, SIGCOMM 1987; InfiniBand Architecture Specification §9"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_gate" }
