// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few connections
// that it favours, rates of events and marks, and a way in which time passes; each
// connection has a window of sequence numbers that slides.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	una, nxt []uint32 // by connection

	pACK, pRTO, pSend           uint64 // chances in a cycle, in 1/256
	pMark, pRound, pIdle, pOpen uint64
	pBad, pSame, pSeed          uint64
	pkts                        uint64 // the most of an ACK
	stride                      uint32 // by which windows move
	mode, fraction, target      uint64
	idle, forced, pause         uint64
	detector                    bool
	long                        bool // rounds last
	maxRTT, maxRounds           uint64
	maxPkts, maxPause           uint64
}

// fewConnections is a number of connections that are opened in so few cycles that resets
// are frequent.
const fewConnections = 4096

// tick is the unit of times.
const tick = 1 << params.TickBits

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{
		p: p, Traffic: bench.NewTraffic(seed, 0x706c62, p.TimerBits),
		una: make([]uint32, p.Connections), nxt: make([]uint32, p.Connections),
		maxRTT: 1<<p.RTTBits - 1, maxRounds: 1<<l.MustSlot("cfg_forced_rounds").Width - 1, maxPkts: 1<<p.PktsBits - 1, maxPause: 1<<p.PauseBits - 1,
	}
	s.Sweep = p.Connections + 2
	s.Start()
	return s, s.x.bind(p, l)
}

// episode draws the character of the next few hundred cycles.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(1000)
	s.Favour(p.Connections, 1, 1, 2, 3, 4, 8, 16)
	s.pACK = bench.Pick[uint64](r, 40, 128, 200, 256, 256)
	s.pRTO = bench.Pick[uint64](r, 0, 0, 1, 4, 16, 128)
	s.pSend = bench.Pick[uint64](r, 4, 16, 40, 128, 200, 256)
	s.pMark = bench.Pick[uint64](r, 16, 128, 128, 200, 240, 256, 256)
	s.pRound = bench.Pick[uint64](r, 2, 4, 40, 128, 220, 256)
	s.pIdle = bench.Pick[uint64](r, 0, 8, 64, 128, 256)
	s.pOpen = bench.Pick[uint64](r, 0, 64, 200)
	s.pBad = bench.Pick[uint64](r, 0, 0, 8, 96)
	s.pSame = bench.Pick[uint64](r, 0, 128, 256)
	s.pSeed = bench.Pick[uint64](r, 0, 0, 0, 8, 128)
	s.long = r.IntN(4) == 0
	s.pkts = bench.Pick(r, 1, min(2, s.maxPkts), s.maxPkts, s.maxPkts)
	s.stride = uint32(bench.Pick[uint64](r, 1, 3, 1500, 1<<20, 1<<28, 1<<29))
	s.mode = bench.Pick[uint64](r, 0, 0, 0, 0, 0, 1, 2, 3)
	s.detector = r.IntN(2) == 0
	const one = 1 << params.FractionOne
	s.fraction = bench.Pick(r, one/2, one/2, one/2, one/4, one*3/4, 0, 1, one, one+1, 1<<params.FractionBits-1, r.Uint64()&(one-1))
	s.target = bench.Pick(r, 0, s.maxRTT, s.maxRTT-1, r.Uint64()&s.maxRTT, uint64(p.TargetNS)&s.maxRTT)
	s.idle = min(s.maxRounds, bench.Pick(r, 0, 1, 2, 3, s.maxRounds, r.Uint64()&s.maxRounds))
	s.forced = min(s.maxRounds, bench.Pick(r, 0, 1, 2, 4, 12, s.maxRounds, r.Uint64()&s.maxRounds))
	s.pause = bench.Pick(r, 0, tick-1, tick, 3*tick, 20*tick, 1<<p.PauseBits/2, s.maxPause, r.Uint64()) & s.maxPause
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceRandom, bench.PaceJump, bench.PaceJump)
	if r.IntN(5) == 0 {
		s.worsen()
	}
	s.MayWrap(10)
	if len(s.Hot) > 0 && r.IntN(3) == 0 {
		// Sequence numbers close to where they, or their differences, change sign.
		for _, c := range s.Hot {
			s.nxt[c] = bench.Pick[uint32](r, 0, 1<<31) - uint32(r.IntN(4096))
			s.una[c] = s.nxt[c] - uint32(r.IntN(64))
		}
	}
	s.MayReset(max(5000, 8*p.Connections), 6)
}

