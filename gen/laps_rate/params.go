// SPDX-License-Identifier: Apache-2.0

// Package lapsrate generates the LAPS rate control: for each flow a sending rate that
// is halved when every path to its destination is congested and else grows, by stages.
//
// Source: Wan et al., "LAPS: Latency Aware Packet Spraying", §III-F, Algorithm 2.
// docs/units/laps_rate.md describes the unit.
package lapsrate

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Delays that follow from the design rather than from a choice, in cycles; the levels
// of the trees come on top.
const (
	baseLatency   = 6 // from an ACK to its answer
	settingsDelay = 4 // from an ACK to the cycle in which the settings are read
	readyDelay    = 2 // from rst to sts_ready, in addition to a cycle for each flow
)

// StageBits is the width of a flow's count of increases.
const StageBits = 4

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Flows       int64
	FlowBits    int64
	Operands    string
	Paths       int64
	LatBits     int64
	TimeBits    int64
	RateBits    int64
	Decrease    string
	Increase    string
	Least       int64 // 0: none
	StateMemory string
	RAMLatency  int64
	CounterBits int64

	MaxRate int64
	MinRate int64
	Stages  int64
}

// Contents of an ACK.
const (
	PathsOp     = "paths"     // baseVal and realVal of each path
	LatenciesOp = "latencies" // realVal of each path, and T
	ExtremesOp  = "extremes"  // T and t, and the largest realVal if it is needed
)

// Latencies whose double is the length of an interval.
const (
	Least = "min"  // t: the least realVal of the paths
	Most  = "max"  // the largest realVal of the paths
	Base  = "base" // T: the largest baseVal of the paths
)

