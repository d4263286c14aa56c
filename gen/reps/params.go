// SPDX-License-Identifier: Apache-2.0

// Package reps generates the REPS entropy buffer: the unit that decides, for
// every packet a NIC sends, which entropy value (EV) and so which path it takes.
//
// Source: Bonato et al., "REPS: Recycled Entropy Packet Spraying", Algorithms 1
// and 2. docs/units/reps.md describes the unit.
package reps

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Limits that the design fixes.
const (
	PortBits    = 16    // width of an EV on the wire unless EVs are wider: a UDP source port
	LabelBits   = 20    // widest EV: an IPv6 flow label
	ExploreBits = 8     // width of exploreCounter (REPS Table 1)
	ExploreMax  = 255   // largest value of exploreCounter: NUM_PKTS_CWND saturates
	Rows        = 65536 // largest number of connections, times NIC ports

	EventLatency  = 4 // cycles from an event to its pulse and most counters
	FreezeLatency = 5 // cycles from an event to the counters of freezes and thaws
	longestSend   = 7 // cycles from an accepted SEND to its EV with the longest ram_latency
)

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	EVSBits       int64
	BufferDepth   int64
	Connections   int64
	ConnBits      int64
	ExploreStride int64
	TimerBits     int64
	NICPorts      int64
	RAMLatency    int64
	Coalescing    string
	Ratio         int64
	CarryDepth    int64
	StateMemory   string
	EVMemory      string
	CounterBits   int64
	RandomSeed    int64
	Protection    string

	Mode              string
	Freezing          bool
	FreezingTimeoutNS int64
	NumPktsCwnd       int64
	EVBase            int64
}

// ACK coalescing variants (REPS §4.5.1).
const (
	None  = "none"  // one ACK, one EV, used once
	Reuse = "reuse" // each cached EV may be used ack_coalescing_ratio times
	Carry = "carry" // one ACK carries up to ack_coalescing_ratio EVs
)

// Protection of the state against single-event upsets; None as for ACK coalescing.
const (
	Scrub  = "scrub"  // idle cycles rewrite one connection after another, so that copies agree
	Triple = "triple" // and every word of the control state is stored three times
)

