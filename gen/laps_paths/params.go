// SPDX-License-Identifier: Apache-2.0

// Package lapspaths generates the LAPS path tables: the Path Search Table and the
// Path Information Table, in banks so that all paths of a destination are read in
// one cycle, with ages, probes and doubling: Algorithm 1 without the choice.
//
// Source: Wan et al., "LAPS: Latency Aware Packet Spraying", §III-C to §III-E and
// §III-H. docs/units/laps_paths.md describes the unit.
package lapspaths

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Constants that follow from the design, not from a choice; delays in cycles.
const (
	CandLatency = 14 // from a packet to its candidates, and to its probe
	PathLatency = 5  // from the picker's answer, or a route request, to path and anchors
	RateLatency = 12 // from an ACK to the operands of rate control
	WriteWindow = 5  // from a packet to the cycle in which no other write may take place so that it can probe
	MarkDelay   = 13 // from a waiting packet to the first cycle for which the write bus is reserved
	HoldEvery   = 8  // least number of cycles from one reservation of the write bus to the next
	BetaDelay   = 4  // from an ACK to the cycle in which cfg_beta is read
	CountDelay  = 5  // from an event to its counter; of a packet's outcome: CandLatency + 1

	WeightBits   = 14 // width of a scaled latency: UQ5.9 octaves
	DelayBits    = 32 // width of a measured delay: signed, ns
	AnchorBits   = 32 // width of an anchor
	MantissaBits = 16 // of a scale
	ExponentBits = 5  // of a scale
	IDBits       = 5  // width of the number that a packet and its pick share
	PickWindow   = 28 // cycles after the candidates within which the picker must answer
)

// Operations of the configuration port.
const (
	OpList   = 0 // put a path into the set that is being prepared
	OpCommit = 1 // assign that set, and a scale, to a destination
	OpPath   = 2 // write a path
	OpRemove = 3 // forget whose a path is
)

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Destinations int64
	DstBits      int64
	Banks        int64
	Rows         int64
	PidBits      int64
	Anchors      int64
	LatBits      int64
	TimeBits     int64
	TagBits      int64
	AckLookup    string
	Baselines    string
	PathMemory   string
	PathLatency  bool
	CounterBits  int64

	StateProtection string

	Beta int64
}

// Ways in which ACKs read the tables.
const (
	Shared = "shared" // in cycles without a packet
	Own    = "own"    // in every cycle, from separate copies
)

// Baselines that rate control gets with an ACK.
const (
	Longest = "longest" // T, the longest of the destination's paths
	EachOf  = "paths"   // the baseline of each path
)

// Protection of the words that the control plane wrote against flipped bits.
const (
	None   = "none"
	Parity = "parity" // a word with a wrong bit is not used, and reported
)

