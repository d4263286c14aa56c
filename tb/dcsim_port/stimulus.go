// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes: how many frames come, of which classes and lengths,
// how fast line and tokens are, and where the limits are.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	arrive, bad, ready uint64    // chances in a cycle, in 1/256
	share              [4]uint64 // of classes, of 256 in sum
	length             int       // choice of lengths
	stop               int       // cycles in which the line pauses still
	set                params.Settings
	next               uint64 // tag
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x64637074, 0)}
	return s, s.x.bind(p, l)
}

// Ways to choose a length.
const (
	shortest = iota
	short
	ends
	uniform
	kinds
)

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 100 + r.IntN(1500)
	s.arrive = bench.Pick[uint64](r, 8, 64, 120, 200, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 8, 64)
	s.ready = bench.Pick[uint64](r, 64, 200, 256, 256, 256, 256)
	s.share = bench.Pick(r, [4]uint64{64, 64, 64, 64}, [4]uint64{128, 0, 0, 128}, [4]uint64{118, 118, 12, 8}, [4]uint64{256, 0, 0, 0},
		[4]uint64{0, 0, 0, 256}, [4]uint64{0, 128, 128, 0}, [4]uint64{8, 8, 40, 200}, [4]uint64{2, 0, 254, 0})
	s.length = r.IntN(kinds)
	s.settings()
	s.MayReset(2000, 6)
}

// settings chooses run-time settings: fast lines, so that much happens in an episode.
func (s *stimulus) settings() {
	p, r := s.p, s.Rng
	const one = 1 << params.FractionBits
	s.set.LineRate = bench.Pick(r, uint64(p.LineRate()), 158875, 40*one, 42*one, 84*one-1, 500*one+r.Uint64()&0xfff, 1<<(params.RateBits+params.FractionBits)-1,
		4*one+r.Uint64()&0xfff, r.Uint64()&(1<<(params.RateBits+params.FractionBits)-1))
	s.set.Gap = bench.Pick(r, 0, 0, 20, 20, 255, r.Uint64()&255)
	most := uint64(1)<<p.TokenBits - 1
	s.set.TokenCost = max(1, min(most, bench.Pick(r, 1, 5, 67419, r.Uint64()&most, most)))
	s.set.TokenGain = max(1, min(s.set.TokenCost, bench.Pick(r, s.set.TokenCost, s.set.TokenCost/2, s.set.TokenCost-s.set.TokenCost/3, s.set.TokenCost/4, s.set.TokenCost/16, 1600, s.set.TokenCost/200)))
	s.set.Queue = bench.Pick(r, 1, 4, 12, 12, uint64(p.QueueDepth), 63, r.Uint64()&63)
	rows := uint64(p.DataRows())
	s.set.DataPackets = min(uint64(p.Descriptors)-1, bench.Pick(r, 1, 3, 24, rows, uint64(p.Descriptors)-1, r.Uint64()&63))
	bytes := uint64(1)<<p.ByteBits - 1
	s.set.DataBytes = min(bytes, bench.Pick(r, 64, 640, 15_000, 500_000, bytes, bytes, bytes, r.Uint64()&bytes))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	if r.Bits()>>54 == 0 { // in mid traffic
		s.settings()
	}
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.ready) && s.stop == 0 {
		x.ready.Raise(in)
	}
	if s.stop > 0 {
		s.stop--
	} else if r.Bits()>>55 == 0 { // the line pauses, perhaps for so long that tokens come
		s.stop = 1 + r.IntN(40)
	}
	if dice.Hit(s.arrive) {
		s.frame(in, dice.Hit(s.bad))
	}
	x.set.Drive(in, &s.set)
}

// frame is a descriptor.
func (s *stimulus) frame(in []uint64, bad bool) {
	r, most := s.Rng, uint64(s.p.MaxBytes)
	word := r.Bits()
	class, pick := uint64(0), word>>56
	for class < 3 && pick >= s.share[class] {
		pick -= s.share[class]
		class++
	}
	length := uint64(64)
	switch s.length {
	case short:
		length = 1 + word>>40&0xff%most
	case ends:
		length = bench.Pick(r, 1, 2, 63, 64, most-1, most)
	case uniform:
		length = 1 + r.Uint64N(most)
	}
	if class != 3 && word>>32&3 != 0 {
		length = 64
	}
	if bad {
		switch r.IntN(3) {
		case 0:
			class = uint64(bench.Beyond(word>>8&0xffffffff, 4, 1<<params.ClassBits))
		case 1:
			length = 0
		default:
			length = uint64(bench.Beyond(word>>8&0xffffffff, int64(most)+1, 1<<params.LengthBits))
		}
	}
	s.next++
	s.x.frames.Drive(in, &params.Frame{Class: class, Len: length, Tag: s.next * 0x9e3779b97f4a7c15 >> (64 - s.p.TagBits)})
}