// Default returns the configuration of the paper's FPGA prototype: 256
// connections of 8 EVs of 16 bits (REPS §4.1).
func Default() *Params {
	return &Params{
		EVSBits: 16, BufferDepth: 8, Connections: 256, ConnBits: 16,
		ExploreStride: 1, TimerBits: 35, NICPorts: 1, RAMLatency: 2,
		Coalescing: None, Ratio: 1, CarryDepth: 16,
		StateMemory: gen.Auto, EVMemory: gen.Auto, CounterBits: 32, RandomSeed: 1,
		Protection: None,
		Mode:       "reps", Freezing: true, FreezingTimeoutNS: 10_000_000,
		NumPktsCwnd: 150, EVBase: 0,
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
		{Key: "evs_bits", Group: structure, Unit: "bits", Int: &p.EVSBits, Min: 1, Max: LabelBits, Flag: true, SV: "EVS_BITS",
			Doc:  "Width of an entropy value (EV); the EV set has 2^evs_bits members. Up to 16 bits for a UDP source port, 20 for an IPv6 flow label.",
			Cost: "EV memory: connections × buffer_depth × evs_bits; about 3 LUT a bit",
			Ref:  "REPS §2.2 EVS, Algorithm 2 line 17, §4.5.2"},
		{Key: "buffer_depth", Group: structure, Unit: "EVs", Int: &p.BufferDepth, Min: 2, Max: 64, PowerOfTwo: true, Flag: true, SV: "BUFFER_DEPTH",
			Doc:  "EVs cached for each connection.",
			Cost: "EV memory: connections × buffer_depth × evs_bits",
			Ref:  "REPS §3.1 REPS_BUFFER_SIZE, Theorem 5.1"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for, on each NIC port; connections × nic_ports, that rounded up to a power of two, is at most 65536.",
			Cost: "all memories grow linearly; address comparators by 1 LUT for each 3 address bits",
			Ref:  "REPS §4.1 REPS-FPGA: 256"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "about 1 LUT a port for each 6 bits above what connections needs",
			Ref:  "nicgen"},
		{Key: "explore_stride", Group: structure, Unit: "packets", Int: &p.ExploreStride, Min: 1, Max: 64, PowerOfTwo: true, Flag: true, SV: "EXPLORE_STRIDE",
			Doc:  "While exploring after freezing, every explore_stride-th packet takes a random EV; 1 as in the authors' simulator, which gave their figures, buffer_depth as in Algorithm 2.",
			Cost: "none",
			Ref:  "REPS Algorithm 2 lines 15-18"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 16, Max: 64, Flag: true, SV: "TIMER_BITS",
			Doc:  "Width of the time in ns; a frozen connection must get a good ACK within 2^(timer_bits-1) ns of its exit time (35 bits: 17 s, 48 bits: 39 h).",
			Cost: "memory: connections × timer_bits, in BRAM free up to 35 bits; 2 LUT a bit",
			Ref:  "REPS Table 1 exitFreezingMode"},
		{Key: "nic_ports", Group: structure, Unit: "ports", Int: &p.NICPorts, Min: 1, Max: 8, Flag: true, SV: "NIC_PORTS",
			Doc:  "NIC ports; each has its own mode, and each connection its own state on each of them: an EV names another path on another port.",
			Cost: "all memories grow in proportion, by powers of two; about 1 LUT a port",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to the data of a memory: 2 uses the output register of a block RAM, 1 does not, for clocks of 250 MHz.",
			Cost: "2: one more cycle from SEND to EV",
			Ref:  "nicgen"},
		{Key: "ack_coalescing", Group: structure, Enum: &p.Coalescing, Choices: []string{None, Reuse, Carry}, Flag: true,
			Doc:  "EVs of a coalesced ACK: none: one EV, used once; reuse: one EV, used ack_coalescing_ratio times; carry: up to ack_coalescing_ratio EVs, each used once.",
			Cost: "reuse: a use counter; carry: a queue in LUTRAM",
			Ref:  "REPS §4.5.1"},
		{Key: "ack_coalescing_ratio", Group: structure, Unit: "packets per ACK", Int: &p.Ratio, Min: 1, Max: 16, Flag: true,
			Auto: gen.Follow("1 with ack_coalescing none, else 2", p.leastRatio, "ack_coalescing"),
			Doc:  "Data packets that one ACK acknowledges; 1 if and only if ack_coalescing is none.",
			Cost: "reuse: log2(ack_coalescing_ratio) bits of state a connection; carry: in each queue entry, an EV and its mark for each packet",
			Ref:  "REPS §4.5.1, Fig. 12 and 13"},
		{Key: "carry_queue_depth", Group: structure, Unit: "ACKs", Int: &p.CarryDepth, Min: 2, Max: 64, PowerOfTwo: true,
			Doc:  "Coalesced ACKs that can wait while EVs enter the buffer, one a cycle; for ack_coalescing carry.",
			Cost: "LUTRAM: carry_queue_depth × (conn_bits + (1 + width of an EV) × ack_coalescing_ratio) bits",
			Ref:  "nicgen"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the control state; auto: LUTRAM up to 64 connections, BRAM above, single bits in LUTRAM up to 512.",
			Cost: "BRAM: 5 RAMB18 at least; LUTRAM: about 1 LUT for each 64 bits a copy",
			Ref:  "nicgen"},
		{Key: "ev_memory", Group: structure, Enum: &p.EVMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the EVs; auto: LUTRAM up to 64 EVs in all, BRAM above.",
			Cost: "BRAM: 1 RAMB36 for each 2048 EVs of 16 bits",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "10 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 0, Max: 1<<63 - 1, Flag: true,
			Doc:  "Seed of the random generator after reset; SplitMix64 expands it to the state. All NICs with one bitstream have the same: seed each by s_seed.",
			Cost: "none",
			Ref:  "nicgen"},
		{Key: "state_protection", Group: structure, Enum: &p.Protection, Choices: []string{None, Scrub, Triple},
			Doc:  "Protection of the state against single-event upsets: scrub: each cycle without an event rewrites a connection's state so that all copies agree; triple: also, every word but the EVs is stored three times and read by majority.",
			Cost: "scrub: logic only; triple: three times the state memory, less where the copies fit into the width of a RAM block",
			Ref:  "nicgen"},

		{Key: "mode", Group: runtime, Enum: &p.Mode, Choices: []string{"reps", "ops", "ecmp"}, Flag: true, Runtime: true, Port: "cfg_mode",
			Doc: "Mode of every NIC port: reps: recycled EVs; ops: a random EV for each packet; ecmp: one fixed EV a connection.",
			Ref: "REPS §2.2"},
		{Key: "freezing", Group: runtime, Bool: &p.Freezing, Flag: true, Runtime: true, Port: "cfg_freezing",
			Doc: "Whether failure events freeze a connection; a frozen connection still leaves freezing as usual.",
			Ref: "REPS §3.2, Appendix C.4"},
		{Key: "freezing_timeout_ns", Group: runtime, Unit: "ns", Int: &p.FreezingTimeoutNS, Min: 0, Max: 1<<62 - 1, Flag: true, Runtime: true, Port: "cfg_freezing_timeout_ns",
			Auto: gen.AtMost(d.FreezingTimeoutNS, func() int64 { return 1<<min(p.TimerBits-1, 62) - 1 }, "timer_bits"),
			Doc:  "Least time that a connection stays frozen; below 2^(timer_bits-1). The authors use 10 ms, and 100 µs for their Fig. 7.",
			Ref:  "REPS Algorithm 1 line 24 FREEZING_TIMEOUT"},
		{Key: "num_pkts_cwnd", Group: runtime, Unit: "packets", Int: &p.NumPktsCwnd, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_num_pkts_cwnd",
			Doc: "Packets of an exploration after freezing: one congestion window (bandwidth-delay product / MTU); saturates at 255.",
			Ref: "REPS Algorithm 1 line 17 NUM_PKTS_CWND"},
		{Key: "ev_base", Group: runtime, Int: &p.EVBase, Min: 0, Max: 1<<LabelBits - 1, Flag: true, Runtime: true, Port: "cfg_ev_base",
			Doc: "Added to every EV that leaves and subtracted from every EV that enters, so that EVs fall into a UDP source-port range (RoCEv2: 49152 with evs_bits 14). Below 2^16, or 2^evs_bits if that is wider.",
			Ref: "nicgen; REPS §2.2 EVS"},
	}
}

