// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has a few destinations and flows
// that it favours, rates of events, a range of latencies and a way in which time passes.
// Packets, ACKs and probes' answers belong together: it asks its own golden model for the
// unit's answers, and returns the ACKs of sent segments on their path. A control plane
// changes the tables meanwhile, in jobs that keep the rules.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	unit       cosim.Predictor // predicts the unit's answers
	want, care []uint64

	apart int64 // minimum distance of the next reset, so that counters reach high values

	dsts, flows                               []uint64 // that are favoured
	pPacket, pAck, pCfg, pRoute, pOpen, pSeed uint64   // chances in a cycle, in 1/256
	pTrack, pBad, pAnswer, pLostReady, pStray uint64
	pSkip                                     uint64
	lats                                      int
	beta, rtoMin                              uint64
	maxRate, minRate, stages                  uint64

	sets  [][]int32 // of the control plane: by destination and bank; rows
	owner []int32   // by path
	base  []uint64  // baseVal, by path
	jobs  []model.Change
	gone  []uint32 // paths that were taken from their destination lately
	empty []uint32 // paths, still to be removed, of a destination without a set

	seq         uint64
	sent        []segment // packets without a path as yet; flow is nobody of one that is not tracked
	tracked     []segment // those with a path, of which it is not yet known whether they were stored
	outstanding []segment
	probed      []uint64
	timers      map[uint64]timer // by path
	full        bool             // a ring was, since the last time that all was acknowledged

	ack      *ack
	answer   *ack
	routePid uint64
	routing  bool
	openFlow uint64
	opening  bool
}

// ack is an ACK or a probe's answer that is offered.
type ack struct {
	segment
	delay uint64
	long  bool // it is too long by one bit
}

// timer is a path's timer in the loss detector, as far as the stimulus can know.
type timer struct{ latency, due uint64 }

// The stimulus' own ways in which time passes.
const (
	paceAim = bench.PaceOwn + iota // seldom, but then to a timer of the loss detector, or some power of two past it
)

// Ranges of latencies.
const (
	latTiny  = iota // a few ns: paths expire all the time
	latAny          // any
	latLarge        // about half of the longest: doubling saturates
	latMix
	latKinds
)

// resetsBelow is the number of cycles that a reset may take for one to come in the
// middle of traffic.
const resetsBelow = 12_000

// mostOutstanding is the number of segments that the stimulus remembers: more than the
// rings of its few destinations hold.
const mostOutstanding = 4096

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x6c617073_70697065, p.Tables.TimeBits), want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	s.Sweep = p.ReadyDelay()
	var err error
	if s.unit, err = newPredictor(p, l, true); err != nil {
		return nil, err
	}
	s.sets = make([][]int32, p.Tables.Destinations)
	for i := range s.sets {
		s.sets[i] = make([]int32, p.Tables.Banks)
	}
	s.owner = make([]int32, p.Tables.Paths())
	s.base = make([]uint64, p.Tables.Paths())
	s.forget()
	s.apart = 1
	s.Start()
	s.episode()
	return s, s.x.bind(p, l)
}

// forget applies a reset to all models of the stimulus.
func (s *stimulus) forget() {
	for _, set := range s.sets {
		for b := range set {
			set[b] = -1
		}
	}
	for i := range s.owner {
		s.owner[i] = -1
	}
	s.jobs, s.gone, s.empty, s.sent = s.jobs[:0], s.gone[:0], s.empty[:0], s.sent[:0]
	s.tracked, s.outstanding, s.probed = s.tracked[:0], s.outstanding[:0], s.probed[:0]
	s.ack, s.answer, s.routing, s.opening = nil, nil, false, false
	s.timers, s.full = map[uint64]timer{}, false
}

func (s *stimulus) dst() uint64 { return bench.Pick(s.Rng, s.dsts...) }