// worsen makes an episode of congested rounds in a row: as many as are counted, and more.
func (s *stimulus) worsen() {
	const one = 1 << params.FractionOne
	r := s.Rng
	s.pACK, s.pRTO, s.pSend, s.pBad = 256, 0, bench.Pick[uint64](r, 4, 40, 128), 0
	s.pMark, s.pRound, s.long = 256, bench.Pick[uint64](r, 128, 220, 256), false
	s.mode, s.detector, s.pkts = params.ModePLB, false, s.maxPkts
	s.fraction = bench.Pick[uint64](r, one/2, one, 1)
	s.idle = bench.Pick(r, 0, s.maxRounds, s.maxRounds-s.maxRounds/4)
	s.forced = bench.Pick(r, 0, s.maxRounds, s.maxRounds-s.maxRounds/4, s.maxRounds/2+1)
	s.Pace = bench.PaceJump
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	s.change()

	dice := bench.Dice(s.Rng.Bits())
	ack, rto, send := dice.Hit(s.pACK), dice.Hit(s.pRTO), dice.Hit(s.pSend)
	bad, same, idle, open, seed := dice.Hit(s.pBad), dice.Hit(s.pSame), dice.Hit(s.pIdle), dice.Hit(s.pOpen), dice.Hit(s.pSeed)
	var conns [3]uint32 // ACK, RTO, SEND
	s.Target(conns[:], s.p.Connections)
	if same {
		conns[1], conns[2] = conns[0], conns[0]
	}
	window := conns[0]
	unsent := false
	if bad {
		b := s.Rng.Bits()
		if none := int64(1)<<s.p.ConnBits - s.p.Connections; none > 0 && b&3 != 0 {
			// A number that does not exist, if the port can carry one.
			c := uint32(bench.Beyond(b>>32, s.p.Connections, s.p.Connections+none))
			conns[b>>8%3] = c
			if b>>12&1 != 0 {
				conns = [3]uint32{c, c, c}
				ack, rto, send = true, true, true
			}
		} else {
			unsent = true
		}
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{
		Mode: s.mode, RTTDetector: s.detector, Fraction: s.fraction, Target: s.target, Idle: s.idle, Forced: s.forced, Pause: s.pause,
	})
	if ack {
		e := s.ack(window, unsent)
		e.Conn = conns[0]
		x.acks.Drive(in, &e)
	}
	if rto {
		x.rtos.Drive(in, &params.RTO{Conn: conns[1], Open: open})
	}
	if send {
		x.sends.Drive(in, &params.Send{Conn: conns[2], Idle: idle})
	}
	if seed {
		x.seeds.Drive(in, &params.Seed{Word: uint32(s.Rng.Bits() >> 16)})
	}
	s.Pass(s.jumpOn)
}

// ack moves the window of connection c on and returns what an ACK says of it.
func (s *stimulus) ack(c uint32, unsent bool) (e params.ACK) {
	b := s.Rng.Bits()
	dice := bench.Dice(b)
	mark, round := dice.Hit(s.pMark), dice.Hit(s.pRound)
	if step := uint32(b>>16&3) * s.stride; s.nxt[c]+step-s.una[c] < 1<<params.WindowBits {
		s.nxt[c] += step
	}
	if flight := s.nxt[c] - s.una[c]; round {
		s.una[c] = s.nxt[c]
	} else if b>>18&3 == 0 && !s.long {
		s.una[c] += flight / 2
	}
	e.UNA, e.NXT = s.una[c], s.nxt[c]
	if unsent {
		e.UNA = s.nxt[c] + uint32(bench.Pick[uint64](s.Rng, 1, 1, 1<<31, b>>40&(1<<31-1)+1, 3<<30, 3<<30-b>>40&(1<<30-1)))
	}
	e.Pkts = s.pkts
	switch b >> 20 & 7 {
	case 0:
		e.Pkts = 0
	case 1:
		e.Pkts = b >> 24 & s.maxPkts
	case 2:
		e.Pkts = min(e.Pkts, 1)
	}
	near := b >> 62
	e.RTT = s.target - min(s.target, near) // at the target, or little below
	if near == 3 {
		e.RTT = b >> 24 & s.maxRTT % (s.target + 1)
	}
	if mark {
		e.ECE = true
		if s.target < s.maxRTT {
			e.RTT = s.target + 1
			if near != 0 {
				e.RTT += b >> 24 % (s.maxRTT - s.target)
			}
		}
	}
	if s.detector && b>>48&3 == 0 { // the mark must not matter
		e.ECE = e.ECE || b>>50&1 != 0
	}
	if !s.detector && b>>48&3 == 0 {
		e.RTT = b >> 24 & s.maxRTT
	}
	return e
}

// change sets a setting anew now and then, in mid traffic.
func (s *stimulus) change() {
	b := s.Rng.Bits()
	if b>>55 != 0 {
		return
	}
	switch b & 7 {
	case 0:
		s.fraction = b >> 8 & (1<<params.FractionBits - 1)
	case 1:
		s.idle = b >> 8 & s.maxRounds
	case 2:
		s.forced = b >> 8 & s.maxRounds
	case 3:
		s.mode = b >> 8 & 3
	case 4:
		s.target = b >> 8 & s.maxRTT
	case 5:
		s.pause = b >> 8 & (8*tick - 1) & s.maxPause
	case 6:
		s.detector = !s.detector
	case 7:
		s.mode = params.ModePLB
	}
}

// jumpOn lets time go by, now and then by about a pause, or by anything.
func (s *stimulus) jumpOn() {
	switch b := s.Rng.Bits(); {
	case b&511 == 0:
		s.Now += b >> 8
	case b&255 == 32:
		s.Now -= s.pause/2 + b>>8%(s.pause+1)
	case b&31 == 0:
		s.Now += s.pause/2 + b>>8%(s.pause+1)
	case b&7 == 0:
		s.Now += 1 << params.TickBits
	default:
		s.Now += b >> 60
	}
}
