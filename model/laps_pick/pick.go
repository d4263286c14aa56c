// SPDX-License-Identifier: Apache-2.0

// Package lapspick is the golden model of the LAPS path picker: the integers of
// the hardware, without clocks or ports.
//
// Latencies are octaves, UQ5.9: a path of latency d has a weight of 2^-d, and is picked with that
// weight's share of the sum over the usable paths. Latencies of 31 octaves and more are saturated:
// such a path is picked only if all usable paths are saturated, and then the one with the lowest
// number is.
package lapspick

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Result is the answer to one request.
type Result struct {
	Index     int  // the path, or 0
	None      bool // no path is usable
	Saturated bool // there are usable paths, but all are saturated
}

// Seen are details of a choice that coverage counts.
type Seen struct {
	Ties    uint32 // race: levels of the tree at which two keys were equal, the leaves' level at bit 0
	Spliced bool   // race: the winner's noise is of the smallest, spliced ones
	Lost    bool   // lookup: a path that is not dead has a weight of 0
}

// Picker is one picker with its random generator. New makes one. Random may be seeded, and
// Seen read, between choices.
type Picker struct {
	Random *Random
	Seen   Seen // origin of the last choice

	p      *params.Params
	shape  params.Noise
	noise  *Noise
	lanes  int
	levels int
	addr   [36]uint16 // of each lane in the noise, and some more
	keys   []uint32   // of each leaf of the tree
	weight []uint64
}

// New returns a picker in its state after reset; p must be valid, and is kept.
func New(p *params.Params) *Picker {
	m := &Picker{p: p, Random: NewRandom(p.RandomBits()), lanes: int(p.Lanes()), levels: p.Levels(),
		keys: make([]uint32, 1<<p.Levels()), weight: make([]uint64, 2<<p.Levels())}
	if p.Picker == params.Race {
		m.shape = p.Noise()
		m.noise = NewNoise(m.shape)
	}
	m.Reset()
	return m
}

// Reset is the hardware's reset.
func (m *Picker) Reset() { m.Random.Reset(uint64(m.p.RandomSeed)) }

// Dead reports whether a latency is saturated.
func Dead(latency uint16) bool { return latency>>params.FractionBits == params.DeadOctave }

// Pick chooses among the paths whose bit in usable is set, and lets the generator
// step; latency has an entry of UQ5.9 octaves for each path.
func (m *Picker) Pick(usable uint32, latency []uint16) Result {
	r := m.Choose(usable, latency, nil)
	m.Random.Step()
	return r
}

// Choose picks like Pick, without the step. Random bits come from the generator's state or, if
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
		return Result{Index: m.lookup(alive, latency, random.bits(0, params.UniformBits))}
	}
	return Result{Index: m.race(alive, latency, random)}
}

// race adds noise to each latency and lets the sums race, two by two. Bit j of the
// address of lane i is random bit j·lanes+i; the dither follows, then a bit for each
// level of the tree, from the leaves to the root: it decides where two are equal.
func (m *Picker) race(alive uint32, latency []uint16, random *words) int {
	at := m.lanes * m.shape.AddrBits
	m.addresses(random)
	dither := uint32(random.bits(at, m.shape.DitherBits))
	ties := random.bits(at+m.shape.DitherBits, m.levels)
	// The value that races is the key with the path's number below it. A bit between them is set in
	// the one of two that loses if keys are equal. A path that does not race has a key above all
	// others; of two such paths, either may win.
	const behind, never = 1 << 5, 1 << 31
	for i := range m.keys {
		key := uint32(never)
		if alive>>i&1 != 0 {
			key = m.noise.Key(uint32(latency[i]), uint32(m.addr[i]), uint32(m.addr[i^1]), dither) << 6
		}
		m.keys[i] = key | uint32(i)
	}
	for l, n := 0, len(m.keys)/2; n > 0; l, n = l+1, n/2 {
		second := uint32(ties) >> l & 1 // the second of two equal ones wins
		first := second * behind
		equal := uint32(0)
		for i := range n {
			a, b := m.keys[2*i], m.keys[2*i+1]
			if (a^b)>>6 == 0 {
				equal |= ^a
			}
			m.keys[i] = min(a|first, b|behind&^first) &^ behind
		}
		m.Seen.Ties |= equal >> 31 << l
	}
	index := int(m.keys[0] & (behind - 1))
	m.Seen.Spliced = int(m.addr[index]) < m.shape.TailWords
	return index
}

// addresses finds the address of each lane, four lanes at a time.
func (m *Picker) addresses(random *words) {
	for i := 0; i < m.lanes; i += 4 {
		var four uint64
		for j := range m.shape.AddrBits {
			four |= spread[random.bits(j*m.lanes+i, 4)] << j
		}
		for k := range 4 {
			m.addr[i+k] = uint16(four >> (16 * k))
		}
	}
}

// spread is a number of four bits with 16 bits between them.
var spread = func() (s [16]uint64) {
	for v := range s {
		for k := range 4 {
			s[v] |= uint64(v>>k&1) << (16 * k)
		}
	}
	return s
}()
