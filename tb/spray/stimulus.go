// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// paceQuarters lets a quarter of the time pass as soon as it may.
const paceQuarters = bench.PaceOwn

// stimulus makes random traffic in episodes: a few hundred cycles with settings, a few
// connections that get the events, rates, and a way in which the time passes.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	ack, fail, send, flush, bad, same, inject, seed, ecn uint64 // chances in a cycle, in 1/256

	mode, evs, timeout, hash, base uint64
	maxTimeout                     uint64
	mix                            bool  // another mode in each cycle
	hold                           int64 // cycles to the next quarter
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{
		p: p, Traffic: bench.NewTraffic(seed, 0x7370726179, p.TimerBits),
		maxTimeout: 1<<(p.TimerBits-2) - 1,
	}
	s.Sweep = p.Entries() + 2
	s.Start()
	return s, s.x.bind(p, l)
}

// episode draws the character of the next few hundred cycles.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(1000)
	s.Favour(p.Connections, 1, 1, 2, 3, 4, 8)
	s.ack = bench.Pick[uint64](r, 0, 40, 256)
	s.fail = bench.Pick[uint64](r, 0, 16, 128)
	s.send = bench.Pick[uint64](r, 4, 16, 40, 128, 200, 256)
	s.flush = bench.Pick[uint64](r, 0, 0, 4, 40, 256)
	s.bad = bench.Pick[uint64](r, 0, 0, 8, 96)
	s.same = bench.Pick[uint64](r, 0, 128, 256)
	s.inject = bench.Pick[uint64](r, 0, 0, 64, 256)
	s.seed = bench.Pick[uint64](r, 0, 0, 8, 128)
	s.ecn = bench.Pick[uint64](r, 0, 64, 256)
	s.settings()
	s.mix = r.IntN(4) == 0
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump, bench.PaceJump, paceQuarters, paceQuarters)
	s.hold = 0
	if s.Pace == paceQuarters && p.Entries() <= 64 {
		s.Left += int(12 * p.Entries())
	}
	s.MayWrap(8)
	s.MayReset(max(3000, 6*p.Entries()), 6)
}

