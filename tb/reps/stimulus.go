// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"math/rand/v2"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
)

// stimulus makes random traffic in episodes. An episode has settings, a few
// connections that it favours, rates of events, and a way in which time passes;
// within it short scripts steer one connection into a corner.
type stimulus struct {
	p    *params.Params
	pins *pins
	rng  *rand.Rand
	fast uint64 // state of a small generator for the choices of every cycle

	cycle, left int    // of the episode
	reset       int    // cycles of reset still to come
	sinceReset  int64  // cycles
	now, mask   uint64 // time

	hot                        []uint32 // connections in favour
	pAck, pFail, pSend, pFlush uint64   // chances of an event in a cycle, in 1/256
	pECN, pInject, pSeed, pBad uint64
	step                       int // how time passes: one of the steps below
	base, num                  uint64
	timeout                    uint64
	mode                       uint64
	freezing                   bool
	flushing                   bool // a flush waits for its turn
	flushConn                  uint32
	script                     []op
	scriptConn                 uint32
	exit                       uint64 // exit time that the script's failure set
}

// How time passes from one cycle to the next.
const (
	stepClock  = iota // 3 ns, as at 322 MHz
	stepStill         // not at all
	stepOne           // 1 ns
	stepRandom        // 0 to 15 ns
	stepJump          // now and then to a moment that matters
	steps
)

// op is a step of a script on one connection.
type op uint8

const (
	opAck op = 1 << iota
	opFail
	opSend
	opFlush
	opECN   // the ACK is marked
	opExact // the time becomes the exit time
	opAfter // the time becomes one ns later than the exit time
	opIdle  = op(0)
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (*stimulus, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, pins: x, rng: rand.New(rand.NewPCG(seed, 0x72657073)), fast: seed*0x9e3779b97f4a7c15 | 1}
	s.mask = ^uint64(0) >> (64 - p.TimerBits)
	s.reset = 3
	s.sinceReset = 0
	s.now = s.rng.Uint64() & s.mask
	s.episode()
	return s, nil
}

// bits is a fast source of bits for the choices of a cycle.
func (s *stimulus) bits() uint64 {
	s.fast ^= s.fast << 13
	s.fast ^= s.fast >> 7
	s.fast ^= s.fast << 17
	return s.fast * 0x9e3779b97f4a7c15
}

func pick[T any](s *stimulus, from ...T) T { return from[s.rng.IntN(len(from))] }

func (s *stimulus) conn() uint32 { return uint32(s.rng.Int64N(s.p.Connections)) }

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.rng
	s.left = 64 + r.IntN(1000)
	s.hot = s.hot[:0]
	for range pick(s, 1, 1, 2, 3, 4, 8, 16) {
		s.hot = append(s.hot, s.conn())
	}
	if p.Connections > 1 && r.IntN(6) == 0 {
		s.hot = s.hot[:0] // all connections alike
	}
	s.pAck = pick[uint64](s, 0, 40, 128, 200, 256)
	s.pSend = pick[uint64](s, 0, 40, 128, 200, 256)
	s.pFail = pick[uint64](s, 0, 2, 10, 60, 256)
	s.pFlush = pick[uint64](s, 0, 0, 1, 8, 64)
	s.pECN = pick[uint64](s, 0, 26, 128, 250)
	s.pInject = pick[uint64](s, 0, 64, 256)
	s.pSeed = pick[uint64](s, 0, 0, 4, 64)
	s.pBad = pick[uint64](s, 0, 0, 8)
	s.step = r.IntN(steps)
	d := uint64(p.BufferDepth)
	s.num = pick(s, 0, 1, 2, d-1, d, d+1, 16, 255, 256, 305, r.Uint64N(65536), uint64(p.NumPktsCwnd))
	top := s.mask >> 1
	s.timeout = pick(s, 0, 1, 3, 8, 20, 100, 1000, top-1, top, r.Uint64()&top, uint64(p.FreezingTimeoutNS)&top)
	s.base = pick(s, 0, 0, 0xC000, r.Uint64N(65536), uint64(p.EVBase))
	s.mode = 0
	if r.IntN(4) == 0 {
		s.mode = r.Uint64()
	}
	s.freezing = r.IntN(8) != 0
	if r.IntN(20) == 0 { // close to the wrap
		s.now = (s.mask - r.Uint64N(min(3000, s.mask))) & s.mask
	}
	if s.sinceReset > max(5000, 8*p.Connections) && r.IntN(6) == 0 {
		s.reset = 1 + r.IntN(3)
	}
}

