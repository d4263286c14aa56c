// SPDX-License-Identifier: Apache-2.0

// Package lapspick is the golden model of the LAPS path picker: the integers of
// the hardware, without clocks or ports.
//
// Latencies are octaves, UQ5.9: a path of latency d has a weight of 2^-d, and is
// picked with that weight's share of the sum over the usable paths. Those of 31
// octaves and more are saturated: such a path is picked only if all usable paths
// are saturated, and then the one with the lowest number is.
package lapspick

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Result is the answer to one request.
type Result struct {
	Index     int  // the path; 0 if there is none
	None      bool // no path is usable
	Saturated bool // there are usable paths, but all are saturated
}

// Seen are details of a choice that coverage counts.
type Seen struct {
	Ties    uint32 // race: levels of the tree, the leaves' at bit 0, at which two keys were equal
	Spliced bool   // race: the winner's noise is of the smallest, spliced ones
	Lost    bool   // lookup: a path that is not dead has a weight of 0
}

// Picker is one picker with its random generator. New makes one.
type Picker struct {
	Random *Random
	Seen   Seen // how the last choice came about

	p      *params.Params
	shape  params.Noise
	noise  *Noise
	lanes  int
	levels int
	keys   []uint32
	index  []int
	weight []uint64
}

// New returns a picker in its state after reset; p must be valid.
func New(p *params.Params) *Picker {
	m := &Picker{p: p, Random: NewRandom(p.RandomBits()), lanes: int(p.Lanes()), levels: p.Levels(),
		keys: make([]uint32, 1<<p.Levels()), index: make([]int, 1<<p.Levels()), weight: make([]uint64, 2<<p.Levels())}
	if p.Picker == params.Race {
		m.shape = p.Noise()
		m.noise = NewNoise(m.shape)
	}
	m.Reset()
	return m
}

// Reset is the hardware's reset.
func (m *Picker) Reset() { m.Random.Reset(uint64(m.p.RandomSeed)) }

// Dead tells of a latency that it is saturated.
func Dead(latency uint16) bool { return latency>>params.FractionBits == params.DeadOctave }

// Pick chooses among the paths whose bit in usable is set, and lets the generator
// step; latency has an entry of UQ5.9 octaves for each path.
func (m *Picker) Pick(usable uint32, latency []uint16) Result {
	r := m.Choose(usable, latency, nil)
	m.Random.Step()
	return r
}

// Choose is Pick without the step. Random bits come from the generator's state or, if
// it is not nil, from random: at least Params.RandomBits of them, bit 0 lowest in the
// first word.
func (m *Picker) Choose(usable uint32, latency []uint16, random []uint64) Result {
	m.Seen = Seen{}
	if random == nil {
		return m.choose(usable, latency, &m.Random.state)
	}
	var w words
	copy(w[:], random)
	return m.choose(usable, latency, &w)
}

func (m *Picker) choose(usable uint32, latency []uint16, random *words) Result {
	alive := uint32(0)
	for i, d := range latency {
		if !Dead(d) {
			alive |= 1 << i
		}
	}
	alive &= usable
	switch {
	case usable == 0:
		return Result{None: true}
	case alive == 0:
		return Result{Index: bits.TrailingZeros32(usable), Saturated: true}
	case m.p.Picker == params.Lookup:
		return Result{Index: m.lookup(alive, latency, random.field(0, 1, params.UniformBits))}
	}
	return Result{Index: m.race(alive, latency, random)}
}

// race adds noise to each latency and lets the sums race, two by two. Bit j of the
// address of lane i is random bit j·lanes+i; the dither follows, then a bit for each
// level of the tree, from the leaves to the root: it decides where two are equal.
func (m *Picker) race(alive uint32, latency []uint16, random *words) int {
	const never = ^uint32(0)
	at := m.lanes * m.shape.AddrBits
	dither := uint32(random.field(at, 1, m.shape.DitherBits))
	at += m.shape.DitherBits
	for i := range m.keys {
		m.keys[i], m.index[i] = never, i
		if alive>>i&1 != 0 {
			own := uint32(random.field(i, m.lanes, m.shape.AddrBits))
			partner := uint32(0)
			if own>>m.shape.SpliceBits == 0 {
				partner = uint32(random.field(i^1, m.lanes, m.shape.AddrBits))
			}
			m.keys[i] = m.noise.Key(uint32(latency[i]), m.noise.At(own, partner), dither)
		}
	}
	for l, n := 0, len(m.keys)/2; n > 0; l, n = l+1, n/2 {
		tie := random.bit(at+l) != 0
		for i := range n {
			from := 2 * i
			a, b := m.keys[from], m.keys[from+1]
			if a == b && a != never {
				m.Seen.Ties |= 1 << l
			}
			if b < a || tie && a == b {
				from++
			}
			m.keys[i], m.index[i] = m.keys[from], m.index[from]
		}
	}
	m.Seen.Spliced = random.field(m.index[0], m.lanes, m.shape.AddrBits)>>m.shape.SpliceBits == 0
	return m.index[0]
}
