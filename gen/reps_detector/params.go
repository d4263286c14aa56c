// SPDX-License-Identifier: Apache-2.0

// Package repsdetector generates the REPS failure detector: the unit that decides
// whether a retransmission timeout means a failed path or congestion, and so
// whether the REPS entropy buffer freezes.
//
// Source: Bonato et al., "REPS: Recycled Entropy Packet Spraying", §2.1 and
// Appendix A. docs/units/reps_detector.md describes the unit.
package repsdetector

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Latencies that the design fixes, in cycles.
const (
	VerdictLatency = 6 // from a timeout to its verdict
	CountLatency   = 3 // from an event to its counter, except the counters of verdicts
)

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	RTTBits     int64
	TimerBits   int64
	StateMemory string
	CounterBits int64

	Trimming       bool
	RTTThresholdNS int64
	WindowNS       int64
}

// Default returns the configuration for the default REPS buffer: 256
// connections, the authors' threshold of 1.65 base RTTs of 12.5 µs, and a window
// of two of the paper's retransmission timeouts of 70 µs (REPS §4.1).
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, RTTBits: 20, TimerBits: 35,
		StateMemory: gen.Auto, CounterBits: 32,
		Trimming: false, RTTThresholdNS: 20_625, WindowNS: 140_000,
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
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "memory: connections × (timer_bits + 1)",
			Ref:  "REPS §4.1 REPS-FPGA: 256"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "about 2 LUT and 2 FF a bit",
			Ref:  "nicgen"},
		{Key: "rtt_bits", Group: structure, Unit: "bits", Int: &p.RTTBits, Min: 8, Max: 32, Flag: true, SV: "RTT_BITS",
			Doc:  "Width of an RTT in ns; a longer RTT enters as all ones and is never low (20 bits: 1 ms).",
			Cost: "2 LUT in 3 bits, 2 FF a bit",
			Ref:  "REPS Appendix A"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 16, Max: 64, Flag: true, SV: "TIMER_BITS",
			Doc:  "Width of the time in ns; a high RTT counts again for window_ns whenever its age wraps to 0, each 2^timer_bits ns without another one (35 bits: 34 s).",
			Cost: "memory: connections × timer_bits, in BRAM free up to 35 bits; about 3 LUT and 4 FF a bit",
			Ref:  "nicgen"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the state; auto: LUTRAM up to 64 connections, BRAM above.",
			Cost: "BRAM: 1 RAMB18 for each 512 connections of up to 36 bits; LUTRAM: about 1 LUT for each 48 bits, and above 64 connections the multiplexers",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "8 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "trimming", Group: runtime, Bool: &p.Trimming, Flag: true, Runtime: true, Port: "cfg_trimming",
			Doc: "Switches trim packets instead of dropping them, so every timeout is a failure.",
			Ref: "REPS §2.1, Appendix A strategy 1"},
		{Key: "rtt_threshold_ns", Group: runtime, Unit: "ns", Int: &p.RTTThresholdNS, Min: 0, Max: 1<<32 - 1, Flag: true, Runtime: true, Port: "cfg_rtt_threshold_ns",
			Auto: gen.AtMost(d.RTTThresholdNS, func() int64 { return 1<<p.RTTBits - 1 }, "rtt_bits"),
			Doc:  "RTTs below it are low, all others high; below 2^rtt_bits. The authors' simulator takes 1.65 times the RTT of an empty network.",
			Ref:  "REPS Appendix A strategy 2"},
		{Key: "window_ns", Group: runtime, Unit: "ns", Int: &p.WindowNS, Min: 0, Max: 1<<62 - 1, Flag: true, Runtime: true, Port: "cfg_window_ns",
			Auto: gen.AtMost(d.WindowNS, func() int64 { return 1<<min(p.TimerBits, 62) - 1 }, "timer_bits"),
			Doc:  "Time before a timeout in which RTTs count; below 2^timer_bits. The authors' simulator takes 2 retransmission timeouts.",
			Ref:  "REPS Appendix A strategy 2"},
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
	if p.RTTThresholdNS >= 1<<p.RTTBits {
		add("rtt_threshold_ns", p.RTTThresholdNS, fmt.Sprintf("below 2^%d with rtt_bits %d", p.RTTBits, p.RTTBits))
	}
	if p.TimerBits < 62 && p.WindowNS >= 1<<p.TimerBits {
		add("window_ns", p.WindowNS, fmt.Sprintf("below 2^%d with timer_bits %d", p.TimerBits, p.TimerBits))
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "reps_detector" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "REPS failure detector: whether a timeout is a failed path or congestion"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Bonato et al., REPS: Recycled Entropy Packet Spraying, EuroSys 2026, §2.1 and Appendix A"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_reps_detector" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"timeout to verdict": VerdictLatency}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"rtt", "rtt_high", "timeout", "fail", "congestion", "flush", "illegal_conn", "not_ready"}

// ConnIdxBits returns the number of bits that address a connection, at least 1.
func (p *Params) ConnIdxBits() int { return sv.IdxW(p.Connections) }
