// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few
// connections that it favours, rates of events, and a way in which time passes;
// within it short scripts steer one connection into a corner.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	maxRTT uint64

	pRTT, pTimeout, pFlush, pHigh uint64 // chances in a cycle, in 1/256
	pBad                          uint64
	threshold, window             uint64
	trimming                      bool
	flushing                      bool // a flush waits for its turn
	flushConn                     uint32
	script                        []op
	scriptConn                    uint32
	high                          uint64 // time of the script's last high RTT
}

// fewConnections is a number of connections that are emptied in so few cycles that resets
// are frequent.
const fewConnections = 4096

// op is a step of a script on one connection.
type op uint8

const (
	opHigh op = 1 << iota
	opLow
	opTimeout
	opFlush
	opExact // the time becomes one window after the last high RTT
	opNext  // the time becomes one ns more than that
	opTrim  // trimming is on
	opIdle  = op(0)
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x64657465, p.TimerBits)}
	s.Sweep = p.Connections + 2
	s.maxRTT = 1<<p.RTTBits - 1
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
	s.pRTT = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pTimeout = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pFlush = bench.Pick[uint64](r, 0, 0, 1, 8, 64, 200)
	s.pHigh = bench.Pick[uint64](r, 4, 64, 128, 250)
	s.pBad = bench.Pick[uint64](r, 0, 8, 96)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.threshold = bench.Pick(r, 0, 1, s.maxRTT, s.maxRTT-1, r.Uint64()&s.maxRTT, uint64(p.RTTThresholdNS)&s.maxRTT)
	s.window = bench.Pick(r, 0, 1, 3, 8, 20, 100, 1000, s.Mask>>1, s.Mask>>1+1, s.Mask-1, s.Mask, r.Uint64()&s.Mask, uint64(p.WindowNS)&s.Mask)
	s.trimming = r.IntN(8) == 0
	s.MayWrap(20)
	s.MayReset(max(5000, 8*p.Connections), 6)
}

// compose writes a script that leads one connection into a corner; each step is
// one cycle.
func (s *stimulus) compose() {
	r := s.Rng
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
	rep(r.IntN(2), opFlush)
	gap()
	rep(r.IntN(2), opTimeout)
	rep(1, opHigh|bench.Pick(r, opIdle, opIdle, opTimeout))
	gap()
	rep(bench.Pick(r, 0, 1, 2), opLow|bench.Pick(r, opIdle, opTimeout))
	gap()
	rep(bench.Pick(r, 0, 1), opTimeout|opTrim)
	rep(bench.Pick(r, 0, 1), opFlush|opTimeout)
	rep(bench.Pick(r, 0, 1), opHigh)
	gap()
	rep(bench.Pick(r, 0, 1, 2), opTimeout|opExact)
	rep(bench.Pick(r, 0, 1, 2), opTimeout|opNext)
	rep(bench.Pick(r, 0, 1), opHigh|opTimeout)
	s.script = c
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		s.script = s.script[:0]
	}
	if len(s.script) == 0 && s.Rng.Bits()>>56 < 24 && s.SinceReset > s.p.Connections {
		s.compose()
	}
	s.change()

	dice := bench.Dice(s.Rng.Bits())
	rtt, timeout, flush := dice.Hit(s.pRTT), dice.Hit(s.pTimeout), dice.Hit(s.pFlush)
	high, bad := dice.Hit(s.pHigh), dice.Hit(s.pBad)
	trimming := s.trimming

	var conns [3]uint32 // RTT, timeout, flush
	s.Target(conns[:], s.p.Connections)
	if len(s.script) > 0 {
		o := s.script[0]
		s.script = s.script[1:]
		bad, trimming = false, o&opTrim != 0
		high = o&opHigh != 0
		rtt, timeout, flush = o&(opHigh|opLow) != 0, o&opTimeout != 0, o&opFlush != 0
		conns = [3]uint32{s.scriptConn, s.scriptConn, s.scriptConn}
		switch {
		case o&opExact != 0:
			s.Now = (s.high + s.window) & s.Mask
		case o&opNext != 0:
			s.Now = (s.high + s.window + 1) & s.Mask
		}
		if high {
			s.high = s.Now
		}
	}
	if none := int64(1)<<s.p.ConnBits - s.p.Connections; bad && none > 0 {
		// A number that does not exist, if the port can carry one.
		i := s.Rng.Bits() >> 32
		conns[i%3] = uint32(bench.Beyond(s.Rng.Bits()>>32, s.p.Connections, s.p.Connections+none))
		if i>>8&1 != 0 {
			conns[0], conns[1] = conns[i%3], conns[i%3]
		}
		flush = flush || i%3 == 2 // flushes are rare
	}
	if flush && !s.flushing {
		s.flushing, s.flushConn = true, conns[2]
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{Trimming: trimming, Threshold: s.threshold, Window: s.window})
	if rtt {
		x.rtts.Drive(in, &params.RTT{Conn: conns[0], NS: s.rtt(high)})
	}
	if timeout {
		x.timeouts.Drive(in, &params.Timeout{Conn: conns[1]})
	}
	if s.flushing {
		// Held until the unit takes it: in a cycle without an RTT sample, once ready.
		x.flushes.Drive(in, &params.Flush{Conn: s.flushConn})
		s.flushing = rtt
	}
	s.Pass(s.jumpOn)
}

// change sets a setting anew now and then, in mid traffic.
func (s *stimulus) change() {
	if s.Rng.Bits()>>54 != 0 {
		return
	}
	switch s.Rng.IntN(3) {
	case 0:
		s.threshold = s.Rng.Uint64() & s.maxRTT
	case 1:
		s.window = s.Rng.Uint64N(64)
	case 2:
		s.trimming = !s.trimming
	}
}

// rtt is an RTT above or below the threshold, often close to it.
func (s *stimulus) rtt(high bool) uint64 {
	b := s.Rng.Bits()
	t := s.threshold
	var off uint64
	if b>>60 < 8 {
		off = b & 1
	} else {
		off = b & s.maxRTT
	}
	if high {
		if b>>56&15 == 0 {
			return s.maxRTT
		}
		return t + min(off, s.maxRTT-t)
	}
	return t - min(off+1, t)
}

// jumpOn lets time go by, now and then by about a window, or by anything.
func (s *stimulus) jumpOn() {
	switch b := s.Rng.Bits(); {
	case b&255 == 0:
		s.Now += b >> 8
	case b&15 == 0:
		s.Now += s.window + b>>62 - 1
	default:
		s.Now++
	}
}