func (s *stimulus) flow() uint64 { return bench.Pick(s.Rng, s.flows...) }

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(900)
	if len(s.dsts) == 0 || r.IntN(4) == 0 {
		s.dsts, s.flows = s.dsts[:0], s.flows[:0]
		for range bench.Pick(r, 1, 1, 2, 4) {
			s.dsts = append(s.dsts, uint64(r.Int64N(p.Tables.Destinations)))
		}
		for range bench.Pick(r, 1, 2, 5) {
			s.flows = append(s.flows, uint64(r.Int64N(p.Rate.Flows)))
		}
	}
	s.pPacket = bench.Pick[uint64](r, 20, 50, 80, 128, 200, 256)
	s.pAck = bench.Pick[uint64](r, 0, 30, 128, 256, 256)
	s.pCfg = bench.Pick[uint64](r, 0, 2, 8, 64)
	s.pRoute = bench.Pick[uint64](r, 0, 30, 200)
	s.pOpen = bench.Pick[uint64](r, 0, 2, 60)
	s.pSeed = bench.Pick[uint64](r, 0, 0, 0, 20, 256)
	s.pTrack = bench.Pick[uint64](r, 0, 200, 256, 256)
	s.pBad = bench.Pick[uint64](r, 0, 0, 0, 0, 12, 12, 128)
	s.pAnswer = bench.Pick[uint64](r, 0, 64, 200)
	s.pLostReady = bench.Pick[uint64](r, 10, 128, 256)
	s.pStray = bench.Pick[uint64](r, 0, 4, 40)
	s.pSkip = bench.Pick[uint64](r, 0, 8, 60, 200)
	s.Pace, s.lats = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceJump, paceAim), r.IntN(latKinds)
	s.beta = bench.Pick(r, 1<<15, 1<<15, 0, 1<<16-1, r.Uint64N(1<<16), 1<<r.IntN(16), uint64(p.Tables.Beta))
	s.rtoMin = bench.Pick(r, 0, 100, r.Uint64N(1<<(p.Tables.TimeBits-3)), uint64(p.Detector.RTOMinNS), uint64(p.Detector.RTOMinNS))
	if s.Pace == paceAim {
		s.rtoMin = bench.Pick(r, 0, 0, s.rtoMin)
	}
	top := uint64(1)<<p.Rate.RateBits - 1
	s.maxRate = bench.Pick(r, uint64(p.Rate.MaxRate), uint64(p.Rate.MaxRate), top, 1+r.Uint64N(top))
	s.minRate = min(s.maxRate, bench.Pick(r, uint64(p.Rate.MinRate), 1, 1+r.Uint64N(top)))
	s.stages = bench.Pick(r, uint64(p.Rate.Stages), uint64(p.Rate.Stages), 0, r.Uint64N(16))
	if s.full && r.Int64N(6+p.Tables.Paths()/128) == 0 {
		s.drain()
		return
	}
	s.MayWrap(20)
	delay, rest, often := p.ReadyDelay(), 4000*s.apart, 8
	if 4*delay > 4000 { // a run has few of them
		rest, often = 4*delay, 2
	}
	if delay <= resetsBelow && s.SinceReset > rest && r.IntN(often) == 0 {
		s.Reset, s.apart = 1+r.IntN(3), bench.Pick[int64](r, 1, 1, 2, 4, 16)
	}
}

// drain makes it an episode without packets, in which everything that is outstanding is
// acknowledged and the timer's scan then comes by every path: it finds the ring empty of
// which a send has found that it is full.
func (s *stimulus) drain() {
	s.full = false
	s.pPacket, s.pCfg, s.pOpen, s.pBad, s.pStray, s.pSkip = 0, 0, 0, 0, 0, 0
	s.pAck, s.pLostReady = 256, 256
	s.Left = 3*len(s.outstanding) + 2*int(s.p.Tables.Paths())
}

// lat is a latency of the episode.
func (s *stimulus) lat() uint64 {
	most := uint64(1)<<s.p.Tables.LatBits - 1
	kind := s.lats
	if kind == latMix {
		kind = int(s.Rng.Bits() >> 62)
	}
	switch kind {
	case latTiny:
		return s.Rng.Bits() >> 61
	case latLarge:
		return min(most, most/2-4+s.Rng.Bits()>>60)
	}
	return s.Rng.Uint64N(most + 1)
}

// delay is a measurement.
func (s *stimulus) delay() uint64 {
	switch s.Rng.Bits() >> 60 {
	case 0:
		return uint64(-s.Rng.Int64N(1 << 31))
	case 1:
		return bench.Pick[uint64](s.Rng, 1<<31-1, 1<<s.Rng.IntN(31), 1<<s.p.Tables.LatBits, 1<<s.p.Tables.LatBits-1, 0)
	}
	return s.lat()
}

// out returns a number from n to the maximum of the given width, or fallback if no such
// number exists.
func (s *stimulus) out(bits, n int64, fallback uint64) uint64 {
	if none := int64(1)<<bits - n; none > 0 {
		return uint64(n + s.Rng.Int64N(none))
	}
	return fallback
}

