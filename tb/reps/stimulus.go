// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few
// connections that it favours, rates of events, and a way in which time passes;
// within it short scripts steer one connection into a corner.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	cycle int // of the episode

	pAck, pFail, pSend, pFlush uint64 // chances of an event in a cycle, in 1/256
	pECN, pInject, pSeed, pBad uint64
	base, num                  uint64
	timeout                    uint64
	mode                       uint64
	freezing                   bool
	flushing                   bool // a flush waits for its turn
	flushConn                  uint32
	flushPort                  uint8
	script                     []op
	scriptConn                 uint32
	hotPort                    uint8  // the NIC port of most events
	exit                       uint64 // exit time that the script's failure set
}

// noise makes other bits of bits that are used already.
const noise = 0x9e3779b97f4a7c15

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

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x72657073, p.TimerBits)}
	s.Sweep = 2*p.Rows() + 1
	s.Start()
	s.episode()
	return s, s.x.bind(p, l)
}

func (s *stimulus) conn() uint32 { return uint32(s.Rng.Int64N(s.p.Connections)) }

// episode draws the character of the next few hundred cycles.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(1000)
	s.Favour(p.Connections, 1, 1, 2, 3, 4, 8, 16)
	s.pAck = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pSend = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pFail = bench.Pick[uint64](r, 0, 2, 10, 60, 256)
	s.pFlush = bench.Pick[uint64](r, 0, 0, 1, 8, 64)
	s.pECN = bench.Pick[uint64](r, 0, 26, 128, 250)
	s.pInject = bench.Pick[uint64](r, 0, 64, 256)
	s.pSeed = bench.Pick[uint64](r, 0, 0, 4, 64)
	s.pBad = bench.Pick[uint64](r, 0, 0, 8)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	d := uint64(p.BufferDepth)
	s.num = bench.Pick(r, 0, 1, 2, d-1, d, d+1, 16, 255, 256, 512<<(s.Left%7), r.Uint64N(65536), uint64(p.NumPktsCwnd))
	top := s.Mask >> 1
	s.timeout = bench.Pick(r, 0, 1, 3, 8, 20, 100, 1000, top-1, top, r.Uint64()&top, uint64(p.FreezingTimeoutNS)&top)
	s.base = bench.Pick(r, 0, 0, 0xC000, r.Uint64N(1<<p.WireBits()), uint64(p.EVBase))
	s.mode = 0
	if r.IntN(4) == 0 {
		s.mode = r.Uint64()
	}
	s.freezing = r.IntN(8) != 0
	s.hotPort = uint8(r.Uint64N(uint64(p.NICPorts)))
	s.MayWrap(20)
	s.MayReset(max(5000, 8*p.Rows()), 6)
}