// scripts that lead one connection into a corner; each step is one cycle.
func (s *stimulus) compose() {
	r := s.rng
	d := int(s.p.BufferDepth)
	uses := 1 // packets that use up an EV
	if s.p.Coalescing == params.Reuse {
		uses = int(s.p.Ratio)
	}
	s.scriptConn = s.conn()
	if len(s.hot) > 0 {
		s.scriptConn = s.hot[r.IntN(len(s.hot))]
	}
	c := s.script[:0]
	rep := func(n int, o op) {
		for range n {
			c = append(c, o)
		}
	}
	gap := func() { rep(pick(s, 0, 0, 1, 2, 3, 5), opIdle) }
	fill := pick(s, 0, 1, 2, d-1, d, d+1, 2*d)
	rep(r.IntN(2), opFlush)
	gap()
	rep(fill, opAck)
	gap()
	rep(pick(s, 0, 0, fill/2, fill, fill*uses), opSend)
	gap()
	c = append(c, opFail)
	if r.IntN(3) == 0 {
		c[len(c)-1] |= pick(s, opSend, opAck, opAck|opSend, opFlush, opFlush|opSend)
	}
	gap()
	rep(pick(s, 0, 1, fill, fill+1, d+1, 2*d+1, fill*uses+1), opSend)
	gap()
	rep(pick(s, 0, 0, 1, 2), opAck|opExact)
	rep(pick(s, 0, 0, 1), opAck|opECN|opAfter)
	gap()
	c = append(c, opAck|opAfter)
	if r.IntN(3) == 0 {
		c[len(c)-1] |= pick(s, opSend, opFail, opFail|opSend)
	}
	gap()
	if r.IntN(4) == 0 {
		c = append(c, opFlush)
	}
	rep(pick(s, 0, 1, 2, 8, 20, 40, 300), pick(s, opSend, opSend|opAck))
	s.script = c
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := s.pins
	if s.left--; s.left < 0 {
		s.episode()
	}
	s.sinceReset++
	if s.reset > 0 {
		s.reset--
		s.sinceReset = 0
		x.rst.raise(in)
		s.script = s.script[:0]
	}
	if len(s.script) == 0 && s.bits()>>56 < 24 && s.sinceReset > 2*s.p.Connections {
		s.compose()
	}
	s.settings(in)

	b := s.bits()
	chance := func(p uint64) bool { // each call uses eight fresh bits
		hit := b&255 < p
		b >>= 8
		return hit
	}
	ack, fail, send := chance(s.pAck), chance(s.pFail), chance(s.pSend)
	flush, ecn := chance(s.pFlush), chance(s.pECN)
	inject, seed, bad := chance(s.pInject), chance(s.pSeed), chance(s.pBad)

	b = s.bits()
	var conns [4]uint32 // ack, fail, send, flush
	for i := range conns {
		if n := len(s.hot); n > 0 {
			conns[i] = s.hot[int(b&0xff)*n>>8]
			b >>= 8
		} else {
			conns[i] = uint32((s.bits() >> 40) * uint64(s.p.Connections) >> 24)
		}
	}
	if len(s.script) > 0 {
		o := s.script[0]
		s.script = s.script[1:]
		c := s.scriptConn
		use := func(bit op, on *bool, i int) {
			*on = o&bit != 0
			if *on {
				conns[i] = c
			}
		}
		use(opAck, &ack, 0)
		use(opFail, &fail, 1)
		use(opSend, &send, 2)
		use(opFlush, &flush, 3)
		ecn = o&opECN != 0
		bad = false
		s.freezing = true
		switch {
		case o&opExact != 0:
			s.now = s.exit & s.mask
		case o&opAfter != 0:
			s.now = (s.exit + 1) & s.mask
		}
		if o&opFail != 0 {
			s.exit = s.now + s.timeout
		}
	}
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; bad && none > 0 {
		// A number that does not exist, if the port can carry one.
		i := s.bits() >> 62
		conns[i] = uint32(s.p.Connections + int64(s.bits()>>32)%none)
		flush = flush || i == 3 // flushes are rare
	}
	if flush && !s.flushing {
		s.flushing, s.flushConn = true, conns[3]
	}
	x.now.put(in, s.now)
	if ack {
		x.ackValid.raise(in)
		x.ackConn.put(in, uint64(conns[0]))
		s.ackPayload(in, ecn)
	}
	if fail {
		x.failValid.raise(in)
		x.failConn.put(in, uint64(conns[1]))
	}
	if send {
		x.sendValid.raise(in)
		x.sendConn.put(in, uint64(conns[2]))
		if s.p.NICPorts > 1 || bad {
			x.sendPort.put(in, s.bits()>>50)
		}
		if inject {
			x.sendInject.raise(in)
			x.sendRandom.put(in, s.bits()>>30)
		}
	}
	if s.flushing {
		// Held until the unit takes it: in a cycle without an ACK, once ready.
		x.flushValid.raise(in)
		x.flushConn.put(in, uint64(s.flushConn))
		if !ack || s.p.Coalescing == params.Carry {
			s.flushing = false
		}
	}
	if seed {
		x.seedValid.raise(in)
		x.seedWord.put(in, s.bits()>>20)
	}
	s.pass()
}

