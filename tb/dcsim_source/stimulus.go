// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus is a network around the source: what the golden model would send is acknowledged or
// lost, and there are packets that nobody sent. It runs in episodes of some hundred cycles.
type stimulus struct {
	bench.Traffic
	p          *params.Params
	x          wires
	twin       *golden // a copy of the unit's state
	want, care []uint64

	pNew, pBadNew, pSIM, pData, pSeed, pStray, pEarly uint64 // chances in a cycle, in 1/256
	pSIMLost, pDataLost                               uint64
	count                                             uint64 // the largest of new DATAs; 0: the port's
	spread                                            uint64 // of answers; 0: at the last moment
	set                                               params.Settings

	simAcks, dataAcks []answer
	offered           bool // new DATAs wait to be taken
	fresh             params.NewData
	lastPort, lastTag uint64
}

// answer is a packet that is to come.
type answer struct{ at, name uint64 }

// pending bounds the answers that wait.
const pending = 4096

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	twin, err := newGolden(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, twin: twin, Traffic: bench.NewTraffic(seed, 0x64637369, 0),
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	s.Sweep = 1 << p.SweepBits()
	s.episode()
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 200 + r.IntN(1800)
	s.Favour(p.Flows, 1, 1, 2, 3, 8)
	s.pNew = bench.Pick[uint64](r, 4, 30, 128, 256)
	s.pBadNew = bench.Pick[uint64](r, 0, 0, 10)
	s.pSIM = bench.Pick[uint64](r, 4, 64, 200, 256, 256)
	s.pData = bench.Pick[uint64](r, 4, 64, 200, 256, 256)
	s.pSeed = bench.Pick[uint64](r, 0, 0, 2, 64)
	s.pStray = bench.Pick[uint64](r, 0, 4, 64)
	s.pEarly = bench.Pick[uint64](r, 0, 64, 256)
	s.pSIMLost = bench.Pick[uint64](r, 0, 8, 128, 250)
	s.pDataLost = bench.Pick[uint64](r, 0, 8, 128, 256)
	s.count = bench.Pick[uint64](r, 1, 2, 10, 0, 0)
	s.spread = bench.Pick[uint64](r, 0, 0, 1, 4, 32, 200)
	s.settings()
	s.MayReset(4000+8<<p.SweepBits(), 6)
}

// settings chooses run-time settings: short times, so that much happens in an episode.
func (s *stimulus) settings() {
	p, r := s.p, s.Rng
	half := uint64(1)<<(p.TimeBits-1) - 1
	// A little above a power of two: a comparison that leaves out that bit ends the wait at once.
	power := func() uint64 { return 1<<(9+r.Int64N(p.TimeBits-9)) + r.Uint64()&63 }
	s.set.RTTMax = max(8, min(half-64, bench.Pick(r, 8, 8+r.Uint64()&7, 20+r.Uint64()&63, 200+r.Uint64()&255, 3*uint64(p.Outstanding), r.Uint64()&half, power())))
	s.set.DataTimeout = max(8, min(half-64, bench.Pick(r, 8, 8+r.Uint64()&31, 60+r.Uint64()&127, 1000, 4*uint64(p.Copies), r.Uint64()&half, power())))
	s.set.SIMQueue = bench.Pick[uint64](r, 1, 4, 12, 12, 31, 32)
	most := uint64(1)<<p.TokenBits - 1
	s.set.TokenCost = min(most, bench.Pick(r, 1, 5, 67419, r.Uint64()&most, most))
	s.set.TokenCost = max(s.set.TokenCost, 1)
	s.set.TokenGain = max(1, min(s.set.TokenCost, bench.Pick(r, s.set.TokenCost, s.set.TokenCost/2, s.set.TokenCost-s.set.TokenCost/3, s.set.TokenCost/4, s.set.TokenCost/16, 1600, s.set.TokenCost/200)))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.simAcks, s.dataAcks = s.simAcks[:0], s.dataAcks[:0]
	}
	if r.Bits()>>53 == 0 { // in mid traffic
		s.settings()
	}
	now := s.twin.f.Cycle
	dice := bench.Dice(r.Bits())
	if !s.offered && dice.Hit(s.pNew) {
		var flow [1]uint32
		s.Target(flow[:], s.p.Flows)
		s.offered, s.fresh.Flow = true, uint64(flow[0])
		s.fresh.Count = 1 + r.Bits()>>32%max(1, s.count)
		if s.count == 0 {
			s.fresh.Count = bench.Pick(r, 255, r.Bits()>>56)
		}
		if dice.Hit(s.pBadNew) {
			if none := int64(1)<<s.p.FlowBits - s.p.Flows; none > 0 && r.IntN(2) == 0 {
				s.fresh.Flow = uint64(bench.Beyond(r.Bits()>>32, s.p.Flows, s.p.Flows+none))
			} else {
				s.fresh.Count = 0
			}
		}
	}
	if s.offered {
		x.news.Drive(in, &s.fresh)
	} else {
		x.news.Fields(in, &s.fresh)
	}
	if dice.Hit(s.pSIM) {
		x.simReady.Raise(in)
	}
	if dice.Hit(s.pData) {
		x.dataReady.Raise(in)
	}
	drive := x.seeds.Fields
	if dice.Hit(s.pSeed) {
		drive = x.seeds.Drive
	}
	drive(in, &params.Seed{Word: r.Bits() >> 40})
	chance := s.pStray
	if !s.twin.f.Ready() {
		chance = s.pEarly
	}
	stray := dice.Hit(chance)
	if port, ok := s.answer(&s.simAcks, now, stray, s.port); ok {
		x.simAcks.Drive(in, &params.SIMAck{Port: port})
	}
	stray = dice.Hit(chance)
	if tag, ok := s.answer(&s.dataAcks, now, stray, s.tag); ok {
		x.dataAcks.Drive(in, &params.DataAck{Tag: tag})
	}
	x.set.Drive(in, &s.set)
	s.watch(in, now)
}

