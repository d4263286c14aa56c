// SPDX-License-Identifier: Apache-2.0

// Package nicpace generates the pacer of a NIC: a timing wheel that gives each connection its turn at
// the time of its next departure. docs/units/nic_pace.md describes the unit.
package nicpace

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

const (
	// WholeBits are the bits of a rate, in ns a byte, before its point.
	WholeBits = 10
	// ByteBits is the width of the bytes of a visit.
	ByteBits = 16
	// FIFO is the number of connections that may wait for the lane.
	FIFO = 64
	// Hold is the number of them above which no connection gets its turn.
	Hold = 16
	// Horizon is the time, in ns, within which every departure time lies: above the time of the
	// most bytes at the lowest rate, 2^26 ns, and a slot, and below a quarter of the time's range.
	Horizon = 1 << 27
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	Slots       int64
	SlotNS      int64
	TimerBits   int64
	FracBits    int64
	CounterBits int64

	AllowanceNS int64
	IdleNS      int64
	FlushForce  bool
}

// Default returns the configuration for 256 connections and a wheel of 131 µs.
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, Slots: 1024, SlotNS: 128, TimerBits: 32, FracBits: 16, CounterBits: 32,
		AllowanceNS: 32_000, IdleNS: 905,
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
			Cost: "memory: connections × (timer_bits + 2·frac_bits + 13 bits, and twice the bits of a connection)",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "LUT and FF for each bit of each event",
			Ref:  "nicgen"},
		{Key: "slots", Group: structure, Unit: "slots", Int: &p.Slots, Min: 16, Max: 16384, PowerOfTwo: true, Flag: true,
			Doc:  "Slots of the wheel.",
			Cost: "memory: slots × (1 + twice the bits of a connection)",
			Ref:  "Carousel §4.3"},
		{Key: "slot_ns", Group: structure, Unit: "ns", Int: &p.SlotNS, Min: 64, Max: 65536, PowerOfTwo: true, Flag: true,
			Doc:  "Length of a slot: a connection has its turn up to so early.",
			Cost: "none",
			Ref:  "Carousel §4.3"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 30, Max: 48, Flag: true,
			Doc:  "Width of the time in ns; the wheel, allowance_ns and idle_ns are below a quarter of its range.",
			Cost: "memory: connections; LUT and FF for each bit",
			Ref:  "nicgen"},
		{Key: "frac_bits", Group: structure, Unit: "bits", Int: &p.FracBits, Min: 8, Max: 16, Flag: true,
			Doc:  "Bits behind the point of rates in ns a byte, and of departure times in ns: nothing is ever rounded.",
			Cost: "memory: connections; LUT and FF for each bit",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "LUT and FF for each counter's bit",
			Ref:  "nicgen"},

		{Key: "allowance_ns", Group: runtime, Unit: "ns", Int: &p.AllowanceNS, Min: 0, Max: 1<<46 - 1, Flag: true, Runtime: true, Port: "cfg_allowance_ns",
			Doc: "How much time a connection that was late, because of others, may make up for.",
			Ref: "nicgen"},
		{Key: "idle_ns", Group: runtime, Unit: "ns", Int: &p.IdleNS, Min: 0, Max: 1<<46 - 1, Flag: true, Runtime: true, Port: "cfg_idle_ns",
			Doc: "How much time a connection that was idle may make up for: from slot_ns to an eighth of the round-trip time.",
			Ref: "nicgen: τ/32 of 28.96 µs"},
		{Key: "flush_force", Group: runtime, Bool: &p.FlushForce, Runtime: true, Port: "cfg_flush_force",
			Doc: "A flush does not wait for its connection's turn: for a turn that an upset has lost, and only while that flush waits.",
			Ref: "nicgen"},
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
	if p.Slots*p.SlotNS > 1<<(p.TimerBits-3) {
		add("slots", p.Slots, fmt.Sprintf("at most %d with slot_ns %d and timer_bits %d", int64(1)<<(p.TimerBits-3)/p.SlotNS, p.SlotNS, p.TimerBits))
	}
	for _, x := range []struct {
		key string
		ns  int64
	}{{"allowance_ns", p.AllowanceNS}, {"idle_ns", p.IdleNS}} {
		if x.ns >= 1<<(p.TimerBits-2) {
			add(x.key, x.ns, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits-2, p.TimerBits))
		}
	}
	return out
}

// SlotShift returns the number of bits of the time within a slot.
func (p *Params) SlotShift() int64 { return int64(bits.TrailingZeros64(uint64(p.SlotNS))) }

// RateBits returns the width of a rate.
func (p *Params) RateBits() int64 { return WholeBits + p.FracBits }

// Sweep returns the number of cycles that clear the unit after a reset.
func (p *Params) Sweep() int64 { return max(int64(1)<<sv.CLog2(max(p.Connections, 2)), p.Slots) }

// ScanCycles returns the number of cycles in which the scan visits each connection once: it has one
// cycle in 64, and a waiting flush takes every second of these.
func (p *Params) ScanCycles() int64 { return 2 * 64 * p.Connections }

// ScanPass implements gen.Scanned.
func (p *Params) ScanPass() int64 { return p.ScanCycles() }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"DONE to DUE": 9, "PUSH to DUE": 11} }

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// CounterNames returns the event counters, in port order.
func CounterNames() []string {
	return []string{"push", "done", "due", "rate", "beyond", "late", "flush", "illegal", "not_ready"}
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_pace" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC pacer: connections in the order of their next departure times, by a timing wheel"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Saeed et al., Carousel: Scalable Traffic Shaping at End Hosts, SIGCOMM 2017, §4; Varghese and Lauck, Hashed and Hierarchical Timing Wheels, SOSP 1987"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_pace" }