// settings draws all settings.
func (s *stimulus) settings() {
	r, most := s.Rng, uint64(1)<<s.p.EVSBits
	s.mode = bench.Pick[uint64](r, 0, 0, 0, 0x5555, 0xaaaa, 0xffff, 0xffff, 0xe4e4, r.Uint64())
	s.evs = bench.Pick(r, 1, 2, min(3, most), min(5, most), min(100, most), most, most, most-1, r.Uint64N(most)+1, 0, most+1, 2*most-1)
	s.timeout = min(s.maxTimeout, bench.Pick(r, 0, 1, 3, 9, 30, 1000, s.maxTimeout, s.maxTimeout, uint64(s.p.FlowletTimeoutNS), r.Uint64()&s.maxTimeout))
	if r.IntN(8) == 0 { // beyond what counts
		s.timeout = bench.Pick(r, s.maxTimeout+1, 2*s.maxTimeout+2, 4*s.maxTimeout+3, r.Uint64())
	}
	s.hash = r.Uint64()
	s.base = bench.Pick(r, 0, uint64(s.p.EVBase), r.Uint64())
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, p := &s.x, s.p
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
	}
	s.change()
	if s.mix {
		s.mode = s.Rng.Bits() >> 32
	}
	dice := bench.Dice(s.Rng.Bits())
	ack, fail, send, flush := dice.Hit(s.ack), dice.Hit(s.fail), dice.Hit(s.send), dice.Hit(s.flush)
	bad, same, inject, seed := dice.Hit(s.bad), dice.Hit(s.same), dice.Hit(s.inject), dice.Hit(s.seed)
	var conns [4]uint32 // ACK, failure, SEND, flush
	b := s.Target(conns[:], p.Connections)
	if same {
		conns[1], conns[2], conns[3] = conns[0], conns[0], conns[0]
	}
	var ports [4]uint64
	if p.NICPorts > 1 {
		w := s.Rng.Bits()
		for i := range ports {
			ports[i] = w >> (8 * i) & 0xff % uint64(p.NICPorts)
			if same && w>>40&1 == 0 {
				ports[i] = ports[0]
			}
		}
	}
	if bad {
		w := s.Rng.Bits()
		none := int64(1)<<p.ConnBits - p.Connections
		i := w >> 8 & 3
		switch {
		case none > 0 && w&3 != 0:
			c := uint32(bench.Beyond(w>>32, p.Connections, p.Connections+none))
			conns[i] = c
			if w>>12&1 != 0 {
				conns = [4]uint32{c, c, c, c}
				ack, fail, send, flush = true, w>>14&1 != 0, w>>13&1 != 0, true
			}
		default:
			ports[i] = w >> 16
		}
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	set := params.Settings{EVs: s.evs, Timeout: s.timeout, HashSeed: s.hash, Base: s.base}
	for i := range s.p.NICPorts {
		set.Mode[i] = uint8(s.mode >> (2 * i) & 3)
	}
	x.set.Drive(in, &set)
	if ack {
		e := bench.Dice(s.Rng.Bits() >> 50)
		x.acks.Drive(in, &params.ACK{Conn: uint64(conns[0]), Port: ports[0], EV: b, ECN: e.Hit(s.ecn)})
	}
	if fail {
		x.fails.Drive(in, &params.Fail{Conn: uint64(conns[1]), Port: ports[1]})
	}
	if send {
		x.sends.Drive(in, &params.Send{Conn: uint64(conns[2]), Port: ports[2], Word: s.Rng.Bits() >> 32, Inject: inject})
	}
	if flush {
		x.flushes.Drive(in, &params.Flush{Conn: uint64(conns[3]), Port: ports[3]})
	}
	if seed {
		x.seeds.Drive(in, &params.Seed{Word: uint32(s.Rng.Bits() >> 16)})
	}
	s.Pass(s.passOn)
}

// change sets a setting anew now and then, in mid traffic.
func (s *stimulus) change() {
	b := s.Rng.Bits()
	if b>>56 != 0 {
		return
	}
	was := *s
	s.settings()
	fresh := *s
	s.mode, s.evs, s.timeout, s.hash, s.base = was.mode, was.evs, was.timeout, was.hash, was.base
	switch b >> 8 & 7 {
	case 0, 1:
		s.mode = fresh.mode
	case 2, 3:
		s.evs = fresh.evs
	case 4, 5:
		s.timeout = fresh.timeout
	case 6:
		s.hash = fresh.hash
	case 7:
		s.base = fresh.base
	}
}

// passOn lets the time go by in jumps: of about the timeout, or of a quarter of its range
// as often as that may be, or now and then of anything.
func (s *stimulus) passOn() {
	b := s.Rng.Bits()
	quarter := uint64(1) << (s.p.TimerBits - 2)
	if s.Pace == paceQuarters {
		if s.hold--; s.hold < 0 {
			s.Now += quarter
			if b&3 == 0 {
				s.Now -= b >> 32 & 7 % quarter
			}
			s.hold = s.p.Entries() + int64(b>>4&7)
			if b>>8&31 == 0 {
				s.hold = int64(b >> 16 & 15)
			}
		} else if b&15 == 0 {
			s.Now += b >> 4 & 3
		}
		return
	}
	switch {
	case b&2047 == 0:
		s.Now += b >> 11
	case b&255 == 0:
		s.Now += quarter
	case b&7 == 0:
		s.Now += min(s.timeout, s.maxTimeout) + b>>8&3 - 1
	case b&7 == 1:
		s.Now += min(s.timeout, s.maxTimeout)/2 + b>>8&1
	case b&7 == 2:
		s.Now += b >> 60
	}
}