// settings drives the configuration ports; now and then one changes in mid
// traffic.
func (s *stimulus) settings(in []uint64) {
	x := s.pins
	if s.bits()>>54 == 0 {
		switch s.rng.IntN(4) {
		case 0:
			s.num = s.rng.Uint64N(20)
		case 1:
			s.freezing = !s.freezing
		case 2:
			s.timeout = s.rng.Uint64N(64) & (s.mask >> 1)
		case 3:
			s.mode ^= 1 << s.rng.IntN(16)
		}
	}
	x.num.put(in, s.num)
	x.timeout.put(in, s.timeout)
	x.base.put(in, s.base)
	x.mode.put(in, s.mode)
	if s.freezing {
		x.freezing.raise(in)
	}
}

// ackPayload fills in the EV of an ACK, or those of a coalesced one.
func (s *stimulus) ackPayload(in []uint64, ecn bool) {
	x := s.pins
	b := s.bits()
	ev := func() uint64 {
		e := s.bits() >> 40
		if e>>20 != 0 { // nearly always one of the set
			e &= 1<<s.p.EVSBits - 1
		}
		return (e + s.base) & 0xffff
	}
	if s.p.Coalescing != params.Carry {
		x.ackEV.put(in, ev())
		if ecn {
			x.ackECN.raise(in)
		}
		return
	}
	n := int(s.p.Ratio)
	count := int(b&0xff) * (n + 1) >> 8
	if b>>8&7 == 0 {
		count = 1<<s.p.RatioBits() - 1
	}
	x.ackCount.put(in, uint64(count))
	for i := range n {
		setWord(x.ackEV, in, 16*i, 16, ev())
	}
	if ecn {
		setWord(x.ackECN, in, 0, n, b>>16)
	}
}

// pass lets time go by.
func (s *stimulus) pass() {
	switch s.step {
	case stepClock:
		s.now += 3
	case stepOne:
		s.now++
	case stepRandom:
		s.now += s.bits() >> 60
	case stepJump:
		b := s.bits()
		if b&15 == 0 {
			s.now += s.timeout + b>>62 - 1
		} else {
			s.now++
		}
	}
	s.now &= s.mask
}
