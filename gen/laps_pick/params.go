// SPDX-License-Identifier: Apache-2.0

// Package lapspick generates the LAPS path picker: the unit that chooses one of
// up to 32 paths at random, with chances that follow the Softmax of the paths'
// latencies.
//
// Source: Wan et al., "LAPS: Latency Aware Packet Spraying", §II-E, §III-E and
// §III-H. docs/units/laps_pick.md describes the unit.
package lapspick

import (
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Constants that follow from the design, not from a choice.
const (
	LatencyBits  = 14 // width of a latency
	FractionBits = 9  // of them fraction bits: UQ5.9 octaves
	DeadOctave   = 31 // latencies of this many octaves and more are saturated

	UniformBits = 24 // random bits of a pick by lookup
	WeightBits  = 18 // width of a weight of the lookup
)

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Paths       int64
	Picker      string
	NoiseMemory string
	TagBits     int64
	Inject      bool
	CounterBits int64
	RandomSeed  int64
}

// Pickers.
const (
	Race   = "race"   // noise is added to each latency; the smallest sum wins
	Lookup = "lookup" // weights by table, a random threshold below their sum
)

// LUT is the location of the race's noise if it is not in block RAM.
const LUT = "lut"

// Default returns the configuration of the paper's FPGA prototype: 32 paths, read from 32 banks
// (LAPS §III-H).
func Default() *Params {
	return &Params{Paths: 32, Picker: Race, NoiseMemory: gen.BRAM, TagBits: 16, CounterBits: 32, RandomSeed: 1}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const structure = "Structure"

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "paths", Group: structure, Unit: "paths", Int: &p.Paths, Min: 2, Max: 32, Flag: true,
			Doc:  "Paths to choose from.",
			Cost: "all logic grows linearly; latency by steps",
			Ref:  "LAPS §III-C PST, §III-H"},
		{Key: "picker", Group: structure, Enum: &p.Picker, Choices: []string{Race, Lookup}, Flag: true,
			Doc:  "How a path is chosen: race adds noise to each latency and takes the smallest; lookup computes weights from a table and compares their running sum with a random number.",
			Cost: "lookup: 2 DSP, no BRAM, nearly three times the LUTs and the latency of race",
			Ref:  "LAPS §III-E, Algorithm 1 lines 9-10"},
		{Key: "noise_memory", Group: structure, Enum: &p.NoiseMemory, Choices: []string{gen.BRAM, LUT}, Flag: true,
			Doc:  "Memory for the noise of the race; lut has fewer words and coarser keys, and is less exact. The lookup picker uses no noise.",
			Cost: "bram: 1 RAMB18 for two paths; lut: about 30 LUT a path, less what narrower keys save",
			Ref:  "nicgen"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: 64, Flag: true, SV: "TAG_BITS",
			Doc:  "Width of the tag returned with a pick.",
			Cost: "1 LUT a bit, as a shift register",
			Ref:  "nicgen"},
		{Key: "inject", Group: structure, Bool: &p.Inject, Flag: true,
			Doc:  "Whether a pick may bring its own random bits in place of the generator's.",
			Cost: "1 LUT for each random bit",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "3 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 0, Max: 1<<63 - 1, Flag: true,
			Doc:  "Seed from which the random generator's state after reset is expanded (SplitMix64).",
			Cost: "none",
			Ref:  "nicgen"},
	}
}

// Check applies the rules over several fields; this unit has no such rules.
func (p *Params) Check() []gen.Problem { return nil }

// Unit implements gen.Config.
func (p *Params) Unit() string { return "laps_pick" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "LAPS path picker: one of several paths at random, by the Softmax of their latencies"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, Algorithm 1"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_laps_pick" }

// CounterNames are the event counters, in port order.
var CounterNames = []string{"pick", "none", "saturated"}

// Levels returns the number of levels of a binary tree over the paths: log2, rounded up.
func (p *Params) Levels() int { return sv.CLog2(p.Paths) }

// IndexBits returns the width of a path's number.
func (p *Params) IndexBits() int { return p.Levels() }

// Lanes returns the number of paths that have noise: an even number, as two paths share a noise
// memory and each takes part of its noise from the other.
func (p *Params) Lanes() int64 { return (p.Paths + 1) &^ 1 }

// Noise is the shape of the race's noise and keys. The page explains it, and Noise.Word has the
// formulas.
type Noise struct {
	AddrBits     int // of a word of noise: random bits
	TailWords    int // the first TailWords words lie in one octave and are lowered by whole octaves
	FractionBits int // of a word of noise, and of a key
	DrawBits     int // bits of a word that are added below the key of the lane's partner
	DitherBits   int // random bits that are added below the keys of all lanes, if DrawBits is 0
	CellBits     int // words from number 64 are the same for 2^CellBits addresses
	Shift        int // offset subtracted from all noise, in 1/256 octave
}

// LowerBits is the width of the number of octaves by which a word is lowered.
const LowerBits = 4

// Noise returns the shape that noise_memory stands for.
func (p *Params) Noise() Noise {
	if p.NoiseMemory == LUT {
		return Noise{AddrBits: 9, TailWords: 16, FractionBits: 3, DitherBits: FractionBits - 3, CellBits: 3, Shift: 5}
	}
	return Noise{AddrBits: 10, TailWords: 70, FractionBits: 6, DrawBits: FractionBits - 6}
}

// WordBits returns the width of a word of noise.
func (n Noise) WordBits() int { return LowerBits + 5 + n.FractionBits + n.DrawBits }

// KeyBits returns the width of a key.
func (n Noise) KeyBits() int { return 6 + n.FractionBits }

// RandomBits returns the number of random bits for a pick: for the race an address in the noise for
// each lane, the dither, and a bit for each level of the tree; for the lookup UniformBits.
func (p *Params) RandomBits() int {
	if p.Picker == Lookup {
		return UniformBits
	}
	n := p.Noise()
	return int(p.Lanes())*n.AddrBits + n.DitherBits + p.Levels()
}

// PickLatency returns the number of cycles from a pick's request to its answer.
func (p *Params) PickLatency() int {
	if p.Picker == Lookup {
		return 2*p.Levels() + p.minStages() + 6
	}
	return p.Levels() + 2
}

// minStages returns the number of stages in which the lookup finds the smallest octave, two levels
// of the tree in each; weights take at least as long.
func (p *Params) minStages() int { return max(2, (p.Levels()+1)/2) }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"request to pick": p.PickLatency()} }
