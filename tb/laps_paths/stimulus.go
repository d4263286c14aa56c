// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// stimulus makes random traffic in episodes. An episode has a few destinations that it
// favours, rates of events, a range of latencies and a way in which time passes. A control
// plane changes the tables meanwhile, in jobs that keep the rules: a path is only in its
// destination's set.
type stimulus struct {
	bench.Traffic
	p *params.Params
	x wires

	clears int64

	pPacket, pAck, pCfg, pRoute uint64 // chances in a cycle, in 1/256
	pBad, pAnswer               uint64
	noise                       bool // on the wires of packets and of picks in cycles without one
	lats                        int
	beta                        uint64
	pickFirst, pickRange        int

	sets  [][]int32 // of the control plane: by destination and bank; rows
	owner []int32   // by path
	jobs  []model.Change
	seen  []uint32 // paths that were probably in use lately

	acking, routing bool // an offer stands
	ack             model.Change
	ackTag          uint64
	due             uint64 // when the path of the last ACK expires
	routePid        uint32
	id              uint32
	picks           [64]pick // by cycle, modulo 64
	clock           int
}

// pick is an answer of the picker that is still to come.
type pick struct {
	on bool
	params.Pick
}

// Ranges of latencies.
const (
	latTiny  = iota // a few ns: paths expire all the time
	latAny          // any
	latLarge        // about half of the longest: doubling saturates
	latMix
	latKinds
)

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{p: p, Traffic: bench.NewTraffic(seed, 0x6c617073, p.TimeBits)}
	s.Sweep = p.ReadyDelay() - 2
	s.clears = p.ReadyDelay() - 1
	s.sets = make([][]int32, p.Destinations)
	for i := range s.sets {
		s.sets[i] = make([]int32, p.Banks)
	}
	s.owner = make([]int32, p.Paths())
	s.forget()
	s.Start()
	s.episode()
	return s, s.x.bind(p, l)
}

// forget is the control plane's part of a reset.
func (s *stimulus) forget() {
	for _, set := range s.sets {
		for b := range set {
			set[b] = -1
		}
	}
	for i := range s.owner {
		s.owner[i] = -1
	}
	s.jobs, s.id = s.jobs[:0], 0
	s.seen = s.seen[:0]
	s.picks = [64]pick{}
}

func (s *stimulus) dst() uint32 {
	if len(s.Hot) > 0 {
		return bench.Pick(s.Rng, s.Hot...)
	}
	return uint32(s.Rng.Int64N(s.p.Destinations))
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	p, r := s.p, s.Rng
	s.Left = 64 + r.IntN(700)
	if len(s.Hot) == 0 || r.IntN(3) == 0 {
		s.Hot = s.Hot[:0]
		for range bench.Pick(r, 1, 1, 2, 3, 6) {
			s.Hot = append(s.Hot, uint32(r.Int64N(p.Destinations)))
		}
	}
	s.pPacket = bench.Pick[uint64](r, 20, 128, 200, 240, 256)
	s.pAck = bench.Pick[uint64](r, 0, 8, 64, 128, 256)
	s.pCfg = bench.Pick[uint64](r, 0, 8, 64, 200)
	s.pRoute = bench.Pick[uint64](r, 0, 30, 200)
	s.pBad = bench.Pick[uint64](r, 0, 0, 12)
	s.pAnswer = bench.Pick[uint64](r, 0, 64, 200)
	s.noise = r.IntN(4) == 0
	s.Pace, s.lats = bench.Pick(r, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceJump), r.IntN(latKinds)
	s.beta = bench.Pick(r, 1<<15, 1<<15, 0, 1<<16-1, r.Uint64N(1<<16), uint64(p.Beta))
	s.pickFirst = bench.Pick(r, 1, 5, params.PickWindow)
	s.pickRange = 1 + r.IntN(params.PickWindow-s.pickFirst+1)
	s.MayWrap(20)
	s.MayReset(max(4000, 4*s.clears), 8)
	if s.Reset == 1 { // a cycle later, so that it is known of the cycle before it
		s.Reset, s.ResetIn = 0, 2
	}
}

// lat is a latency of the episode.
func (s *stimulus) lat() int64 {
	most := int64(1)<<s.p.LatBits - 1
	kind := s.lats
	if kind == latMix {
		kind = int(s.Rng.Bits() >> 62 & 3)
	}
	switch kind {
	case latTiny:
		return int64(s.Rng.Bits() >> 61)
	case latLarge:
		return min(most, most/2-4+int64(s.Rng.Bits()>>60))
	}
	return s.Rng.Int64N(most + 1)
}

// delay is a measurement.
func (s *stimulus) delay() int64 {
	switch b := s.Rng.Bits(); b >> 60 {
	case 0:
		return -s.Rng.Int64N(1 << 31)
	case 1:
		long := int64(1) << (uint64(s.p.LatBits) + b%uint64(31-s.p.LatBits)) // by one bit, any of them
		return bench.Pick(s.Rng, 1<<31-1, long, 1<<s.p.LatBits-1, 1<<s.p.LatBits-1, 0)
	}
	return s.lat()
}

