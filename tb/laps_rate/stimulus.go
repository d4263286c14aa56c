// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few flows that
// it favours, rates of events, a range of latencies, and a way in which time passes;
// within it short scripts steer one flow into a corner.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	maxLat     uint64 // all ones
	maxRateBit uint64 // all ones

	pACK, pOpen, pBad uint64 // chances in a cycle, in 1/256
	pCongested        uint64
	scale             uint64
	few               bool // few paths are valid
	maxRate, minRate  uint64
	stages            uint64
	opening           bool // an opening waits for its turn
	openFlow          uint32
	script            []op
	scriptFlow        uint32
	changed           [2]uint64  // time to wait for after the script's last increase, and decrease
	ack               params.ACK // of this cycle
}

// op is a step of a script on one flow.
type op uint16

const (
	opDecrease op = 1 << iota // a congested ACK
	opIncrease                // an ACK that is not
	opOpen
	opNoPath
	opFar   // the time goes on far enough for any change
	opHalf  // the time goes on by half of its range, and a little
	opTurn  // the time goes on by nearly its range
	opExact // the time becomes the one to wait for
	opNext  // the time becomes one ns more than that
	opEdge  // the time becomes one of the last before the wrap
	opHalve // the largest rate becomes half of it, or a bit
	opIdle  = op(0)
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x72617465, p.TimeBits)}
	s.Sweep = p.Flows
	s.maxLat = 1<<p.LatBits - 1
	s.maxRateBit = 1<<p.RateBits - 1
	s.Start()
	s.episode()
	return s, s.x.bind(p, l)
}

func (s *stimulus) flow() uint32 { return uint32(s.Rng.Int64N(s.p.Flows)) }

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(1000)
	s.Favour(p.Flows, 1, 1, 2, 3, 4, 8, 16)
	s.pACK = bench.Pick[uint64](r, 20, 128, 220, 256)
	s.pOpen = bench.Pick[uint64](r, 0, 0, 2, 16, 100)
	s.pBad = bench.Pick[uint64](r, 0, 0, 8)
	if s.pBad > 0 && r.IntN(4) == 0 { // so often that their counter gets far
		s.pBad = 128
	}
	s.pCongested = bench.Pick[uint64](r, 10, 64, 128, 200, 250)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.scale = bench.Pick(r, 0, 1, 3, 3, 7, 31, 255, s.maxLat>>1, s.maxLat)
	s.few = r.IntN(3) == 0
	s.settings()
	s.MayWrap(20)
	s.MayReset(max(5000, 8*p.Flows), 6)
}

func (s *stimulus) settings() {
	r, p := s.Rng, s.p
	s.maxRate = max(1, bench.Pick(r, s.maxRateBit, uint64(p.MaxRate)&s.maxRateBit, r.Uint64()&s.maxRateBit, r.Uint64()&255, 64, 100, 1))
	s.minRate = bench.Pick(r, 1, s.maxRate/100, s.maxRate/7, s.maxRate/2+1, s.maxRate, s.maxRate+1, r.Uint64N(s.maxRate)) & s.maxRateBit
	s.stages = bench.Pick[uint64](r, 0, 1, 2, 5, 5, 6, 15, r.Uint64()&15)
}

