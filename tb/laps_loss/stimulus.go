// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has settings, a few paths
// that it favours, rates of events, what ACKs are like, and a way in which time
// passes. To make ACKs it remembers what it sent on the paths in favour.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	maxLatency uint64
	maxSeq     uint64

	hot                   []*flight // paths in favour
	pSend, pAck, pTake    uint64    // chances in a cycle, in 1/256
	stall                 int       // cycles in which the sender takes nothing, still to come
	pSkip, pLate, pBad    uint64    // chances of an ACK, in 1/256
	pAgain                uint64    // chance that a send repeats a segment
	burst                 int       // sends on one path still to come, then an ACK of the last
	burstPath             *flight
	burstAck              int
	crowd                 int        // cycles since the start of a crowd, from 1; 0: no crowd
	crowdGap              int        // cycles between its first two ACKs
	crowdPaths            [2]*flight // of these
	crowdThird            int64      // a number in their queue that is no path
	survey                int        // cycles since the start of a survey, from 1; 0: no survey
	surveyed              uint64     // the latency of most of its ACKs, or a latency that differs in one bit
	lag                   int        // no ACK of a path with so few segments on the way
	rtoMin, latency, jump uint64
	spread                bool // latencies of any size in one episode
	seq                   uint64
	flows                 uint64
}

// flight holds a path's outstanding segments, as far as the stimulus can know.
type flight struct {
	path uint32
	out  []model.Segment
	gone model.Segment // one that went
	due  uint64        // when the timer expires
}

// The stimulus' own ways in which time passes.
const (
	paceLeap = bench.PaceOwn + iota // seldom, but then by about a timeout
	paceAim                         // seldom, but then to a timer, or some power of two past it
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x6c6f7373, p.TimeBits)}
	s.Sweep = p.Paths
	s.maxLatency = 1<<p.LatBits - 1
	s.maxSeq = 1<<p.SeqBits - 1
	s.Start()
	s.episode()
	return s, s.x.bind(p, l)
}

// path chooses one, often one whose timer is about to be looked at.
func (s *stimulus) path() uint32 {
	n := s.p.Paths
	if s.Rng.IntN(2) == 0 {
		// A timer is read each ScanCycles, if none has expired.
		scan := int64(s.p.ScanCycles())
		next := max(0, s.SinceReset-n) / bench.Pick(s.Rng, scan, scan, scan+1, 8, 16)
		return uint32((next + s.Rng.Int64N(64)) % n)
	}
	return uint32(s.Rng.Int64N(n))
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.survey = 0
	if r.Int64N(max(64, p.Paths/20)) == 0 {
		s.checkTimer()
		return
	}
	s.Left = 64 + r.IntN(1000)
	old := s.hot
	s.hot = nil
	for range bench.Pick(r, 1, 1, 2, 3, 4, 8, 16, 64) {
		f := &flight{path: s.path()}
		for _, o := range append(old, s.hot...) {
			if o.path == f.path {
				f = o
			}
		}
		s.hot = append(s.hot, f)
	}
	s.pSend = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pAck = bench.Pick[uint64](r, 0, 40, 128, 200, 256)
	s.pTake = bench.Pick[uint64](r, 0, 10, 128, 256, 256)
	if s.stall == 0 && r.IntN(6) == 0 {
		s.stall = r.IntN(12 * int(p.LostQueue))
	}
	s.pSkip = bench.Pick[uint64](r, 0, 8, 64, 200)
	s.pLate = bench.Pick[uint64](r, 0, 8, 64, 128)
	s.pBad = bench.Pick[uint64](r, 0, 0, 16)
	s.pAgain = bench.Pick[uint64](r, 0, 16, 100)
	s.flows = bench.Pick[uint64](r, 1, 2, 1<<p.FlowBits)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump, paceLeap, paceAim)
	s.lag = 0
	if r.IntN(4) == 0 { // a stream in order on few paths, at full rate or close to it
		s.hot = s.hot[:min(len(s.hot), 1+r.IntN(3))]
		s.pSend, s.pAck = bench.Pick[uint64](r, 100, 200, 256), 256
		s.pTake, s.stall = 256, 0
		s.pSkip, s.pLate, s.pBad, s.pAgain = bench.Pick[uint64](r, 0, 0, 2), bench.Pick[uint64](r, 0, 0, 2), 0, 0
		s.lag = int(p.Depth) * bench.Pick(r, 1, 2, 3) / 4
	}
	if (s.Pace == paceLeap || s.Pace == paceAim) && r.IntN(2) == 0 { // quiet, so that timers get their turn
		s.pSend, s.pAck = bench.Pick[uint64](r, 0, 2), bench.Pick[uint64](r, 0, 2)
	}
	s.rtoMin = s.timeout(s.Mask>>2, uint64(p.RTOMinNS))
	s.latency = s.timeout(s.maxLatency, s.maxLatency)
	s.spread = s.Pace == paceAim && r.IntN(2) == 0
	if r.IntN(4) == 0 { // one bit decides which of the two counts
		s.rtoMin = (2*s.latency ^ 1<<r.IntN(int(p.TimeBits)-2)) & (s.Mask >> 2)
	}
	s.jump = max(s.rtoMin, 2*s.latency)
	s.seq = r.Uint64() & s.maxSeq
	s.MayWrap(20)
	s.MayReset(max(5000, 12*p.Paths), 6)
}

