// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes packets received and ACKs in episodes: of few connections or all, with PSNs in order,
// again, or anywhere, marked or not; ACKs follow the packets, or ask for anything.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	data, ack, mark, shim, feedback, ready, flush uint64 // chances in 1/256
	again, stray, wrong                           uint64 // of PSNs that came before, of ACKs of none, of connections that do not exist
	conns                                         int64  // connections in favour
	packets, ns                                   uint64 // settings
	or                                            bool
	junk                                          bool              // connections without packets and ACKs
	next                                          map[uint64]uint64 // PSN by connection
	last                                          [16]struct{ conn, psn uint64 }
	flushing                                      uint64
	flushLeft                                     int // cycles in which the request stays at most
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x6563686f, p.TimerBits), next: map[uint64]uint64{}}
	s.Sweep = p.Ring*p.Connections + 2
	s.Start()
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r := s.Rng
	s.Left = 200 + r.IntN(1500)
	s.data = bench.Pick[uint64](r, 16, 96, 128, 200, 240, 256)
	s.ack = bench.Pick[uint64](r, 0, 16, 128, 256)
	s.mark = bench.Pick[uint64](r, 0, 8, 64, 128, 256)
	s.shim = bench.Pick[uint64](r, 0, 16, 128, 256)
	s.feedback = bench.Pick[uint64](r, 0, 128, 240, 256, 256)
	s.ready = bench.Pick[uint64](r, 0, 16, 128, 256, 256)
	s.flush = bench.Pick[uint64](r, 0, 0, 1, 4)
	s.again = bench.Pick[uint64](r, 0, 8, 64, 200)
	s.stray = bench.Pick[uint64](r, 0, 8, 64, 256)
	s.wrong = bench.Pick[uint64](r, 0, 0, 0, 16)
	s.conns = min(s.p.Connections, bench.Pick[int64](r, 1, 2, 8, 64, 1<<16))
	s.packets = bench.Pick(r, uint64(s.p.FeedbackPackets), 0, 1, 31, uint64(r.IntN(32)), uint64(r.IntN(32)), uint64(r.IntN(16)), uint64(r.IntN(16)))
	s.ns = bench.Pick(r, uint64(s.p.FeedbackNS), 0, uint64(r.IntN(100)), uint64(r.IntN(100)), uint64(r.IntN(1000)), 1<<(s.p.TimerBits-1)-1)
	s.or = r.IntN(2) == 0
	s.junk = r.IntN(4) == 0
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.MayReset(s.Sweep+20_000, 8)
}

// conn chooses a connection.
func (s *stimulus) conn(dice *bench.Dice) uint64 {
	r := s.Rng
	if dice.Hit(s.wrong) {
		return s.illegal()
	}
	return uint64(r.Int64N(s.conns))
}

// illegal is the number of a connection that does not exist, if there are any.
func (s *stimulus) illegal() uint64 {
	if s.p.Connections == 1<<s.p.ConnBits {
		return 0
	}
	return uint64(bench.Beyond(s.Rng.Bits(), s.p.Connections, 1<<s.p.ConnBits))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	s.Pass(func() {
		if r.IntN(64) == 0 {
			s.Now += bench.Pick(r, s.ns, s.ns-1, r.Bits())
		}
	})
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{ECNOr: s.or, FeedbackPackets: s.packets, FeedbackTime: s.ns})
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.ready) {
		x.fbReady.Raise(in)
	}
	idle := !s.junk && s.SinceReset < s.Sweep && r.IntN(16) != 0 // mostly few events come before the unit is ready
	if dice.Hit(s.data) && !idle {
		s.receive(in)
	} else if s.junk {
		x.datas.Fields(in, &params.Data{Conn: uint32(r.Bits())})
	}
	if dice.Hit(s.ack) && !idle {
		s.acknowledge(in)
	} else if s.junk {
		x.acks.Fields(in, &params.ACK{Conn: uint32(r.Bits())})
	}
	if s.flushLeft--; s.flushLeft < 0 && dice.Hit(s.flush) {
		again := bench.Dice(r.Bits())
		if s.flushing, s.flushLeft = s.conn(&again), r.IntN(8*int(s.p.Ring)); r.IntN(16) == 0 {
			s.flushing = s.illegal()
		}
	}
	if s.flushLeft >= 0 {
		x.flushes.Drive(in, &params.Flush{Conn: uint32(s.flushing)})
	}
}

// receive gives a packet received.
func (s *stimulus) receive(in []uint64) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	c := s.conn(&dice)
	psn := s.next[c]
	switch {
	case !dice.Hit(s.again):
		if psn++; r.IntN(256) == 0 {
			psn = bench.Pick(r, r.Bits(), psn+uint64(s.p.Ring), psn+uint64(s.p.Ring)<<s.p.TagBits)
		}
		s.next[c] = psn
	case r.IntN(2) == 0:
		psn -= uint64(r.IntN(4))
	default: // another lap of the same place
		psn += uint64(s.p.Ring) * uint64(1+r.IntN(3))
	}
	e := params.Data{Conn: uint32(c), PSN: psn, EV: uint32(r.Bits() >> 20), CE: dice.Hit(s.mark), Feedback: dice.Hit(s.feedback), Shim: dice.Hit(s.shim)}
	for i := range (s.p.ShimBits + 63) / 64 {
		e.Body[i] = r.Bits()
	}
	s.x.datas.Drive(in, &e)
	s.last[r.IntN(len(s.last))] = struct{ conn, psn uint64 }{c, psn}
}

// acknowledge gives an ACK: often of a packet that came lately, or in this cycle.
func (s *stimulus) acknowledge(in []uint64) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	l := s.last[r.IntN(len(s.last))]
	if r.IntN(4) == 0 {
		if d := s.x.datas.Of(in); d != nil {
			l.conn, l.psn = uint64(d.Conn), d.PSN
		}
	}
	switch {
	case dice.Hit(s.wrong):
		l.conn = s.conn(&dice)
	case dice.Hit(s.stray):
		l.psn = bench.Pick(r, l.psn+1, l.psn-uint64(s.p.Ring), l.psn+uint64(s.p.Ring), r.Bits())
	}
	s.x.acks.Drive(in, &params.ACK{Conn: uint32(l.conn), PSN: l.psn})
}