// compose writes a script that leads one flow into a corner; each step is one cycle.
func (s *stimulus) compose() {
	r := s.Rng
	s.scriptFlow = s.flow()
	if len(s.Hot) > 0 {
		s.scriptFlow = s.Hot[r.IntN(len(s.Hot))]
	}
	c := s.script[:0]
	rep := func(n int, o op) {
		for range n {
			c = append(c, o)
		}
	}
	gap := func() { rep(bench.Pick(r, 0, 0, 0, 1, 2, 3, 4, 5), opIdle) }
	change := func() op { return bench.Pick(r, opDecrease, opIncrease) }
	switch r.IntN(9) / 2 {
	case 4: // across the wrap
		o := change()
		rep(1, o|opEdge)
		rep(2+r.IntN(6), o)
	case 0: // one change after the other, a few cycles apart
		for range 2 + r.IntN(8) {
			rep(1, bench.Pick(r, opDecrease|opFar, opIncrease|opFar, opDecrease, opIncrease, opOpen, opNoPath, opHalve|opFar|change()))
			gap()
		}
	case 1: // at the ends of intervals
		rep(r.IntN(2), opOpen)
		rep(r.IntN(2), change())
		for range 1 + r.IntN(4) {
			o := change()
			rep(1, o|opFar)
			gap()
			rep(r.IntN(3), bench.Pick(r, o, change()))
			rep(bench.Pick(r, 0, 1, 2), o|opExact)
			rep(bench.Pick(r, 0, 1, 2), o|opNext)
			gap()
		}
	case 2: // down to the bottom and up to the top
		rep(2+r.IntN(int(s.p.RateBits)+2), opDecrease|opFar)
		gap()
		rep(2+r.IntN(int(s.stages)+int(s.p.RateBits)), opIncrease|opFar)
	case 3: // idle for long
		o := change()
		rep(1, bench.Pick(r, o|opFar, opOpen))
		gap()
		rep(1, o|bench.Pick(r, opHalf, opTurn, opTurn))
		gap()
		rep(r.IntN(2), o|bench.Pick(r, opHalf, opTurn))
	}
	s.script = c
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.script = s.script[:0]
	}
	if len(s.script) == 0 && s.Rng.Bits()>>56 < 24 && s.SinceReset > s.p.Flows {
		s.compose()
	}
	if s.Rng.Bits()>>54 == 0 { // in mid traffic
		s.settings()
	}

	dice := bench.Dice(s.Rng.Bits())
	isACK, isOpen, bad, congested := dice.Hit(s.pACK), dice.Hit(s.pOpen), dice.Hit(s.pBad), dice.Hit(s.pCongested)
	noPath := dice&63 == 0

	var flows [2]uint32 // ACK, opening
	s.Target(flows[:], s.p.Flows)
	var o op
	scripted := len(s.script) > 0
	if scripted {
		o = s.script[0]
		s.script = s.script[1:]
		isACK, isOpen, bad = o&(opDecrease|opIncrease|opNoPath) != 0, o&opOpen != 0, false
		congested, noPath = o&opDecrease != 0, o&opNoPath != 0
		flows = [2]uint32{s.scriptFlow, s.scriptFlow}
		s.jump(o)
	}
	if none := int64(1)<<s.p.FlowBits - s.p.Flows; bad && none > 0 {
		// A number that does not exist, if the port can carry one.
		i := s.Rng.Bits() >> 32
		flows[i&1] = uint32(s.p.Flows + int64(s.Rng.Bits()>>32)%none)
		isOpen = isOpen || i&1 == 1 // openings are rare
	}
	if isOpen && !s.opening {
		s.opening, s.openFlow = true, flows[1]
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{Max: s.maxRate, Min: s.minRate, Stages: uint8(s.stages)})
	if isACK || s.Rng.Bits()>>62 == 0 { // else random data without a valid
		s.ack = params.ACK{}
		s.latencies(congested, noPath, scripted)
		if isACK {
			s.ack.Flow = flows[0]
			x.acks.Drive(in, &s.ack)
		} else {
			x.acks.Fields(in, &s.ack)
		}
	}
	if s.opening {
		// Held until the unit takes it: in a cycle without an ACK, once ready.
		x.opens.Drive(in, &params.Open{Flow: s.openFlow})
		s.opening = isACK
	}
	s.Pass(s.jumpOn)
}

// jump moves the time, and now and then the largest rate, as a script wants.
func (s *stimulus) jump(o op) {
	gate := 0
	if o&opDecrease != 0 {
		gate = 1
	}
	b := s.Rng.Bits()
	switch {
	case o&opFar != 0:
		s.Now += 2*s.maxLat + 1
	case o&opHalf != 0:
		s.Now += s.Mask>>1 + b>>60
	case o&opTurn != 0:
		s.Now += s.Mask - b%(4*s.maxLat+4)
	case o&opEdge != 0:
		s.Now = s.Mask - b>>60
	case o&opExact != 0:
		s.Now = s.changed[gate]
	case o&opNext != 0:
		s.Now = s.changed[gate] + 1
	}
	s.Now &= s.Mask
	if o&opHalve != 0 {
		s.maxRate = max(1, s.maxRate>>(b>>62))
		s.minRate = min(s.minRate, max(1, s.maxRate>>(b>>60&3)))
	}
}

