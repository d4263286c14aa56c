// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

const saturated = params.DeadOctave << params.FractionBits // the lowest latency that is

// stimulus makes random requests in episodes. An episode has a rate, and latencies
// and usable paths of one kind; single requests depart from it.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	pPick   uint64 // chance of a request in a cycle, in 1/256
	pSeed   uint64
	pInject uint64
	seeds   int // words in a row still to come
	usable  uint32
	latency []uint64
	jitter  uint64        // bits of latency that differ from request to request
	picker  *model.Picker // of the lookup: where its paths meet
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x7069636b, 0), latency: make([]uint64, p.Paths)}
	if p.Picker == params.Lookup {
		s.picker = model.New(p)
	}
	s.episode()
	return s, s.x.bind(p, l)
}

// episode chooses what the next cycles are like.
func (s *stimulus) episode() {
	r, n := s.Rng, int(s.p.Paths)
	s.Left = 8 + r.IntN(200)
	s.pPick = bench.Pick[uint64](r, 20, 128, 256, 256, 256)
	s.pSeed = bench.Pick[uint64](r, 0, 0, 0, 4, 100)
	s.pInject = bench.Pick[uint64](r, 0, 64, 256)
	if r.IntN(8) == 0 {
		s.seeds = 30
	}
	all := uint32(1<<n - 1)
	switch r.IntN(4) {
	case 0:
		s.usable = r.Uint32() & all
	case 1:
		s.usable = all &^ 1
	case 2:
		s.usable = all &^ (1 << r.IntN(n)) &^ (1 << r.IntN(n))
	default:
		s.usable = all
	}
	s.jitter = bench.Pick[uint64](r, 0, 0, 1, 7, 0x3f, 0x1ff)
	base := r.Uint64N(saturated)
	low, high := base, min(base+r.Uint64N(20<<params.FractionBits), saturated-1)
	switch r.IntN(9) {
	case 0: // all equal
		base = bench.Pick(r, base, 0, saturated-1, 1<<params.FractionBits)
		low, high, s.jitter = base, base, 0
	case 1: // any
		low, high = 0, 1<<params.LatencyBits-1
	case 2: // all saturated
		low, high = saturated, 1<<params.LatencyBits-1
		s.jitter = 0
	case 3: // around saturation
		low, high = saturated-2, saturated+1
	case 4: // close together
		high = min(low+1<<params.FractionBits, saturated-1)
	case 5:
		low, high = 0, 3
	}
	for i := range s.latency {
		s.latency[i] = low + r.Uint64N(high-low+1)
	}
	switch r.IntN(4) {
	case 0: // one dominant
		i := r.IntN(n)
		s.latency[i] -= min(s.latency[i], (6+r.Uint64N(6))<<params.FractionBits)
	case 1: // two equal
		s.latency[r.IntN(n)] = s.latency[r.IntN(n)]
	case 2: // path 0 the best
		s.latency[0] = 0
	}
	s.MayReset(1000, 10)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	dice := bench.Dice(s.Rng.Bits())
	pick, seed, inject, odd := dice.Hit(s.pPick), dice.Hit(s.pSeed), dice.Hit(s.pInject), dice.Hit(16)
	if s.seeds > 0 {
		s.seeds--
		seed = true
	}
	if seed {
		x.seeds.Drive(in, &params.Seed{Word: uint16(s.Rng.Bits() >> 48)})
	}
	if !pick {
		return
	}
	e := params.Pick{Usable: s.usable}
	if odd { // a request with few usable paths
		e.Usable = 0
		if dice&3 != 0 {
			e.Usable = 1 << s.Rng.IntN(int(s.p.Paths))
		}
	}
	e.Tag = s.Rng.Bits()
	var noise uint64
	for i, d := range s.latency {
		if s.jitter != 0 {
			if i%6 == 0 {
				noise = s.Rng.Bits()
			}
			d ^= noise & s.jitter
			noise >>= 9
		}
		e.Latency[i] = uint16(d)
	}
	if e.Inject = inject && s.p.Inject; e.Inject {
		s.draw(&e)
	}
	x.picks.Drive(in, &e)
}

// draw chooses random bits: even ones, all zeros, all ones, or few of one kind; for a
// lookup also the first or last number of a path, for a race also noise about the tail's end.
func (s *stimulus) draw(e *params.Pick) {
	var random bench.Pin // the lowest bit of e.Random
	kind := s.Rng.IntN(8)
	if kind == 4 && s.picker != nil {
		first := 0.0
		for _, chance := range s.picker.Distribution(e.Usable, e.Latency[:s.p.Paths])[:s.Rng.IntN(int(s.p.Paths))] {
			first += chance
		}
		e.Random[0] = uint64(first*(1<<params.UniformBits)) - s.Rng.Bits()>>63
		return
	}
	if kind == 5 && s.picker == nil { // a race between two words of the tail, or its last and the first one behind it
		lanes, shape := int(s.p.Lanes()), s.p.Noise()
		at := bench.Pick(s.Rng, shape.TailWords, 1+s.Rng.IntN(shape.TailWords))
		for i := range lanes {
			addr := uint64(at - s.Rng.IntN(2))
			for j := range shape.AddrBits {
				random.PutBits(e.Random[:], j*lanes+i, 1, addr>>j)
			}
		}
		used := lanes * shape.AddrBits
		random.PutBits(e.Random[:], used, s.p.RandomBits()-used, s.Rng.Bits())
		return
	}
	for i := range (s.p.RandomBits() + 63) / 64 {
		w := s.Rng.Bits()
		switch kind {
		case 0:
			w = 0
		case 1:
			w = ^uint64(0)
		case 2:
			w &= s.Rng.Bits() & s.Rng.Bits()
		case 3:
			w |= s.Rng.Bits() | s.Rng.Bits()
		}
		e.Random[i] = w
	}
}
