// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes frames in episodes: of some lengths, with gaps or without, with commands that
// are legal or not. The bytes are random: the editor looks only at what it writes.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	beat, bad, cut, on uint64 // chances of a beat in a cycle, an illegal command, a cut frame, an edit, in 1/256
	length             int    // choice of UDP lengths
	fill               int    // choice of bytes
	left               int    // bytes of the frame that are still to come; 0: between frames
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x65646974, 0)}
	return s, s.x.bind(p, l)
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
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.left = 0
	}
	dice := bench.Dice(r.Bits())
	if !dice.Hit(s.beat) {
		return
	}
	var c params.Command
	if s.left == 0 {
		s.left = s.command(&c, &dice)
	} else if dice.Hit(64) { // commands count with the first beat only
		c.EVOn, c.EV, c.Lane = true, r.Bits(), 8
	}
	x.commands.Drive(in, &c)
	var b event.Beat
	for i := range b.Data {
		word := r.Bits() ^ r.Bits()>>32
		switch s.fill {
		case zeros:
			word = 0
		case ones:
			word = ^uint64(0)
		case sparse: // many bytes of zeros and ones
			word = event.Spread(word>>32) | event.Spread(word>>40)&word
		}
		b.Data[i] = word
	}
	n := min(s.left, params.KeepBits)
	b.Keep = ^uint64(0) >> (64 - n)
	s.left -= n
	b.Last = s.left == 0
	b.User = b.Last && dice.Hit(32)
	x.frames.Drive(in, &b)
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
func (s *stimulus) command(to *params.Command, dice *bench.Dice) int {
	r := s.Rng
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
			to.EVOn, to.Flow = true, true
		}
	}
	to.V6, to.Tags, to.Lane, to.UDPLen = c.V6, uint64(c.Tags), uint64(c.Lane), uint64(c.UDPLen)
	on := bench.Dice(r.Bits())
	for _, edit := range []*bool{&to.EVOn, &to.DSCPOn, &to.ECNOn, &to.BECNOn, &to.Ask, &to.UDPZero, &to.ICRC} {
		if on.Hit(s.on) {
			*edit = true
		}
	}
	if c.V6 && on.Hit(96) {
		to.Flow = true
	}
	// A value that is there already may be written, too.
	value := bench.Pick(r, r.Bits()>>20, 0, ^uint64(0))
	to.EV, to.DSCP, to.ECN, to.BECN = value, value>>20, value>>26, value>>28&1 != 0
	return size
}