// leastRatio returns the least ack_coalescing_ratio.
func (p *Params) leastRatio() int64 {
	if p.Coalescing == None {
		return 1
	}
	return 2
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if p.ExploreStride > p.BufferDepth {
		add("explore_stride", p.ExploreStride, fmt.Sprintf("at most buffer_depth (%d)", p.BufferDepth))
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, fmt.Sprintf("at least %d for connections %d", need, p.Connections))
	}
	if p.NICPorts > 0 && p.Rows() > Rows {
		add("nic_ports", p.NICPorts, fmt.Sprintf("at most %d with connections %d: state for at most %d connections on all ports, the ports rounded up to a power of two",
			max(1, Rows/p.Connections), p.Connections, Rows))
	}
	if p.EVBase >= 1<<p.WireBits() {
		add("ev_base", p.EVBase, fmt.Sprintf("below 2^%d with evs_bits %d", p.WireBits(), p.EVSBits))
	}
	if p.FreezingTimeoutNS >= 1<<min(p.TimerBits-1, 62) {
		add("freezing_timeout_ns", p.FreezingTimeoutNS, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits-1, p.TimerBits))
	}
	switch {
	case p.Coalescing == None && p.Ratio != 1:
		add("ack_coalescing_ratio", p.Ratio, "1 with ack_coalescing none (or set ack_coalescing to reuse or carry)")
	case p.Coalescing != None && p.Ratio < 2:
		add("ack_coalescing_ratio", p.Ratio, "2 to 16 with ack_coalescing "+p.Coalescing)
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "reps" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "REPS entropy buffer: the path of each packet from recycled entropy values"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Bonato et al., REPS: Recycled Entropy Packet Spraying, EuroSys 2026, Algorithms 1 and 2"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_reps" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"SEND to EV": p.SendLatency()}
}

// SendLatency returns the number of cycles from an accepted SEND to its EV.
func (p *Params) SendLatency() int { return longestSend - 2 + int(p.RAMLatency) }

// WireBits returns the width of an EV on the wire, and of a random word.
func (p *Params) WireBits() int { return max(PortBits, int(p.EVSBits)) }

// Rows returns the number of connections times the number of NIC ports rounded up to a power of
// two, for which the memories hold state.
func (p *Params) Rows() int64 { return p.Connections << sv.CLog2(p.NICPorts) }

// Protected reports whether the state is scrubbed.
func (p *Params) Protected() bool { return p.Protection != None }

// CounterNames are the event counters, in port order.
var CounterNames = []string{"ack", "ecn", "fail", "send", "flush", "freeze", "thaw", "illegal_conn", "illegal_ev", "not_ready"}

// ConnIdxBits returns the number of bits that address a connection, at least 1.
func (p *Params) ConnIdxBits() int { return sv.IdxW(p.Connections) }

// PortIdxBits returns the number of bits that name a NIC port, at least 1.
func (p *Params) PortIdxBits() int { return sv.IdxW(p.NICPorts) }

// RatioBits returns the number of bits that count the EVs of a coalesced ACK, 0 to
// ack_coalescing_ratio.
func (p *Params) RatioBits() int { return sv.CLog2(p.Ratio + 1) }
