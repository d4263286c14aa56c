// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"encoding/binary"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	model "github.com/nicgen/nicgen/model/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes probes that are wanted, anchors, and records of frames in episodes, with back-pressure
// or without.
type stimulus struct {
	bench.Traffic
	p                     *params.Params
	x                     wires
	twin                  *golden
	want, care            []uint64
	probe, record         uint64 // chances in 1/256
	address, unset        uint64 // of addresses, and of none
	back, stray           uint64 // of anchors that were asked for, and not
	route, frame, answer  uint64 // of the ready of each
	answers, other, wrong uint64 // of an answer, of another kind of record, of a number that is not right
	bad                   uint64
	dsts                  int64 // that are chosen
	typ                   uint64
	junk                  bool // destinations without addresses
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	twin, err := newGolden(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x70726f62, params.NowBits), twin: twin,
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	s.Sweep = p.Destinations
	s.Start()
	return s, s.x.bind(p, l)
}

// episode chooses what the next some hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 100 + r.IntN(800)
	s.probe = bench.Pick[uint64](r, 0, 16, 64, 256)
	s.record = bench.Pick[uint64](r, 0, 32, 128, 256, 256)
	s.address = bench.Pick[uint64](r, 0, 16, 128, 256)
	s.unset = bench.Pick[uint64](r, 0, 16, 64)
	s.back = bench.Pick[uint64](r, 16, 128, 256)
	s.stray = bench.Pick[uint64](r, 0, 0, 32, 256)
	s.route = bench.Pick[uint64](r, 16, 128, 256, 256)
	s.frame = bench.Pick[uint64](r, 8, 128, 240, 256, 256)
	s.answer = bench.Pick[uint64](r, 8, 128, 240, 256, 256)
	s.answers = bench.Pick[uint64](r, 16, 128, 240)
	s.other = bench.Pick[uint64](r, 0, 16, 128)
	s.bad = bench.Pick[uint64](r, 0, 16, 64)
	s.wrong = bench.Pick[uint64](r, 0, 0, 16, 64)
	s.dsts = min(s.p.Destinations, bench.Pick[int64](r, 1, 2, 8, 1<<16))
	s.typ = bench.Pick(r, uint64(s.p.EtherType), uint64(s.p.EtherType), r.Bits()>>48)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.junk = r.IntN(4) == 0
	s.MayWrap(8)
	s.MayReset(s.Sweep+2000, 8)
}

// dst chooses a destination.
func (s *stimulus) dst(dice *bench.Dice) uint64 {
	r := s.Rng
	if end := int64(1) << s.p.DstBits; dice.Hit(s.wrong) && end > s.p.Destinations {
		return uint64(bench.Beyond(r.Bits(), s.p.Destinations, end))
	}
	return uint64(r.Int64N(s.dsts))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	s.Pass(func() { s.Now += r.Bits() >> (16 + r.IntN(40)) })
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{EtherType: s.typ})
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.route) {
		x.routeReady.Raise(in)
	}
	if dice.Hit(s.frame) {
		x.frameReady.Raise(in)
	}
	if dice.Hit(s.answer) {
		x.answerReady.Raise(in)
	}
	if dice.Hit(s.address) {
		s.addresses(in)
	} else if s.junk {
		x.tables.Fields(in, &params.Address{Dst: r.Bits()})
	}
	chance := s.stray
	if s.twin.at == wait {
		chance = s.back
	}
	if dice.Hit(chance) {
		var e params.Route
		for i := range s.p.Anchors {
			e.Anchors[i] = uint32(r.Bits() >> 20)
		}
		x.routes.Drive(in, &e)
	}
	if dice.Hit(s.probe) {
		again := bench.Dice(r.Bits())
		e := params.Wish{Dst: s.dst(&again)}
		e.Pid = r.Bits() >> 30
		x.wishes.Drive(in, &e)
	}
	if dice.Hit(s.record) {
		s.comes(in)
	}
	s.twin.f.Step(in, s.want, s.care)
}

// addresses writes the addresses of a destination.
func (s *stimulus) addresses(in []uint64) {
	x, r := &s.x, s.Rng
	dice := bench.Dice(r.Bits())
	dst := s.dst(&dice)
	if w := s.twin.wanted; len(w) > 0 && r.IntN(4) == 0 {
		dst = w[0].Dst
	}
	e := params.Address{Dst: dst, Set: !dice.Hit(s.unset)}
	e.Bytes[0] = r.Uint64()
	e.Bytes[1] = r.Bits() >> 20
	x.tables.Drive(in, &e)
}

// comes gives the record of a frame.
func (s *stimulus) comes(in []uint64) {
	x, r := &s.x, s.Rng
	dice := bench.Dice(r.Bits())
	m := model.Record{Subtype: 1, Type: params.Probe}
	if dice.Hit(s.answers) {
		m.Type = params.Answer
	}
	if dice.Hit(s.other) {
		m.Subtype = bench.Pick(r, 1, 1, 0, 2, 3, r.IntN(16))
		m.Type = r.IntN(4)
	}
	bad := dice.Hit(s.bad)
	path := r.Bits() & (1<<s.p.PidBits - 1)
	if dice.Hit(s.wrong) {
		path = r.Bits() >> 20
	}
	// A delay, or the time before now.
	delay := bench.Pick(r, r.Bits()>>44, r.Bits()>>44, -(r.Bits() >> 44), 1<<31-2+r.Bits()>>62, -(1<<31 - 2 + r.Bits()>>62),
		1<<r.IntN(params.NowBits), -(1 << r.IntN(params.NowBits)), r.Uint64())
	if m.Type == params.Probe {
		delay = s.Now - delay
	}
	binary.BigEndian.PutUint64(m.Body[:], path<<48|delay&s.Mask)
	e := params.Shim{Bad: bad, Subtype: uint64(m.Subtype), Type: uint64(m.Type), Body: binary.LittleEndian.Uint64(m.Body[:])}
	e.Addresses[0] = r.Uint64()
	e.Addresses[1] = r.Bits() >> 20
	x.shims.Drive(in, &e)
}