// checkTimer begins a survey, a long episode in which each timer has its turn: segments are sent on
// some paths, and an ACK comes back on each; nothing else happens, and the time is constant except
// for one step, to the timers that the ACKs have set, or one ns past them.
func (s *stimulus) checkTimer() {
	p, r := s.p, s.Rng
	s.hot = nil
	first := r.Int64N(p.Paths)
	for i := range min(p.Paths, 64) {
		s.hot = append(s.hot, &flight{path: uint32((first + i) % p.Paths)})
	}
	s.survey, s.Pace = 1, bench.PaceStill
	s.Left = 8*len(s.hot) + 500 + int(p.Paths)*p.ScanCycles()*9/8
	s.pSend, s.pAck, s.pTake = 256, 256, 256
	s.pSkip, s.pLate, s.pBad, s.pAgain = 128, 0, 0, 0
	s.lag, s.spread, s.flows = 0, false, 1<<p.FlowBits
	s.latency = r.Uint64() & s.maxLatency
	s.rtoMin = bench.Pick(r, 0, 0, s.latency, r.Uint64()&(s.Mask>>2))
	s.surveyed = s.latency
	s.jump = max(s.rtoMin, 2*s.latency) + r.Uint64N(2)
}

// timeout is a time of any size up to most.
func (s *stimulus) timeout(most, usual uint64) uint64 {
	r := s.Rng
	return min(most, bench.Pick(r, 0, 1, 20, 100, 1000, 5000, most, usual, r.Uint64()&most))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x := &s.x
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		if s.Rng.IntN(2) == 0 {
			for _, f := range s.hot {
				f.out = f.out[:0]
			}
		}
	}
	if s.Rng.Bits()>>54 == 0 { // a setting, in mid traffic
		s.rtoMin = s.timeout(s.Mask>>2, uint64(s.p.RTOMinNS))
	}
	dice := bench.Dice(s.Rng.Bits())
	send, ack := dice.Hit(s.pSend), dice.Hit(s.pAck)
	bad, take := dice.Hit(s.pBad), dice.Hit(s.pTake)
	again := dice.Hit(s.pAgain)
	if s.burst == 0 && s.burstAck == 0 && s.crowd == 0 && s.survey == 0 && s.lag == 0 && s.Rng.Bits()>>56 == 0 {
		s.compose()
	}
	b := s.Rng.Bits()
	from, to := s.hot[int(b&0xff)*len(s.hot)>>8], s.hot[int(b>>8&0xff)*len(s.hot)>>8]
	stray, last := int64(-1), false // the path of an ACK of nothing
	switch {
	case s.survey > 0:
		i, n := s.survey-1, len(s.hot)
		send, ack = i < 3*n, i >= 3*n+8 && i < 4*n+8
		from, to = s.hot[i%n], s.hot[max(0, i-8)%n]
		if i == 6*n+200 {
			s.Now = (s.Now + s.jump) & s.Mask
		}
		s.latency = s.surveyed
		if s.Rng.IntN(2) == 0 { // one bit of it is another
			s.latency ^= 1 << s.Rng.IntN(int(s.p.LatBits))
		}
		s.survey++
	case s.crowd > 0:
		send, bad, again = send && s.crowd > crowdAcks, false, false
		ack = s.crowd >= crowdAcks
		switch i := s.crowd - crowdAcks - s.crowdGap; {
		case s.crowd < crowdSends:
			from, send = s.crowdPaths[s.crowd&1], true
		case s.crowd == crowdAcks:
			to, last = s.crowdPaths[0], true
		case i < 0:
			ack = false
		case i == 0:
			to, last = s.crowdPaths[1], true
		case i < s.p.Slots()-1:
			stray = s.crowdThird
		case i == s.p.Slots()-1:
			to = s.crowdPaths[0]
		case i < s.p.Slots()+3: // ACKs of the other queues come when it is in the barrel
			ack = false
		case i < 4*s.p.Slots():
			stray = int64(b >> 18 & (1<<s.p.PidBits - 1))
			if (stray^s.crowdThird)&(s.p.AckQueues-1) == 0 {
				stray ^= 1
			}
		default:
			s.crowd = -1
		}
		s.crowd++
	case s.burst > 0: // fill a ring
		s.burst--
		from, send, bad, again = s.burstPath, true, false, false
		ack = ack && to != from
	case s.burstAck > 0: // and see what an ACK of a full one does
		s.burstAck--
		to, ack, bad = s.burstPath, s.burstAck == 0, false
		send = send && from != to
	}
	if s.lag > 0 {
		// An ACK that is not taken is not held here, and so gives a gap in the stream:
		// leave time now and then for the queues to run empty.
		pause := s.Left&255 < 100
		send = send && !pause && len(from.out) < int(s.p.Depth)
		ack = ack && !pause && len(to.out) > s.lag
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{RTOMin: s.rtoMin})
	if s.stall > 0 {
		s.stall--
		take = false
	}
	if take {
		x.lostReady.Raise(in)
	}
	none := int64(1)<<s.p.PidBits - s.p.Paths
	bad = bad && none > 0
	illegal := func() uint32 { return uint32(s.p.Paths + int64(s.Rng.Bits()>>32)%none) }
	if send {
		seg := model.Segment{Flow: uint32(s.Rng.Bits() >> 32 % s.flows), Seq: s.seq}
		s.seq = (s.seq + 1) & s.maxSeq
		if n := len(from.out); again && n > 0 {
			seg = from.out[s.Rng.IntN(n)]
		}
		e := params.Segment{PID: from.path, Flow: seg.Flow, Seq: seg.Seq, Latency: s.draw()}
		from.due = s.Now + max(s.rtoMin, 2*e.Latency)
		if bad && b>>16&1 == 0 {
			e.PID = illegal()
		} else if len(from.out) < int(s.p.Depth) {
			from.out = append(from.out, seg)
		}
		x.sends.Drive(in, &e)
	}
	if ack {
		if n := len(to.out); last && n > 1 {
			to.out[0], to.out = to.out[n-1], to.out[:1]
		}
		seg := to.gone
		if stray < 0 {
			seg = s.acknowledge(to)
		}
		e := params.Segment{PID: to.path, Flow: seg.Flow, Seq: seg.Seq, Latency: s.draw()}
		to.due = s.Now + max(s.rtoMin, 2*e.Latency)
		if stray >= 0 {
			e.PID = uint32(stray)
		} else if bad && b>>17&1 == 0 {
			e.PID = illegal()
		}
		x.acks.Drive(in, &e)
	}
	s.Pass(s.pass)
}