func (s *stimulus) scale() model.Scale {
	r := s.Rng
	switch r.IntN(8) {
	case 0:
		return model.Scale{}
	case 1:
		return model.Scale{Mantissa: uint16(r.Uint64()), Exponent: uint8(r.IntN(32))}
	case 2: // a weight, of a latency of 1 ns, that can just be doubled, or just not
		return model.Scale{Mantissa: uint16(1<<(params.WeightBits-1) - r.IntN(2))}
	}
	// A longest latency of between 1/4 and 32 octaves.
	e := 15 + int(s.p.LatBits) - params.WeightBits + r.IntN(8)
	return model.Scale{Mantissa: uint16(1<<15 + r.IntN(1<<15)), Exponent: uint8(min(e, 31))}
}

// write is the change that writes a path.
func (s *stimulus) write(pid, dst uint32) model.Change {
	c := model.Change{Op: model.Path, Pid: pid, Dst: dst, Delay: s.lat(), Base: uint32(s.Rng.Int64N(1 << s.p.LatBits))}
	for range s.p.Anchors {
		c.Anchors = append(c.Anchors, s.Rng.Uint32())
	}
	return c
}

// free returns a path in a bank that belongs to no destination, or -1 if none of the few
// paths tried is free.
func (s *stimulus) free(bank int) int64 {
	for range 4 {
		row := s.Rng.Int64N(min(s.p.Rows, 16))
		if pid := int64(bank)*s.p.Rows + row; s.owner[pid] < 0 {
			return pid
		}
	}
	return -1
}

// plan writes a job of the control plane.
func (s *stimulus) plan() {
	r := s.Rng
	dst := s.dst()
	set := s.sets[dst]
	add := func(c model.Change) { s.jobs = append(s.jobs, c) }
	commit := func() { add(model.Change{Op: model.Commit, Dst: dst, Scale: s.scale()}) }
	list := func() {
		for b, row := range set {
			if row >= 0 {
				add(model.Change{Op: model.List, Pid: uint32(int64(b)*s.p.Rows + int64(row))})
			}
		}
	}
	switch r.IntN(8) {
	case 0: // a change that is illegal, or of a path that nobody has
		bad := bench.Pick(r, model.List, model.Commit, model.Path, model.Remove)
		c := s.write(uint32(r.Int64N(1<<s.p.PidBits)), uint32(r.Int64N(1<<s.p.DstBits)))
		c.Op = bad
		switch {
		case bad == model.List && int64(c.Pid) < s.p.Paths() && s.owner[c.Pid] >= 0,
			bad == model.Commit && int64(c.Dst) < s.p.Destinations,
			bad != model.Commit && bad != model.List && int64(c.Pid) < s.p.Paths() && (s.owner[c.Pid] >= 0 || int64(c.Dst) < s.p.Destinations && bad == model.Path):
			return // it would change something
		}
		add(c)
	case 1, 2: // a path in use is written
		for b, row := range set {
			if row >= 0 && r.IntN(4) == 0 {
				add(s.write(uint32(int64(b)*s.p.Rows+int64(row)), dst))
			}
		}
	case 3: // the same again
		list()
		commit()
	default: // another set
		keep := bench.Pick(r, 0, 0, 128, 250)
		most := bench.Pick(r, 0, 1, 2, int(s.p.Banks), int(s.p.Banks))
		var gone []uint32
		n := 0
		commitFirst := r.IntN(4) == 0
		if commitFirst {
			commit() // no paths for a while
		}
		for b, row := range set {
			if row >= 0 && (r.IntN(256) >= keep || n >= most) {
				gone = append(gone, uint32(int64(b)*s.p.Rows+int64(row)))
				set[b] = -1
			}
			if set[b] < 0 && n < most {
				if pid := s.free(b); pid >= 0 {
					s.owner[pid] = int32(dst)
					set[b] = int32(pid & (s.p.Rows - 1))
					add(s.write(uint32(pid), dst))
				}
			}
			if set[b] >= 0 {
				n++
			}
		}
		list()
		commit()
		for _, pid := range gone {
			s.owner[pid] = -1
			add(model.Change{Op: model.Remove, Pid: pid})
			s.saw(pid)
		}
	}
}

// saw remembers a path for stray ACKs.
func (s *stimulus) saw(pid uint32) {
	if s.seen = append(s.seen, pid); len(s.seen) > 16 {
		s.seen = s.seen[1:]
	}
}