// newAck chooses the next acknowledgement: mostly of the oldest outstanding segment, now
// and then of one behind it, or of something else.
func (s *stimulus) newAck(bad bool) *ack {
	r, p := s.Rng, s.p
	a := &ack{delay: s.delay()}
	b := r.Bits()
	long := -1
	if b>>48&15 == 0 {
		long = s.followed()
	}
	switch {
	case long >= 0: // the timer of the segments behind it decides, by one bit, if its measurement is too long for a latency
		a.segment, a.long = s.outstanding[long], true
		a.delay = 1 << (p.Tables.LatBits + int64(b&0xffff)%(31-p.Tables.LatBits))
		s.outstanding = append(s.outstanding[:long], s.outstanding[long+1:]...)
	case len(s.empty) > 0 && b&12 == 0:
		a.segment = segment{uint64(bench.Pick(r, s.empty...)), s.flow(), s.seq}
	case b>>56 < s.pStray || len(s.outstanding) == 0:
		a.segment = segment{s.path(), s.flow(), s.seq - r.Uint64N(40)}
	case b>>40&255 < s.pSkip:
		i := r.IntN(min(len(s.outstanding), 24))
		a.segment = s.outstanding[i]
		if b&3 == 0 { // acknowledged twice
			break
		}
		s.outstanding = append(s.outstanding[:i], s.outstanding[i+1:]...)
	case b>>32&3 == 0: // the newest
		last := len(s.outstanding) - 1
		a.segment = s.outstanding[last]
		s.outstanding = s.outstanding[:last]
	default:
		a.segment = s.outstanding[0]
		s.outstanding = s.outstanding[1:]
	}
	if r.Bits()>>61 == 0 && !a.long { // one bit of the measurement or of baseVal decides on congestion
		a.delay = s.base[a.pid] + bench.Pick[uint64](r, 0, 1, 1<<r.IntN(int(p.Tables.LatBits)))
	}
	if bad {
		if r.IntN(2) == 0 {
			a.flow = s.out(p.Rate.FlowBits, p.Rate.Flows, a.flow)
		} else {
			a.pid = s.out(p.Tables.PidBits, p.Tables.Paths(), a.pid)
		}
	}
	return a
}

// followed returns the place of the newest outstanding segment with another one behind it
// on its path, or -1 if none of the last few qualifies.
func (s *stimulus) followed() int {
	last := len(s.outstanding) - 1
	for i := last - 1; i >= max(0, last-24); i-- {
		for _, x := range s.outstanding[i+1:] {
			if x.pid == s.outstanding[i].pid {
				return i
			}
		}
	}
	return -1
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, p := &s.x, s.p
	rst := s.Cycle(s.episode)
	if rst {
		x.rst.Raise(in)
		s.forget()
	}
	ready := s.SinceReset >= s.Sweep
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{Beta: s.beta, MaxRate: s.maxRate, MinRate: s.minRate, Stages: uint8(s.stages), RTOMin: s.rtoMin})
	b, b2 := s.Rng.Bits(), s.Rng.Bits()
	chance := func(p uint64) bool { // each call uses eight fresh bits
		hit := b&255 < p
		b = b>>8 | b2<<56
		b2 >>= 8
		return hit
	}
	bad := chance(s.pBad)
	if chance(s.pPacket) || rst { // a reset meets traffic
		s.packet(in, bad, chance(s.pTrack), ready && !rst)
	}
	if s.ack == nil && chance(s.pAck) {
		s.ack = s.newAck(chance(s.pBad))
	}
	if s.ack != nil {
		x.acks.Drive(in, &params.ACK{PID: uint32(s.ack.pid), Flow: uint32(s.ack.flow), Seq: s.ack.seq, Delay: uint32(s.ack.delay)})
	}
	if s.answer == nil && chance(s.pAnswer) {
		switch {
		case len(s.probed) > 0:
			s.answer = &ack{segment: segment{pid: s.probed[0]}, delay: s.delay()}
			s.probed = s.probed[1:]
		case bad:
			s.answer = &ack{segment: segment{pid: s.path()}, delay: s.delay()}
		}
	}
	if s.answer != nil {
		x.answers.Drive(in, &params.Answer{PID: uint32(s.answer.pid), Delay: uint32(s.answer.delay)})
	}
	if len(s.jobs) == 0 && (chance(s.pCfg) || s.SinceReset < s.Sweep+64) {
		s.plan()
	}
	if len(s.jobs) > 0 {
		change := PortChange(&s.jobs[0])
		x.changes.Drive(in, &change)
	}
	if !s.routing && chance(s.pRoute) {
		s.routing, s.routePid = true, s.path()
		if bad {
			s.routePid = s.out(p.Tables.PidBits, p.Tables.Paths(), s.routePid)
		}
	}
	if s.routing {
		x.routes.Drive(in, &lapspaths.Route{PID: uint32(s.routePid)})
	}
	if !s.opening && chance(s.pOpen) {
		s.opening, s.openFlow = true, s.flow()
		if bad {
			s.openFlow = s.out(p.Rate.FlowBits, p.Rate.Flows, s.openFlow)
		}
	}
	if s.opening {
		x.opens.Drive(in, &lapsrate.Open{Flow: uint32(s.openFlow)})
	}
	if chance(s.pSeed) {
		x.seeds.Drive(in, &lapspick.Seed{Word: uint16(s.Rng.Bits())})
	}
	if p.Loss && chance(s.pLostReady) {
		x.lostReady.Raise(in)
	}
	s.learn(in, rst)
	s.Pass(s.pass)
}