// below is a number from 0 to n-1; n may be 0, and then it is 0.
func (s *stimulus) below(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	return s.Rng.Bits() >> 24 % n
}

// latencies draws the latencies of an ACK's paths.
func (s *stimulus) latencies(congested, noPath, scripted bool) {
	e, p, b := &s.ack, s.p, s.Rng.Bits()
	top := s.below(s.scale + 1) // T
	if b&15 == 0 {
		top = s.maxLat
	}
	pair := !scripted && b>>62 == 0
	if pair { // of any length
		top = b >> 24 & s.maxLat >> (b >> 44 % uint64(p.LatBits))
	}
	if congested {
		top = min(top, s.maxLat-1)
	}
	// t, often just at T or above it.
	least := top
	b >>= 4
	switch {
	case congested && b&3 == 0:
		least = top + 1
	case congested && b&31 == 1:
		least = s.maxLat
	case congested:
		least = top + 1 + s.below(min(s.maxLat-top, s.scale+1))
	case b&3 > 0 && !pair:
		least = s.below(top + 1)
	}
	spread := s.maxLat - least
	if b>>8&3 > 0 {
		spread = min(spread, s.scale)
	}
	if scripted { // so that the end of any interval is known
		spread = 0
		if congested {
			top = least - 1
			s.changed[1] = s.Now + 2*least
		} else {
			top = least
			s.changed[0] = s.Now + 2*least
		}
	}
	if p.Operands == params.ExtremesOp {
		if !noPath {
			e.Usable = 1
		}
		e.MinLatency = uint32(least)
		if p.Decrease == params.Most {
			e.MaxLatency = uint32(least + s.below(spread+1))
		}
		e.MaxBase = uint32(top)
		return
	}
	n, w := int(p.Paths), int(p.LatBits)
	valid := s.Rng.Bits()
	if s.few {
		valid &= s.Rng.Bits() & s.Rng.Bits()
	}
	if b>>10&7 == 0 {
		valid = ^uint64(0)
	}
	valid &= 1<<n - 1
	// The paths that have t and T.
	t, T := int(s.below(uint64(n))), int(s.below(uint64(n)))
	valid |= 1<<t | 1<<T
	if b>>13&7 == 0 {
		T = t
		valid = 1 << t
	}
	if pair { // t and another one, alone: each comparison of the trees decides now and then
		other := t ^ 1<<(b>>16%uint64(bits.Len(uint(n-1))))
		valid = (1<<t | 1<<other) & (1<<n - 1)
		if T = t; b>>20&1 == 0 && other < n {
			T = other
		}
	}
	for i := range n {
		c := s.Rng.Bits()
		real, base := least, top
		bit := uint64(1) << (c >> 8 % uint64(w))
		switch {
		case i == t || spread == 0 && !pair:
		case pair || c&7 == 0: // in one bit, or about that
			real = min(least+bit, s.maxLat)
		default:
			real += c >> 40 % (spread + 1)
		}
		switch {
		case i == T || scripted:
		case pair:
			base = top - min(bit, top)
		default:
			base = c & 0xffffffff % (top + 1)
		}
		if valid>>i&1 == 0 {
			real, base = c&s.maxLat, c>>32&s.maxLat
		}
		e.Latency[i], e.Base[i] = uint32(real), uint32(base)
	}
	if noPath {
		valid = 0
	}
	e.Usable, e.MaxBase = uint32(valid), uint32(top)
}

// jumpOn lets time go by, now and then by about an interval, or by anything.
func (s *stimulus) jumpOn() {
	switch b := s.Rng.Bits(); {
	case b&255 == 0:
		s.Now += b >> 8
	case b&15 == 0:
		s.Now += 2*(b>>32%(s.scale+1)) + b>>63
	default:
		s.Now++
	}
}