// answer is the packet that comes in this cycle, or a stray one.
func (s *stimulus) answer(list *[]answer, now uint64, stray bool, other func() uint64) (name uint64, ok bool) {
	if stray {
		return other(), true
	}
	for i, a := range *list {
		if a.at <= now {
			*list = append((*list)[:i], (*list)[i+1:]...)
			return a.name, true
		}
	}
	return 0, false
}

// port is a port that a SIM-ACK should not name, or one of a SIM that is in flight.
func (s *stimulus) port() uint64 {
	r, t := s.Rng, &s.twin.s
	switch r.IntN(5) {
	case 0:
		if t.offered != nil {
			return t.m.Port(t.offered)
		}
	case 1:
		return s.lastPort
	case 2:
		if n := t.flight.len(); n > 0 {
			sim := *t.flight.words[r.IntN(n)].sim
			sim.Random ^= 1 << r.IntN(s.p.RandomBits())
			return t.m.Port(&sim)
		}
	case 3:
		if n := t.flight.len(); n > 0 {
			return t.m.Port(t.flight.words[r.IntN(n)].sim)
		}
	}
	return r.Uint64() & (1<<s.p.PortBits - 1)
}

// tag is the same for DATA-ACKs.
func (s *stimulus) tag() uint64 {
	r, t := s.Rng, &s.twin.s
	mask := uint64(1)<<s.p.TagBits - 1
	switch r.IntN(5) {
	case 0:
		return s.lastTag
	case 1:
		return (t.tail + uint64(r.IntN(3)) - 1) & mask
	case 2:
		return (t.closed() + uint64(r.IntN(3)) - 1) & mask
	case 3:
		return (t.closed() + uint64(s.p.Copies)*r.Uint64()) & mask
	}
	return r.Uint64() & mask
}

// watch sees a copy of the unit's state and takes with these inputs, and plans the answers.
func (s *stimulus) watch(in []uint64, now uint64) {
	x, r := &s.x, s.Rng
	s.twin.f.Step(in, s.want, s.care)
	if x.newReady.On(s.want) {
		s.offered = false
	}
	if a := x.simAcks.Of(in); a != nil {
		s.lastPort = a.Port
	}
	if a := x.dataAcks.Of(in); a != nil {
		s.lastTag = a.Tag
	}
	plan := func(list *[]answer, lost, span, name uint64) {
		dice := bench.Dice(r.Bits())
		if dice.Hit(lost) || len(*list) > pending {
			return
		}
		at := now + 1
		switch d := span - min(span, s.spread); r.IntN(8) {
		case 0:
		case 1:
			at += r.Uint64N(span + 4)
		case 2, 3:
			at = now + span
		case 4:
			at = now + span + 1
		default:
			at = now + d + r.Uint64N(s.spread+1)
		}
		*list = append(*list, answer{at, name})
		if r.Bits()>>59 == 0 {
			*list = append(*list, answer{at, name})
		}
	}
	if a := (params.SIM{}); x.simReady.On(in) && x.sims.Read(s.want, &a) {
		plan(&s.simAcks, s.pSIMLost, s.set.RTTMax, a.Port)
	}
	if a := (params.Data{}); x.dataReady.On(in) && x.datas.Read(s.want, &a) {
		plan(&s.dataAcks, s.pDataLost, s.set.DataTimeout, a.Tag)
	}
}