// Cycles of a crowd: sends on its two paths before the first, then the ACKs from the other on.
const crowdSends, crowdAcks = 12, 24

// gather begins a crowd: for a while all visits in the barrel are of one queue. On two paths an ACK
// skips segments; ACKs of no path fill the slots between them, then one comes that waits for the
// first path, and behind it ACKs of other queues. It reports whether there are such paths.
func (s *stimulus) gather() bool {
	r, queues := s.Rng, s.p.AckQueues
	queue := r.Int64N(queues)
	legal := (s.p.Paths - queue + queues - 1) / queues // paths of the queue
	none := 1<<s.p.PidBits/queues - legal              // and numbers that are none
	if legal < 2 || none < 1 {
		return false
	}
	first := r.Int64N(legal)
	second := (first + 1 + r.Int64N(legal-1)) % legal
	third := legal + r.Int64N(none)
	first, second, third = first*queues+queue, second*queues+queue, third*queues+queue
	s.crowd, s.crowdThird, s.crowdGap = 1, third, bench.Pick(r, s.p.Slots()-1, s.p.Slots()-1, 1+r.IntN(s.p.Slots()))
	s.crowdPaths = [2]*flight{s.flight(first), s.flight(second)}
	return true
}

// flight returns the stimulus' state of a path.
func (s *stimulus) flight(path int64) *flight {
	for _, f := range s.hot {
		if f.path == uint32(path) {
			return f
		}
	}
	return &flight{path: uint32(path)}
}

