// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes frames in episodes, each way: of some lengths, with gaps and with back-pressure or
// without, with shims that can be put in or taken out, or not.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	tx, rx, ready uint64 // chances of a beat each way, and of tready, in 1/256
	shim, bad     uint64 // of a shim, and of one that is not right
	broken        uint64 // of a beat whose tkeep breaks the rules
	lengths       int    // choice of lengths
	typ           uint64 // the setting
	left          int    // bytes of the frame to the network that are still to come
	frame         []byte // remaining bytes of the frame from the network
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x7368696d, 0)}
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 100 + r.IntN(800)
	s.tx = bench.Pick[uint64](r, 32, 128, 240, 256, 256)
	s.rx = bench.Pick[uint64](r, 32, 128, 240, 256, 256)
	s.ready = bench.Pick[uint64](r, 32, 128, 240, 256, 256)
	s.shim = bench.Pick[uint64](r, 0, 64, 200, 256, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 32, 128)
	s.broken = bench.Pick[uint64](r, 0, 0, 0, 0, 0, 0, 0, 32)
	s.lengths = r.IntN(4)
	s.typ = bench.Pick(r, uint64(s.p.EtherType), uint64(s.p.EtherType), r.Bits()>>48)
	s.MayReset(1000, 4)
}

// length chooses the length of a frame in bytes.
func (s *stimulus) length() int {
	r := s.Rng
	switch s.lengths {
	case 0:
		return 60 + r.IntN(5)
	case 1: // lengths at which a shim of either size adds or removes a beat
		n := params.DataBytes*(1+r.IntN(3)) + bench.Pick(r, 0, params.LAPSBytes, params.INTBytes, -params.LAPSBytes, -params.INTBytes) - 2 + r.IntN(5)
		return max(1, n)
	case 2:
		return 1 + r.IntN(130)
	default:
		return 60 + r.IntN(700)
	}
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.left, s.frame = 0, nil
	}
	x.set.Drive(in, &params.Settings{EtherType: s.typ})
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.ready) {
		x.outReady.Raise(in)
	}
	if dice.Hit(s.tx) {
		s.out(in, &dice)
	}
	if dice.Hit(s.rx) {
		dice = bench.Dice(r.Bits())
		s.in(in, &dice)
	}
}

// out gives a beat of a frame to the network. It does not wait for tready: a beat that is not taken is
// not of the frame.
func (s *stimulus) out(in []uint64, dice *bench.Dice) {
	x, r := &s.x, s.Rng
	if s.left == 0 {
		s.left = s.length()
	}
	var b event.Beat
	for i := range b.Data {
		b.Data[i] = r.Bits()
	}
	n := min(s.left, params.DataBytes)
	b.Keep = s.keep(n, dice)
	s.left -= n
	b.Last = s.left == 0
	b.User = dice.Hit(32)
	x.toShim.Drive(in, &b)
	shim := params.Shim{On: dice.Hit(s.shim)}
	if !shim.On { // a subtype does not ask for one
		shim.Subtype = uint64(*dice)
		x.shim.Drive(in, &shim)
		return
	}
	shim.Subtype = uint64(s.subtype(dice))
	word := r.Bits()
	shim.Type, shim.Count, shim.Next = word, word>>8, word>>16
	for i := range int(s.p.BodyBits()) / 32 {
		shim.Body[i/2] |= r.Bits() >> 32 << (i % 2 * 32)
	}
	x.shim.Drive(in, &shim)
}

// keep is tkeep of a beat of n bytes.
func (s *stimulus) keep(n int, dice *bench.Dice) uint64 {
	if dice.Hit(s.broken) {
		return bench.Pick(s.Rng, 0, s.Rng.Bits(), s.Rng.Bits()|s.Rng.Bits())
	}
	return ^uint64(0) >> (64 - n)
}

// subtype chooses one that is known, or another one.
func (s *stimulus) subtype(dice *bench.Dice) int {
	r := s.Rng
	if dice.Hit(s.bad) {
		return r.IntN(16)
	}
	switch s.p.Formats {
	case params.LAPSOnly:
		return params.LAPS
	case params.INTOnly:
		return bench.Pick(r, params.HPCC, params.INTMD)
	}
	return bench.Pick(r, params.LAPS, params.LAPS, params.HPCC, params.INTMD)
}

// in gives a beat of a frame from the network.
func (s *stimulus) in(in []uint64, dice *bench.Dice) {
	x, r := &s.x, s.Rng
	if len(s.frame) == 0 {
		s.frame = s.incoming(dice)
	}
	n := min(len(s.frame), params.DataBytes)
	var beat [params.DataBytes]byte
	copy(beat[:], s.frame)
	if n < len(beat) { // bytes that are not there may be anything
		word := r.Bits()
		for i := n; i < len(beat); i++ {
			beat[i] = byte(word >> (i % 8 * 8))
		}
	}
	b := event.Beat{Keep: s.keep(n, dice)}
	b.Put(beat[:])
	s.frame = s.frame[n:]
	b.Last = len(s.frame) == 0
	b.User = dice.Hit(32)
	x.fromLine.Drive(in, &b)
}

// incoming makes a frame from the network.
func (s *stimulus) incoming(dice *bench.Dice) []byte {
	r := s.Rng
	frame := make([]byte, s.length())
	for i := range frame {
		frame[i] = byte(r.Bits() >> 56)
	}
	if !dice.Hit(s.shim) {
		return frame
	}
	typ := uint16(s.typ)
	shim := model.Shim{Subtype: s.subtype(dice), Type: bench.Pick(r, model.Data, model.ACK, model.Data, model.ACK, model.Probe, model.Answer), Count: r.IntN(16), Next: r.IntN(16)}
	for i := range shim.Body {
		shim.Body[i] = byte(r.Bits() >> 56)
	}
	all := &params.Params{Formats: params.Both}
	frame, _ = model.Insert(all, frame, shim, typ)
	if !dice.Hit(s.bad) {
		return frame
	}
	switch r.IntN(3) {
	case 0: // it ends in the shim, or right behind it
		return frame[:min(len(frame), params.Addresses+2+r.IntN(params.INTBytes+4))]
	case 1: // a byte of the head is another one
		if at := params.Addresses + r.IntN(params.HeadBytes); at < len(frame) {
			frame[at] = byte(r.Bits() >> 56)
		}
	default: // another version
		if len(frame) > params.Addresses+2 {
			frame[params.Addresses+2] |= byte(64 << r.IntN(2))
		}
	}
	return frame
}