// Default returns the configuration of the paper's FPGA prototype: 1,024
// destinations, 8,192 paths in 32 banks, 4 anchors (LAPS §III-H, §IV-C).
func Default() *Params {
	return &Params{
		Destinations: 1024, DstBits: 16, Banks: 32, Rows: 256, PidBits: 16, Anchors: 4,
		LatBits: 20, TimeBits: 32, TagBits: 16, AckLookup: Shared, Baselines: Longest, PathMemory: gen.Auto, CounterBits: 32, StateProtection: None,
		Beta: 1 << 15,
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
	return []gen.Field{
		{Key: "destinations", Group: structure, Unit: "destinations", Int: &p.Destinations, Min: 2, Max: 4096, Flag: true, SV: "DESTINATIONS",
			Doc:  "Destinations with a set of paths.",
			Cost: "BRAM: destinations × banks × (log2 rows + 1) bits, twice with ack_lookup own; a RAMB18 that marks destinations with a waiting probe",
			Ref:  "LAPS §III-C PST, §IV-C: 1,024"},
		{Key: "dst_bits", Group: structure, Unit: "bits", Int: &p.DstBits, Min: 1, Max: 24, SV: "DST_BITS",
			Doc:  "Width of the destination ports; numbers from destinations upwards are illegal and counted.",
			Cost: "about 2 LUT and 3 FF a bit",
			Ref:  "nicgen"},
		{Key: "banks", Group: structure, Unit: "banks", Int: &p.Banks, Min: 2, Max: 32, PowerOfTwo: true, Flag: true,
			Doc:  "Banks of the PIT. A destination has at most one path in each bank, so this is also the most paths that it can have.",
			Cost: "logic grows linearly; 2 RAMB18 a bank, 3 with ack_lookup own; one more with baselines paths",
			Ref:  "LAPS §III-H: 32 sub-tables"},
		{Key: "rows", Group: structure, Unit: "rows", Int: &p.Rows, Min: 2, Max: 2048, PowerOfTwo: true, Flag: true,
			Doc:  "Paths in a bank; there are banks × rows paths, and path number = bank × rows + row.",
			Cost: "none up to 512 rows",
			Ref:  "LAPS §IV-C: 8,192 paths"},
		{Key: "pid_bits", Group: structure, Unit: "bits", Int: &p.PidBits, Min: 2, Max: 24, SV: "PID_BITS",
			Doc:  "Width of the path number ports; numbers from banks × rows upwards are illegal and counted.",
			Cost: "about 1 LUT and 2 FF a bit",
			Ref:  "LAPS §III-B: 16"},
		{Key: "anchors", Group: structure, Unit: "anchors", Int: &p.Anchors, Min: 1, Max: 8, Flag: true,
			Doc:  "Anchors of a path, 32 bits each.",
			Cost: "BRAM or URAM: banks × rows × anchors × 32 bits",
			Ref:  "LAPS §III-B, §IV-C: 4"},
		{Key: "lat_bits", Group: structure, Unit: "bits", Int: &p.LatBits, Min: 8, Max: 24, Flag: true,
			Doc:  "Width of a latency in ns; all ones means that or longer: a dead path (20 bits: 1 ms).",
			Cost: "a bit a path in BRAM, in 36-bit words, and one in path_memory; about 40 FF and 12 LUT a bit",
			Ref:  "LAPS §III-C: 48"},
		{Key: "time_bits", Group: structure, Unit: "bits", Int: &p.TimeBits, Min: 16, Max: 48, Flag: true,
			Doc:  "Width of the time in ns; a path that no packet checks for more than 2^(time_bits-1) ns counts as fresh for as long again.",
			Cost: "BRAM: one bit a path, in 36-bit words; about 35 LUT a bit",
			Ref:  "LAPS §III-C: 48"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: 64, Flag: true, SV: "TAG_BITS",
			Doc:  "Width of the tags returned with a packet's path and with an ACK's lookup.",
			Cost: "about 4 LUT a bit",
			Ref:  "nicgen"},
		{Key: "ack_lookup", Group: structure, Enum: &p.AckLookup, Choices: []string{Shared, Own}, Flag: true,
			Doc:  "When ACKs read the tables for rate control: shared in cycles without a packet, own in every cycle.",
			Cost: "own: a copy of the PST and 1 RAMB18 a bank",
			Ref:  "LAPS §III-H"},
		{Key: "baselines", Group: structure, Enum: &p.Baselines, Choices: []string{Longest, EachOf}, Flag: true,
			Doc:  "Baselines that rate control gets with an ACK: longest: T of the destination, fixed when its set is committed; paths: baseVal of each path, by bank.",
			Cost: "paths: 1 RAMB18 a bank",
			Ref:  "LAPS Algorithm 2 line 4"},
		{Key: "path_memory", Group: structure, Enum: &p.PathMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for per-path records (anchors, destination, baseVal); auto: BRAM below 4,096 paths, URAM from 4,096.",
			Cost: "8,192 paths with 4 anchors: 40 RAMB36 or 6 URAM288",
			Ref:  "nicgen"},
		{Key: "path_latency", Group: structure, Bool: &p.PathLatency, Flag: true,
			Doc:  "Whether m_path_latency gives realVal of the chosen path, for loss detection.",
			Cost: "path_memory: banks × rows × lat_bits bits; about 2 LUT a bit",
			Ref:  "LAPS Algorithm 3 line 9"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "10 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "state_protection", Group: structure, Enum: &p.StateProtection, Choices: []string{None, Parity},
			Doc:  "Protection of the words that the control plane writes; parity: a word with a flipped bit is not used, and evt_corrupt_ reports its destination or path.",
			Cost: "parity: a memory bit for each word, and for each bank of a set; about 10 LUT and 5 FF a bank",
			Ref:  "nicgen"},

		{Key: "beta_factor", Group: runtime, Unit: "1/32768", Int: &p.Beta, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_beta",
			Doc: "Factor on the scale of every destination, UQ1.15: 32768 is 1. It applies to latencies written from then on.",
			Ref: "LAPS Equation 1, β"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if need := int64(sv.CLog2(p.Destinations)); p.DstBits < need {
		add("dst_bits", p.DstBits, fmt.Sprintf("at least %d for destinations %d", need, p.Destinations))
	}
	if need := int64(p.PathIdxBits()); p.PidBits < need {
		add("pid_bits", p.PidBits, fmt.Sprintf("at least %d for banks %d and rows %d", need, p.Banks, p.Rows))
	}
	if need := p.LatBits + 2; p.TimeBits < need {
		add("time_bits", p.TimeBits, fmt.Sprintf("at least %d with lat_bits %d", need, p.LatBits))
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "laps_paths" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "LAPS path tables: all candidates of a destination in a cycle, with ages and probes"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, §III-C to §III-E, Algorithm 1"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_laps_paths" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{
		"packet to candidates and probe": CandLatency, "pick to path and anchors": PathLatency,
		"route request to anchors": PathLatency, "ACK to rate control's operands": RateLatency,
	}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"packet", "no_path", "probe", "probe_wait", "ack", "answer", "stray", "config", "illegal", "not_ready"}

// ReadyDelay returns the number of cycles from a reset to sts_ready: one for each cleared row, one
// for the register of rst, and one more.
func (p *Params) ReadyDelay() int64 { return max(p.Destinations, p.Paths()) + 2 }

// Paths returns the largest number of paths: banks × rows.
func (p *Params) Paths() int64 { return p.Banks * p.Rows }

// BankBits returns the number of bits of a bank's number.
func (p *Params) BankBits() int { return sv.CLog2(p.Banks) }

// RowBits returns the number of bits of a row's number.
func (p *Params) RowBits() int { return sv.CLog2(p.Rows) }

// PathIdxBits returns the number of bits of a legal path number.
func (p *Params) PathIdxBits() int { return p.BankBits() + p.RowBits() }

// ScaleBits is the width of a scale: mantissa in the low bits, exponent above it.
const ScaleBits = MantissaBits + ExponentBits