// compose begins a burst of sends that fills a ring, and an ACK after it.
func (s *stimulus) compose() {
	r := s.Rng
	if r.IntN(2) == 0 && s.gather() {
		return
	}
	s.burstPath = s.hot[r.IntN(len(s.hot))]
	s.burst = int(s.p.Depth) + r.IntN(4)
	if r.IntN(4) == 0 {
		s.burst = r.IntN(int(s.p.Depth))
	}
	s.burstAck = bench.Pick(r, 1, 2, 3, 5, 30)
}

// acknowledge chooses the segment of an ACK on path f, and takes it for gone.
func (s *stimulus) acknowledge(f *flight) model.Segment {
	b := s.Rng.Bits()
	n := len(f.out)
	switch {
	case s.flows == 1 && b>>40&15 == 0: // one that may be sent in a few cycles
		return model.Segment{Seq: (s.seq + b>>48&7) & s.maxSeq}
	case n == 0 || b&255 < s.pLate/2:
		return f.gone
	case b>>8&255 < s.pLate/2: // not this one
		seg := f.out[s.Rng.IntN(n)]
		if b>>16&1 == 0 {
			seg.Flow ^= 1
		} else {
			seg.Seq ^= 1 << (b >> 17 % uint64(s.p.SeqBits))
		}
		return seg
	}
	at := 0
	if b>>24&255 < s.pSkip || s.burstAck == 0 && f == s.burstPath && s.burst == 0 && b>>60 == 0 {
		at = bench.Pick(s.Rng, min(1, n-1), n-1, s.Rng.IntN(n), s.Rng.IntN(n))
	}
	seg := f.out[at]
	f.gone = f.out[s.Rng.IntN(at+1)]
	f.out = f.out[:copy(f.out, f.out[at+1:])]
	return seg
}

// draw returns a latency, mostly the episode's.
func (s *stimulus) draw() uint64 {
	if s.spread {
		return s.Rng.Bits() >> 32 & s.maxLatency >> s.Rng.IntN(int(s.p.LatBits))
	}
	switch b := s.Rng.Bits() >> 60; b {
	case 0:
		return s.Rng.Bits() >> 32 & s.maxLatency
	case 1:
		return 0
	case 2, 3:
		return min(s.latency+b, s.maxLatency)
	}
	return s.latency
}

// pass lets time go by in one of the ways in which what matters comes near: with
// bench.PaceJump now and then by about a timeout, or by anything.
func (s *stimulus) pass() {
	switch s.Pace {
	case bench.PaceJump:
		switch b := s.Rng.Bits(); {
		case b&511 == 0:
			s.Now += b >> 8
		case b&31 == 0:
			s.Now += s.jump + b>>62 - 1
		default:
			s.Now++
		}
	case paceLeap:
		if b := s.Rng.Bits(); b>>54 == 0 {
			s.Now += s.jump + b&3 - 1
		}
	case paceAim:
		if s.Rng.Bits()>>56 == 0 {
			s.aim()
		}
	}
}

// aim lets time go by up to the timer of a path in favour, so that one bit of it decides
// whether it has expired; and now and then a reset is to meet what comes of that.
func (s *stimulus) aim() {
	r := s.Rng
	ahead := (s.hot[r.IntN(len(s.hot))].due - s.Now) & s.Mask
	if ahead > s.Mask>>1 {
		return // it has expired before
	}
	s.Now += ahead + bench.Pick[uint64](r, 0, 1, 1<<r.IntN(int(s.p.TimeBits)-1), s.Mask>>1)
	if s.SinceReset > max(1000, 12*s.p.Paths) && r.IntN(64) == 0 {
		s.ResetIn = 1 + r.IntN(40)
	}
}
