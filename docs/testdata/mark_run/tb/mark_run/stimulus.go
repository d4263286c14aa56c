// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes: a few hundred cycles with a threshold, a few
// connections that get the ACKs, and rates of ACKs and marks.
type stimulus struct {
	p    *params.Params
	pins *pins
	rng  *bench.Random

	left      int // cycles of the episode still to come
	reset     int // cycles of reset still to come
	since     int64
	threshold uint64
	conns     []uint64
	ack, mark uint64 // chances in a cycle, in 1/256
	bad       uint64
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	x, err := newPins(l)
	return &stimulus{p: p, pins: x, rng: bench.NewRandom(seed, 0x6d61726b), reset: 3}, err
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r, most := s.rng, uint64(1)<<s.p.RunBits-1
	s.left = 64 + r.IntN(800)
	s.threshold = bench.Pick(r, 0, 1, min(2, most), most, r.Uint64()&most, r.Uint64()&most&7)
	s.conns = s.conns[:0]
	for range bench.Pick(r, 1, 1, 2, 3, 8) {
		s.conns = append(s.conns, r.Uint64N(uint64(s.p.Connections)))
	}
	s.ack = bench.Pick[uint64](r, 16, 128, 256)
	s.mark = bench.Pick[uint64](r, 64, 128, 240, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 64)
	if s.since > 2000+8*s.p.Connections && r.IntN(4) == 0 {
		s.reset = 1 + r.IntN(3)
	}
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	if s.left--; s.left < 0 {
		s.episode()
	}
	s.since++
	if s.reset > 0 {
		s.reset--
		s.since = 0
		s.pins.rst.Raise(in)
	}
	s.pins.threshold.Put(in, s.threshold)
	b := s.rng.Bits()
	if b>>56 >= s.ack {
		return
	}
	conn := s.conns[b>>32&0xff*uint64(len(s.conns))>>8]
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; b>>48&0xff < s.bad && none > 0 {
		conn = uint64(bench.Beyond(s.rng.Bits()>>32, s.p.Connections, s.p.Connections+none))
	}
	s.pins.valid.Raise(in)
	s.pins.conn.Put(in, conn)
	if b>>40&0xff < s.mark {
		s.pins.ecn.Raise(in)
	}
}
