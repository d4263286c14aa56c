// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes frames in episodes: of some lengths, with gaps or without, with commands that
// are legal or not. The bytes are random: the editor looks only at what it writes.
type stimulus struct {
	bench.Traffic
	p    *params.Params
	pins *pins

	beat, bad, cut, on uint64 // chances of a beat in a cycle, an illegal command, a cut frame, an edit, in 1/256
	length             int    // how UDP lengths are chosen
	fill               int    // what the bytes are
	left               int    // bytes of the frame that are still to come; 0: between frames
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	x, err := newPins(l)
	s := &stimulus{p: p, pins: x, Traffic: bench.NewTraffic(seed, 0x65646974, 0)}
	return s, err
}

// Ways to choose a UDP length.
const (
	shortest = iota
	twoBeats
	beats
	jumbo
	any16
	lengths
)

// Ways to fill bytes.
const (
	random = iota
	zeros
	ones
	sparse
)

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 100 + r.IntN(800)
	s.beat = bench.Pick[uint64](r, 32, 128, 240, 256, 256, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 16, 128)
	s.cut = bench.Pick[uint64](r, 0, 0, 16, 128)
	s.on = bench.Pick[uint64](r, 64, 128, 200, 256)
	s.length = bench.Pick(r, shortest, shortest, twoBeats, twoBeats, twoBeats, beats, beats, jumbo, any16)
	s.fill = bench.Pick(r, random, random, random, random, zeros, ones, sparse, sparse)
	s.MayReset(1000, 4)
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := s.pins, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.left = 0
	}
	dice := bench.Dice(r.Bits())
	if !dice.Hit(s.beat) {
		return
	}
	x.valid.Raise(in)
	if s.left == 0 {
		s.left = s.command(in, &dice)
	} else if dice.Hit(64) { // commands count with the first beat only
		x.evOn.Raise(in)
		x.ev.Put(in, r.Bits())
		x.lane.Put(in, 8)
	}
	for i := 0; i < params.DataBits; i += 64 {
		word := r.Bits() ^ r.Bits()>>32
		switch s.fill {
		case zeros:
			word = 0
		case ones:
			word = ^uint64(0)
		case sparse: // many bytes of zeros and ones
			word = spread(word>>32) | spread(word>>40)&word
		}
		x.data.PutBits(in, i, 64, word)
	}
	n := min(s.left, params.KeepBits)
	x.keep.Put(in, ^uint64(0)>>(64-n))
	s.left -= n
	if s.left == 0 {
		x.last.Raise(in)
		if dice.Hit(32) {
			x.user.Raise(in)
		}
	}
}

// spread makes a byte of each of eight bits.
func spread(bits uint64) (out uint64) {
	for i := range 8 {
		if bits>>i&1 != 0 {
			out |= 0xff << (8 * i)
		}
	}
	return out
}

// udpLen chooses a UDP length, in bytes, a multiple of 4 from 24 on.
func (s *stimulus) udpLen() int {
	r := s.Rng
	words := 6
	switch s.length {
	case shortest:
		words += r.IntN(3)
	case twoBeats:
		words += r.IntN(24)
	case beats:
		words += r.IntN(150)
	case jumbo:
		words += 2270 + r.IntN(10)
	case any16:
		words = bench.Pick(r, 16383, 16383-r.IntN(40), 6+r.IntN(16378), 6+r.IntN(1024), 6+r.IntN(1024), 6+r.IntN(1024))
	}
	return 4 * words
}

// command gives an edit command and returns the bytes of its frame.
func (s *stimulus) command(in []uint64, dice *bench.Dice) int {
	x, r := s.pins, s.Rng
	word := r.Bits()
	c := model.Command{V6: word>>63 != 0, Tags: int(word >> 40 % 3), UDPLen: s.udpLen()}
	c.Lane = (c.L4() - 2) / 4
	size := c.L4() + c.UDPLen
	if bad := dice.Hit(s.bad); dice.Hit(s.cut) { // too short, or padded
		size = bench.Pick(r, max(1, size-1-r.IntN(70)), 1+r.IntN(size), size-2, size+1+r.IntN(70))
	} else if bad {
		switch r.IntN(4) {
		case 0:
			c.Tags = 3
			if word>>50&1 != 0 {
				c.Lane = (c.L4() - 2) / 4 & 15
			}
		case 1:
			c.Lane = r.IntN(16)
		case 2:
			c.UDPLen = r.IntN(64)
		default:
			x.evOn.Raise(in)
			x.flow.Raise(in)
		}
	}
	if c.V6 {
		x.v6.Raise(in)
	}
	x.tags.Put(in, uint64(c.Tags))
	x.lane.Put(in, uint64(c.Lane))
	x.udpLen.Put(in, uint64(c.UDPLen))
	on := bench.Dice(r.Bits())
	for _, pin := range []*bench.Pin{&x.evOn, &x.dscpOn, &x.ecnOn, &x.becnOn, &x.udpZero, &x.icrc} {
		if on.Hit(s.on) {
			pin.Raise(in)
		}
	}
	if c.V6 && on.Hit(96) {
		x.flow.Raise(in)
	}
	// A value that is there already may be written, too.
	value := bench.Pick(r, r.Bits()>>20, 0, ^uint64(0))
	x.ev.Put(in, value)
	x.dscp.Put(in, value>>20)
	x.ecn.Put(in, value>>26)
	x.becn.Put(in, value>>28)
	return size
}