// target is a path to measure: of a hot destination, one that was removed, or any.
func (s *stimulus) target() uint32 {
	if s.Rng.Bits()>>60 == 0 {
		return uint32(s.Rng.Int64N(s.p.Paths()))
	}
	if len(s.seen) > 0 && s.Rng.Bits()>>59 == 0 {
		return bench.Pick(s.Rng, s.seen...)
	}
	set := s.sets[s.dst()]
	first := int(s.Rng.Bits()>>59) % len(set)
	for i := range set {
		b := (first + i) % len(set)
		if set[b] >= 0 {
			return uint32(int64(b)*s.p.Rows + int64(set[b]))
		}
	}
	return uint32(s.Rng.Int64N(s.p.Paths()))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, p := &s.x, s.p
	rst := s.Cycle(s.episode)
	ready := s.SinceReset > s.clears
	dice := bench.Dice(s.Rng.Bits())
	packet, ack, cfg, route := dice.Hit(s.pPacket), dice.Hit(s.pAck), dice.Hit(s.pCfg), dice.Hit(s.pRoute)
	bad, answer, pickEarly := dice.Hit(s.pBad), dice.Hit(s.pAnswer), dice.Hit(s.pRoute)
	if s.ResetIn == 1 && ready && dice&1 == 0 { // an illegal change just before a reset of one cycle
		packet, ack, bad = false, true, true
	}
	x.time.Drive(in, &params.Time{Now: s.Now})
	x.set.Drive(in, &params.Settings{Beta: s.beta})

	if packet {
		dst := s.dst()
		if none := int64(1)<<p.DstBits - p.Destinations; bad && none > 0 {
			dst = uint32(p.Destinations + s.Rng.Int64N(none))
		}
		x.packets.Drive(in, &params.Packet{Dst: dst, Tag: s.Rng.Bits()})
		if ready {
			s.answer()
		}
	} else if s.noise {
		dst := uint32(s.Rng.Bits())
		x.packets.Fields(in, &params.Packet{Dst: dst, Tag: s.Rng.Bits()})
	}
	if ack && !s.acking {
		s.acking = true
		s.ack = model.Change{Op: model.Ack, Pid: s.target(), Delay: s.delay()}
		if answer {
			s.ack.Op = model.Answer
		}
		if none := int64(1)<<p.PidBits - p.Paths(); bad && none > 0 {
			s.ack.Pid = uint32(p.Paths() + s.Rng.Int64N(none))
		}
		s.ackTag = s.Rng.Bits()
	}
	wasAck := s.acking
	if s.acking {
		x.acks.Drive(in, &params.ACK{PID: s.ack.Pid, Delay: uint32(s.ack.Delay), Probe: s.ack.Op == model.Answer, Tag: s.ackTag})
		if ready && (p.AckLookup == params.Own || !packet) {
			s.acking = false
			s.due = s.Now + 2*uint64(min(max(s.ack.Delay, 0), 1<<p.LatBits-1))
		}
	}
	if len(s.jobs) == 0 && cfg {
		s.plan()
	}
	if len(s.jobs) > 0 {
		s.configure(in)
		if ready && !wasAck {
			s.jobs = s.jobs[1:]
		}
	}
	s.clock++
	now := &s.picks[s.clock&63]
	if !ready && pickEarly {
		now.on = true // of what came before the reset: nothing takes it
	}
	if now.on {
		x.picks.Drive(in, &now.Pick)
	} else if s.noise { // of the bits that are left
		x.picks.Fields(in, &params.Pick{ID: uint32(dice), Index: uint32(dice >> 3), None: dice>>7&1 != 0})
	}
	if route && !s.routing {
		s.routing, s.routePid = true, s.target()
		if none := int64(1)<<p.PidBits - p.Paths(); s.pBad > 0 && none > 0 && s.Rng.Bits()>>61 == 0 {
			s.routePid = uint32(p.Paths() + s.Rng.Int64N(none))
		}
	}
	if s.routing {
		x.routes.Drive(in, &params.Route{PID: s.routePid})
		if ready && !now.on {
			s.routing = false
		}
	}
	*now = pick{}
	if rst { // events in the same cycle are lost
		x.rst.Raise(in)
		s.forget()
	}
	s.Pass(s.jumpOn)
}

// answer chooses when and how the picker answers this cycle's packet.
func (s *stimulus) answer() {
	id := s.id
	s.id = (s.id + 1) & 31
	b := s.Rng.Bits()
	first := s.pickFirst + int(b>>8&0xff)%s.pickRange
	for d := first; d <= params.PickWindow; d++ {
		// The pick of this cycle is looked up after s.clock has counted it.
		at := &s.picks[(s.clock+1+params.CandLatency+d)&63]
		if !at.on {
			*at = pick{true, params.Pick{ID: id, Index: uint32(b >> 40 % uint64(s.p.Banks)), None: b>>60 == 0}}
			return
		}
	}
}

// configure puts the control plane's change on the ports.
func (s *stimulus) configure(in []uint64) {
	c := &s.jobs[0]
	e := params.Change{
		Op: uint8(c.Op), PID: c.Pid, Dst: c.Dst, Scale: uint32(c.Scale.Word()), Latency: uint32(c.Delay), Base: c.Base,
	}
	copy(e.Anchors[:], c.Anchors)
	s.x.changes.Drive(in, &e)
}

// jumpOn lets time go by, now and then by about a latency, or by anything.
func (s *stimulus) jumpOn() {
	switch b := s.Rng.Bits(); {
	case b&255 == 0:
		s.Now += b >> 8
		if b>>62 == 0 { // just before it counts as fresh again
			s.Now = s.due + s.Mask>>1 + b>>8&1
		}
	case b&31 < 4:
		s.Now += uint64(2 * s.lat())
	default:
		s.Now++
	}
}