// packet puts one on the ports.
func (s *stimulus) packet(in []uint64, bad, track, taken bool) {
	p := s.p
	e := params.Packet{Dst: uint32(s.dst())}
	if bad {
		e.Dst = uint32(s.out(p.Tables.DstBits, p.Tables.Destinations, uint64(e.Dst)))
	}
	e.Tag = s.Rng.Bits()
	g := segment{flow: nobody}
	if p.Loss {
		flow := s.flow()
		e.Flow, e.Seq, e.Track = uint32(flow), s.seq, track
		if track {
			g = segment{flow: flow, seq: s.seq & (1<<p.Detector.SeqBits - 1)}
		}
		s.seq++
	}
	s.x.packets.Drive(in, &e)
	if taken {
		s.sent = append(s.sent, g)
	}
}

// learn asks the golden model predicts the unit's answers in this cycle.
func (s *stimulus) learn(in []uint64, rst bool) {
	x, want := &s.x, s.want
	clear(s.want)
	clear(s.care)
	s.unit.Step(in, s.want, s.care)
	if rst {
		return
	}
	if x.acks.On(in) && x.ackReady.On(want) {
		most := int64(1)<<s.p.Tables.LatBits - 1
		s.start(s.ack.pid, uint64(max(0, min(int64(int32(s.ack.delay)), most))))
		if s.ack.long && s.Pace == paceAim { // before its timer, but past one of a short latency
			s.Now += (s.timers[s.ack.pid].due - s.Now) / 2
		}
		s.ack = nil
	}
	if x.answers.On(in) && x.answerReady.On(want) {
		s.answer = nil
	}
	if x.changes.On(in) && x.changeReady.On(want) {
		s.jobs = s.jobs[1:]
	}
	if x.routes.On(in) && x.routeReady.On(want) {
		s.routing = false
	}
	if x.opens.On(in) && x.openReady.On(want) {
		s.opening = false
	}
	var probe lapspaths.Probe
	if x.probes.Read(want, &probe) && len(s.probed) < 64 {
		s.probed = append(s.probed, uint64(probe.PID))
	}
	var path lapspaths.Path
	if x.paths.Read(want, &path) && len(s.sent) > 0 {
		g := s.sent[0]
		s.sent = s.sent[1:]
		if !path.None && g.flow != nobody {
			g.pid = uint64(path.PID)
			s.start(g.pid, s.timers[g.pid].latency)
			s.tracked = append(s.tracked, g)
			if len(s.outstanding) < mostOutstanding {
				s.outstanding = append(s.outstanding, g)
			}
		}
	}
	var sent lapsloss.Sent
	if x.sent.Read(want, &sent) && len(s.tracked) > 0 {
		g := s.tracked[0]
		s.tracked = s.tracked[1:]
		if !sent.Stored {
			s.full = true
			if s.Rng.Bits()>>61 != 0 { // few of them come back
				s.drop(g)
			}
		}
	}
}

// drop forgets a segment that was outstanding a few cycles ago.
func (s *stimulus) drop(g segment) {
	for i := len(s.outstanding) - 1; i >= max(0, len(s.outstanding)-32); i-- {
		if s.outstanding[i] == g {
			s.outstanding = append(s.outstanding[:i], s.outstanding[i+1:]...)
			return
		}
	}
}

// start notes that the timer of a path begins anew.
func (s *stimulus) start(pid, latency uint64) {
	s.timers[pid] = timer{latency, s.Now + max(s.rtoMin, 2*latency)}
}

// aim lets time go by up to the timer of a path, so that one bit of it decides whether it
// has expired.
func (s *stimulus) aim() {
	pid := s.path()
	if n := len(s.outstanding); n > 0 {
		pid = s.outstanding[s.Rng.IntN(n)].pid
	}
	ahead := (s.timers[pid].due - s.Now) & s.Mask
	if ahead <= s.Mask>>1 {
		s.Now += ahead + bench.Pick[uint64](s.Rng, 0, 1, 1, 1<<s.Rng.IntN(int(s.p.Tables.TimeBits)-1))
	}
}

// pass lets time go by in one of the ways in which what matters comes near: with
// bench.PaceJump now and then by about a latency, or by anything.
func (s *stimulus) pass() {
	switch s.Pace {
	case bench.PaceJump:
		switch b := s.Rng.Bits(); {
		case b&1023 == 0:
			s.Now += b >> 10
		case b&31 < 4:
			s.Now += 2 * s.lat()
		default:
			s.Now++
		}
	case paceAim:
		if s.Rng.Bits()>>57 == 0 {
			s.aim()
		}
	}
}
