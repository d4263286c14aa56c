// SPDX-License-Identifier: Apache-2.0

// Package nicgate generates the window gate of a NIC: which connections may send, and what they have
// in flight. docs/units/nic_gate.md describes the unit.
package nicgate

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// BytesPerPSN is the budget for each PSN that the ring has room for: no packet has fewer bytes of IP.
const BytesPerPSN = 32

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	Ring        int64
	PSNBits     int64
	TagBits     int64
	ByteBits    int64
	PacketBits  int64
	EVBits      int64
	EVLatency   int64
	TimerBits   int64
	RTTBits     int64
	CounterBits int64

	InitWindow int64
	Quantum    int64
	StallNS    int64
	GoBackN    bool
}

// Default returns the configuration for 256 connections with 128 PSNs in flight, an entry of the
// ring in one word of UltraRAM: 100 Gb/s and 1,500 bytes for 15 µs.
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, Ring: 128, PSNBits: 24, TagBits: 5, ByteBits: 24, PacketBits: 16, EVBits: 16, EVLatency: 8,
		TimerBits: 32, RTTBits: 25, CounterBits: 32,
		InitWindow: 1<<24 - 1, Quantum: 4096, StallNS: 1_000_000, GoBackN: true,
	}
}

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields is the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "memory: connections × (ring × (2 + tag_bits + ev_bits + byte_bits + rtt_bits) + some 300 bits)",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "LUT and FF for each bit of each event",
			Ref:  "nicgen"},
		{Key: "ring", Group: structure, Unit: "PSNs", Int: &p.Ring, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true, SV: "RING",
			Doc:  "PSNs that a connection may have in flight.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "psn_bits", Group: structure, Unit: "bits", Int: &p.PSNBits, Min: 16, Max: 32, Flag: true, SV: "PSN_BITS",
			Doc:  "Width of a PSN: 24 bits in RoCEv2, 32 in UET.",
			Cost: "memory and LUT for each bit",
			Ref:  "IBTA §9.2; UET 1.0 §3.5"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: 16, SV: "TAG_BITS",
			Doc:  "Bits of a PSN above those that address the ring, which an entry has.",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "byte_bits", Group: structure, Unit: "bits", Int: &p.ByteBits, Min: 16, Max: 32, Flag: true, SV: "BYTE_BITS",
			Doc:  "Width of the byte counters and of windows; windows are below 2^(byte_bits-1), or all ones.",
			Cost: "memory and LUT for each bit",
			Ref:  "nicgen"},
		{Key: "packet_bits", Group: structure, Unit: "bits", Int: &p.PacketBits, Min: 4, Max: 20, SV: "PACKET_BITS",
			Doc:  "Width of the counters of packets entered and released: fewer than 2^packet_bits wait in a queue.",
			Cost: "memory and LUT for each bit",
			Ref:  "nicgen"},
		{Key: "ev_bits", Group: structure, Unit: "bits", Int: &p.EVBits, Min: 1, Max: 20, Flag: true, SV: "EV_BITS",
			Doc:  "Width of an entropy value.",
			Cost: "memory: see connections",
			Ref:  "REPS §2.2"},
		{Key: "ev_latency", Group: structure, Unit: "cycles", Int: &p.EVLatency, Min: 0, Max: 64,
			Doc:  "Cycles from a RELEASE to its EV, the path unit's latency.",
			Cost: "a shift register for each bit of an entry, to 32 cycles 1 LUT",
			Ref:  "nicgen"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 24, Max: 48, Flag: true, SV: "TIMER_BITS",
			Doc:  "Width of the time in ns; stall_ns is below half of its range.",
			Cost: "memory: connections × timer_bits",
			Ref:  "nicgen"},
		{Key: "rtt_bits", Group: structure, Unit: "bits", Int: &p.RTTBits, Min: 16, Max: 32, Flag: true, SV: "RTT_BITS",
			Doc:  "Width of a packet's time in the ring, and of a round-trip time; longer ones wrap (25 bits: 33 ms).",
			Cost: "memory: see connections",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "LUT and FF for each counter's bit",
			Ref:  "nicgen"},

		{Key: "init_window", Group: runtime, Unit: "bytes", Int: &p.InitWindow, Min: 0, Max: 1<<32 - 1, Flag: true, Runtime: true, Port: "cfg_init_window",
			Doc: "Window after a flush; all ones of byte_bits: no window.",
			Ref: "nicgen"},
		{Key: "quantum", Group: runtime, Unit: "bytes", Int: &p.Quantum, Min: 1, Max: 65535, Flag: true, Runtime: true, Port: "cfg_quantum",
			Doc: "The most bytes of a visit, exceeded by less than a packet.",
			Ref: "nicgen"},
		{Key: "stall_ns", Group: runtime, Unit: "ns", Int: &p.StallNS, Min: 0, Max: 1<<47 - 1, Flag: true, Runtime: true, Port: "cfg_stall_ns",
			Doc: "A connection that waits so long without an ACK or a window may send a packet.",
			Ref: "nicgen"},
		{Key: "go_back_n", Group: runtime, Bool: &p.GoBackN, Flag: true, Runtime: true, Port: "cfg_go_back_n",
			Doc: "A retransmission means that all that is in flight is lost; else only that packet.",
			Ref: "IBTA §9.7.5"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, fmt.Sprintf("at least %d for connections %d", need, p.Connections))
	}
	if most := p.PSNBits - int64(sv.CLog2(p.Ring)); p.TagBits > most {
		add("tag_bits", p.TagBits, fmt.Sprintf("at most %d with psn_bits %d and ring %d", most, p.PSNBits, p.Ring))
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
	return out
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