// scripts that lead one connection into a corner; each step is one cycle.
func (s *stimulus) compose() {
	r := s.Rng
	d := int(s.p.BufferDepth)
	uses := 1 // packets that use up an EV
	if s.p.Coalescing == params.Reuse {
		uses = int(s.p.Ratio)
	}
	s.scriptConn = s.conn()
	if len(s.Hot) > 0 {
		s.scriptConn = s.Hot[r.IntN(len(s.Hot))]
	}
	c := s.script[:0]
	rep := func(n int, o op) {
		for range n {
			c = append(c, o)
		}
	}
	gap := func() { rep(bench.Pick(r, 0, 0, 1, 2, 3, 5), opIdle) }
	fill := bench.Pick(r, 0, 1, 2, d-1, d, d+1, 2*d)
	rep(r.IntN(2), opFlush)
	gap()
	rep(fill, opAck)
	gap()
	rep(bench.Pick(r, 0, 0, fill/2, fill, fill*uses), opSend)
	gap()
	c = append(c, opFail)
	if r.IntN(3) == 0 {
		c[len(c)-1] |= bench.Pick(r, opSend, opAck, opAck|opSend, opFlush, opFlush|opSend)
	}
	gap()
	rep(bench.Pick(r, 0, 1, fill, fill+1, d+1, 2*d+1, fill*uses+1), opSend)
	gap()
	rep(bench.Pick(r, 0, 0, 1, 2), opAck|opExact)
	rep(bench.Pick(r, 0, 0, 1), opAck|opECN|opAfter)
	gap()
	c = append(c, opAck|opAfter)
	if r.IntN(3) == 0 {
		c[len(c)-1] |= bench.Pick(r, opSend, opFail, opFail|opSend)
	}
	gap()
	if r.IntN(4) == 0 {
		c = append(c, opFlush)
	}
	rep(bench.Pick(r, 0, 1, 2, 8, 20, 40, 300), bench.Pick(r, opSend, opSend|opAck))
	s.script = c
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.script = s.script[:0]
	}
	if len(s.script) == 0 && s.Rng.Bits()>>56 < 24 && s.SinceReset > 2*s.p.Rows() {
		s.compose()
	}
	s.settings(in)

	dice := bench.Dice(s.Rng.Bits())
	ack, fail, send := dice.Hit(s.pAck), dice.Hit(s.pFail), dice.Hit(s.pSend)
	flush, ecn := dice.Hit(s.pFlush), dice.Hit(s.pECN)
	inject, seed, bad := dice.Hit(s.pInject), dice.Hit(s.pSeed), dice.Hit(s.pBad)

	var conns [4]uint32 // ack, fail, send, flush
	scripted := len(s.script) > 0
	b := s.Target(conns[:], s.p.Connections)
	if scripted {
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
			s.Now = s.exit & s.Mask
		case o&opAfter != 0:
			s.Now = (s.exit + 1) & s.Mask
		}
		if o&opFail != 0 {
			s.exit = s.Now + s.timeout
		}
	}
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; bad && none > 0 {
		// A number that does not exist, if the port can carry one.
		how, word := s.Rng.Bits(), s.Rng.Bits()
		i := how >> 62
		conns[i] = uint32(bench.Beyond(word>>32, s.p.Connections, s.p.Connections+none))
		if how>>60&3 == 0 { // all lanes at once
			for j := range conns {
				conns[j] = uint32(bench.Beyond(word>>(8*j)&0xffffffff, s.p.Connections, s.p.Connections+none))
			}
		}
		flush = flush || i == 3 // flushes are rare
	}
	if flush && !s.flushing {
		s.flushing, s.flushConn, s.flushPort = true, conns[3], s.port(scripted, bad)
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	if ack {
		s.driveACK(in, conns[0], s.port(scripted, bad), ecn)
	}
	if fail {
		x.fails.Drive(in, &params.Fail{Conn: conns[1], Port: s.port(scripted, bad)})
	}
	if send {
		e := params.Send{Conn: conns[2], Port: s.port(scripted, bad), Inject: inject, Random: uint32(b * noise >> 40)} // random bits must not matter
		if inject {
			e.Random = uint32(s.Rng.Bits() >> 30)
		}
		x.sends.Drive(in, &e)
	}
	if s.flushing {
		// Held until the unit takes it: in a cycle without an ACK, once ready.
		x.flushes.Drive(in, &params.Flush{Conn: s.flushConn, Port: s.flushPort})
		if !ack || s.p.Coalescing == params.Carry {
			s.flushing = false
		}
	}
	if seed {
		x.seeds.Drive(in, &params.Seed{Word: uint32(s.Rng.Bits() >> 20)})
	}
	s.Pass(s.jumpOn)
}

// port draws the NIC port of an event: mostly the same one, sometimes any one, or a
// nonexistent one. A script stays on one.
func (s *stimulus) port(scripted, bad bool) uint8 {
	if scripted || s.p.NICPorts == 1 && !bad {
		return s.hotPort
	}
	if b := s.Rng.Bits(); b&3 == 0 || bad {
		return uint8(b >> 50)
	}
	return s.hotPort
}

// settings drives the configuration ports; now and then one changes in mid
// traffic.
func (s *stimulus) settings(in []uint64) {
	if s.Rng.Bits()>>54 == 0 {
		switch s.Rng.IntN(4) {
		case 0:
			s.num = s.Rng.Uint64N(20)
		case 1:
			s.freezing = !s.freezing
		case 2:
			s.timeout = s.Rng.Uint64N(64) & (s.Mask >> 1)
		case 3:
			s.mode ^= 1 << s.Rng.IntN(16)
		}
	}
	set := params.Settings{Freezing: s.freezing, Timeout: s.timeout, NumPkts: uint32(s.num), EVBase: uint32(s.base)}
	for i := range s.p.NICPorts {
		set.Mode[i] = uint8(s.mode >> (2 * i) & 3)
	}
	s.x.set.Drive(in, &set)
}

// driveACK drives an ACK with an EV, or with several.
func (s *stimulus) driveACK(in []uint64, conn uint32, port uint8, ecn bool) {
	b := s.Rng.Bits()
	ev := func() uint32 {
		e := s.Rng.Bits() >> 36
		if e>>24 != 0 { // nearly always one of the set
			e &= 1<<s.p.EVSBits - 1
		}
		return uint32((e + s.base) & (1<<s.p.WireBits() - 1))
	}
	if s.p.Coalescing != params.Carry {
		s.x.acks.Drive(in, &params.ACK{Conn: conn, Port: port, EV: ev(), ECN: ecn})
		return
	}
	n := int(s.p.Ratio)
	e := params.CarriedACK{Conn: conn, Port: port, Count: uint8(int(b&0xff) * (n + 1) >> 8)}
	if b>>8&7 == 0 {
		e.Count = 1<<s.p.RatioBits() - 1
	}
	for i := range n {
		e.EV[i] = ev()
	}
	if ecn {
		e.ECN = uint16(b >> 16)
	}
	s.x.carried.Drive(in, &e)
}

// jumpOn lets time go by, now and then to a moment that matters.
func (s *stimulus) jumpOn() {
	b := s.Rng.Bits()
	if b&15 == 0 {
		s.Now += s.timeout + b>>62 - 1
	} else {
		s.Now++
	}
}