// Default returns the configuration of the paper's FPGA prototype: 1,024 flows, 32 banks of paths
// (LAPS §III-H, §IV-C). Rates are in 1/256 Mb/s: 100 Gb/s, and a hundredth of it for the least
// rate.
func Default() *Params {
	return &Params{
		Flows: 1024, FlowBits: 16, Operands: PathsOp, Paths: 32, LatBits: 20, TimeBits: 32, RateBits: 25,
		Decrease: Least, Increase: Least, StateMemory: gen.Auto, RAMLatency: 2, CounterBits: 32,
		MaxRate: 100_000 << 8, MinRate: 1_000 << 8, Stages: 5,
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
		{Key: "flows", Group: structure, Unit: "flows", Int: &p.Flows, Min: 1, Max: 65536, Flag: true, SV: "FLOWS",
			Doc:  "Flows, each with its own rate.",
			Cost: "memory: flows × (2 × time_bits + 2 × rate_bits + 4)",
			Ref:  "LAPS §IV-C: 1,024"},
		{Key: "flow_bits", Group: structure, Unit: "bits", Int: &p.FlowBits, Min: 1, Max: 24, SV: "FLOW_BITS",
			Doc:  "Width of the flow ports; numbers from flows upwards are illegal and counted.",
			Cost: "about 1.5 LUT and 2 FF a bit",
			Ref:  "nicgen"},
		{Key: "operands", Group: structure, Enum: &p.Operands, Choices: []string{PathsOp, LatenciesOp, ExtremesOp}, Flag: true,
			Doc:  "What comes with an ACK: paths: baseVal and realVal of each path; latencies: realVal of each path, and T; extremes: T and t.",
			Cost: "a tree for each of T and t: paths × 33 LUT and paths × 38 FF at 20 bits",
			Ref:  "LAPS Algorithm 2 lines 3-5, §III-H"},
		{Key: "paths", Group: structure, Unit: "paths", Int: &p.Paths, Min: 2, Max: 32, Flag: true,
			Doc:  "Paths whose latencies come with an ACK; the trees find the extremes of these. No effect with operands extremes.",
			Cost: "the trees; latency: log2 paths cycles",
			Ref:  "LAPS §III-C PST, §III-H"},
		{Key: "lat_bits", Group: structure, Unit: "bits", Int: &p.LatBits, Min: 8, Max: 24, Flag: true,
			Doc:  "Width of a latency in ns; all ones means that or longer (20 bits: 1 ms).",
			Cost: "the trees",
			Ref:  "LAPS §III-C: 48"},
		{Key: "time_bits", Group: structure, Unit: "bits", Int: &p.TimeBits, Min: 16, Max: 48, Flag: true,
			Doc:  "Width of the time in ns (32 bits: 4.3 s); the page says what happens to flows that are idle for longer.",
			Cost: "memory: 2 × flows bits each; about 6 LUT and 8 FF a bit",
			Ref:  "LAPS §III-C: 48"},
		{Key: "rate_bits", Group: structure, Unit: "bits", Int: &p.RateBits, Min: 8, Max: 40, Flag: true,
			Doc:  "Width of a rate; its unit is that of the settings.",
			Cost: "memory: 2 × flows bits each; about 20 LUT and 6 FF a bit",
			Ref:  "nicgen"},
		{Key: "decrease_interval", Group: structure, Enum: &p.Decrease, Choices: []string{Least, Most}, Flag: true,
			Doc:  "Minimum interval between decreases of a flow: twice the least or twice the largest realVal of its paths.",
			Cost: "max: one more tree",
			Ref:  "LAPS Algorithm 2 line 8; max: the authors' simulator"},
		{Key: "increase_interval", Group: structure, Enum: &p.Increase, Choices: []string{Least, Base}, Flag: true,
			Doc:  "Minimum interval between increases of a flow: twice the least realVal of its paths, or 2T.",
			Cost: "none",
			Ref:  "LAPS Algorithm 2 line 15; base: §III-F and the authors' simulator"},
		{Key: "least_increase", Group: structure, Unit: "rate", Int: &p.Least, Min: 0, Max: 1<<40 - 1, Flag: true,
			Doc:  "Least step of an increase, at most max_rate; 0: none, as published. The authors' simulator has 1 Gb/s, 256,000 in 1/256 Mb/s.",
			Cost: "about 6 LUT a bit of rate_bits, 0.3 ns",
			Ref:  "the authors' simulator, IncreaseRateForLaps"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for per-flow state; auto: LUTRAM up to 64 flows, BRAM above.",
			Cost: "BRAM: 7 RAMB18 for each 1,024 flows; LUTRAM: about 1 LUT for each 50 bits",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from the address to the data of block RAMs; 2 uses their output registers. The unit's own latency is the same: a flow is known before the extremes of its paths.",
			Cost: "2: 64 LUT and 90 FF, and 0.6 ns less from a block RAM",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "9 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "max_rate", Group: runtime, Unit: "rate", Int: &p.MaxRate, Min: 1, Max: 1<<40 - 1, Flag: true, Runtime: true, Port: "cfg_max_rate",
			Auto: gen.AtMost(d.MaxRate, func() int64 { return 1<<p.RateBits - 1 }, "rate_bits"),
			Doc:  "Rate of a flow when it is opened, and upper limit of both rates; below 2^rate_bits. The unit is free: the default is 100 Gb/s in 1/256 Mb/s.",
			Ref:  "LAPS §III-F: the maximum that the NIC allows"},
		{Key: "min_rate", Group: runtime, Unit: "rate", Int: &p.MinRate, Min: 1, Max: 1<<40 - 1, Flag: true, Runtime: true, Port: "cfg_min_rate",
			Auto: gen.AtMost(d.MinRate, func() int64 { return p.MaxRate }, "max_rate"),
			Doc:  "Lower limit of a decrease; at most max_rate. The default is 1 Gb/s.",
			Ref:  "1 Gb/s in the authors' simulator"},
		{Key: "stages", Group: runtime, Unit: "increases", Int: &p.Stages, Min: 0, Max: 1<<StageBits - 1, Flag: true, Runtime: true, Port: "cfg_stages",
			Doc: "N: increases after a decrease before each further one doubles the expected rate. 6 matches the authors' simulator.",
			Ref: "LAPS §III-F: 5"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if need := int64(sv.CLog2(p.Flows)); p.FlowBits < need {
		add("flow_bits", p.FlowBits, fmt.Sprintf("at least %d for flows %d", need, p.Flows))
	}
	if need := p.LatBits + 3; p.TimeBits < need {
		add("time_bits", p.TimeBits, fmt.Sprintf("at least %d with lat_bits %d", need, p.LatBits))
	}
	if p.MaxRate >= 1<<p.RateBits {
		add("max_rate", p.MaxRate, fmt.Sprintf("below 2^%d with rate_bits %d", p.RateBits, p.RateBits))
	}
	if p.Least > p.MaxRate {
		add("least_increase", p.Least, fmt.Sprintf("at most max_rate %d", p.MaxRate))
	}
	if p.MinRate > p.MaxRate {
		add("min_rate", p.MinRate, fmt.Sprintf("at most max_rate %d", p.MaxRate))
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "laps_rate" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "LAPS rate control: a rate for each flow from the latencies of all its paths"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, §III-F, Algorithm 2"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_laps_rate" }

// Levels returns the number of levels of the trees.
func (p *Params) Levels() int {
	if p.Operands == ExtremesOp {
		return 0
	}
	return sv.CLog2(p.Paths)
}

// RateLatency returns the number of cycles from an ACK or an opening to its answer.
func (p *Params) RateLatency() int { return baseLatency + p.Levels() }

// SettingsDelay returns the number of cycles from an ACK or an opening to the cycle whose
// settings count for it.
func (p *Params) SettingsDelay() int { return settingsDelay + p.Levels() }

// ReadyDelay returns the number of cycles from a reset to sts_ready.
func (p *Params) ReadyDelay() int64 { return p.Flows + readyDelay }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"ACK or opening to rate": p.RateLatency()}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"ack", "congested", "decrease", "increase", "hyper", "no_path", "open", "illegal_flow", "not_ready"}

// FlowIdxBits returns the number of bits that address a flow, at least 1.
func (p *Params) FlowIdxBits() int { return sv.IdxW(p.Flows) }
