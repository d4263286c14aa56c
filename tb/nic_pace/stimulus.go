// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

// The stimulus' view of a connection's place.
const (
	idle    = iota
	inside  // in the wheel, or due
	hasTurn // its turn is not over
)

// stimulus is a NIC around the pacer: connections that have packets want turns, and packets leave in
// them. It runs in episodes of some hundred cycles.
type stimulus struct {
	bench.Traffic
	p          *params.Params
	x          wires
	twin       *golden // a copy of the unit's state
	want, care []uint64

	push, done, again, ready, rate, flush uint64 // chances in 1/256
	unused, stray, wrong                  uint64 // of turns that are not used, of events out of turn, of connections that do not exist
	aim                                   uint64 // of DONEs whose bytes end at a slot's beginning
	conns                                 int64  // connections in favour
	slow                                  uint64 // ns that a packet takes at most; 0: anything
	allowance, idle                       uint64
	force                                 bool // flushes do not wait, where none would have to

	at       []uint8  // by connection
	turns    []uint32 // connections that have their turns
	pushing  int64    // the connection that is offered; -1: none
	flushing int64
	calm     int    // cycles since the connection to be flushed was inside
	wild     bool   // the time jumps anywhere, also back
	jumped   uint64 // ns, in this period
	period   int64  // cycles that are left of it
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	twin, err := newGolden(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, twin: twin, Traffic: bench.NewTraffic(seed, 0x70616365, p.TimerBits),
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords), at: make([]uint8, p.Connections), pushing: -1, flushing: -1}
	s.Sweep = p.Sweep()
	s.Start()
	return s, s.x.bind(p, l)
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r, p := s.Rng, s.p
	s.Left = 200 + r.IntN(3000)
	s.push = bench.Pick[uint64](r, 0, 8, 64, 200, 256)
	s.done = bench.Pick[uint64](r, 16, 64, 128, 256, 256)
	s.again = bench.Pick[uint64](r, 0, 64, 128, 240, 256)
	s.ready = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.rate = bench.Pick[uint64](r, 0, 4, 64, 200, 256)
	s.flush = bench.Pick[uint64](r, 0, 8, 128, 256)
	s.unused = bench.Pick[uint64](r, 0, 0, 16, 128)
	s.stray = bench.Pick[uint64](r, 0, 0, 0, 4, 32, 256)
	s.wrong = bench.Pick[uint64](r, 0, 0, 4, 32)
	s.aim = bench.Pick[uint64](r, 0, 0, 64, 200)
	s.conns = min(p.Connections, bench.Pick[int64](r, 1, 2, 3, 16, 100, 1<<16, 1<<16))
	wheel := uint64(p.Slots * p.SlotNS)
	s.slow = bench.Pick(r, 1, uint64(p.SlotNS), 8*uint64(p.SlotNS), wheel/4, wheel, 2*wheel, 0)
	most := uint64(1)<<(p.TimerBits-2) - 1
	s.force = r.IntN(4) == 0
	s.allowance = bench.Pick(r, uint64(p.AllowanceNS), 0, 0, uint64(p.SlotNS), wheel, most, r.Uint64()&most)
	s.idle = bench.Pick(r, uint64(p.IdleNS), 0, uint64(p.SlotNS), wheel/8, s.allowance, most, r.Uint64()&most)
	if s.slow == 0 && r.IntN(2) == 0 { // as long as packets take
		s.allowance = r.Uint64() & most >> r.IntN(10)
	}
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceClock, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump,
		bench.PaceJump)
	s.wild = r.IntN(4) == 0
	if r.IntN(32) == 0 { // connections run dry, and are flushed again and again
		s.Left += 10_000
		s.push, s.again, s.stray, s.flush, s.ready, s.rate = 0, 0, 0, 256, 256, 4
	}
	s.MayReset(s.Sweep+20_000, 8)
}

// jump lets the time pass as quickly as the wheel turns, or all at once: except in wild episodes never by
// so much, before the scan has visited every connection, that the past would look like the future.
func (s *stimulus) jump() {
	r, slot := s.Rng, uint64(s.p.SlotNS)
	by, most := slot/16, uint64(1)<<(s.p.TimerBits-3)
	if r.IntN(512) == 0 {
		wheel, rest := slot*uint64(s.p.Slots), most-min(most, s.jumped+1)
		power := slot << r.IntN(int(s.p.TimerBits-s.p.SlotShift()))
		by = bench.Pick(r, slot, 2*slot, 10*slot, wheel/2, wheel, 3*wheel, 40*wheel, rest, power, power, power)
		if s.wild {
			by = bench.Pick(r, by, r.Bits(), -slot, 2*most, 4*most)
		}
	}
	if s.wild || s.jumped+by < most {
		s.jumped += by
		s.Now += by
	}
}

// illegal is the number of a connection that does not exist, if there are any.
func (s *stimulus) illegal() uint64 {
	if s.p.Connections == 1<<s.p.ConnBits {
		return 0
	}
	return uint64(bench.Beyond(s.Rng.Bits(), s.p.Connections, 1<<s.p.ConnBits))
}

// conn chooses a connection.
func (s *stimulus) conn(dice *bench.Dice) uint64 {
	if dice.Hit(s.wrong) {
		return s.illegal()
	}
	return uint64(s.Rng.Int64N(s.conns))
}

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		clear(s.at)
		s.turns, s.pushing, s.flushing = s.turns[:0], -1, -1
		if r.IntN(2) == 0 { // the time soon wraps
			s.Now = s.Mask - uint64(r.IntN(int(3*s.p.Sweep()+3*s.p.SlotNS)))
		}
	}
	if s.period--; s.period < 0 {
		s.period, s.jumped = 128*s.p.Connections, 0
	}
	s.Pass(s.jump)
	s.Now &= s.Mask
	x.time.Drive(in, &params.Time{Now: s.Now})

	dice := bench.Dice(r.Bits())
	taken := false
	if dice.Hit(s.ready) {
		x.dueReady.Raise(in)
		taken = s.twin.shown
	}
	if taken {
		s.at[s.twin.at] = hasTurn
		s.turns = append(s.turns, s.twin.at)
	}
	if dice.Hit(s.done) {
		s.end(in)
	}
	if dice.Hit(s.rate) {
		s.change(in)
	}
	if s.pushing < 0 && dice.Hit(s.push) {
		s.begin()
	}
	if s.pushing >= 0 {
		x.pushes.Drive(in, &params.Push{Conn: uint32(s.pushing)})
	}
	if s.flushing < 0 && dice.Hit(s.flush) {
		again := bench.Dice(r.Bits())
		for range 4 { // one that waits is rather not asked for
			if s.flushing = int64(s.conn(&again)); s.flushing >= s.p.Connections || s.at[s.flushing] == idle {
				break
			}
		}
		if len(s.turns) > 0 && r.IntN(4) == 0 {
			s.flushing = int64(s.turns[r.IntN(len(s.turns))])
		}
	}
	if s.flushing >= 0 {
		x.flushes.Drive(in, &params.Flush{Conn: uint32(s.flushing)})
	}

	if s.calm++; s.flushing >= 0 && s.twin.unit.Inside(uint32(s.flushing)) {
		s.calm = 0
	}
	x.set.Drive(in, &params.Settings{Allowance: s.allowance, Idle: s.idle, FlushForce: s.force && s.calm > 8})

	clear(s.want)
	clear(s.care)
	ready := s.twin.f.Ready()
	s.twin.f.Step(in, s.want, s.care)
	if s.pushing >= 0 && x.pushReady.On(s.want) {
		s.pushing = -1
	}
	if s.flushing >= 0 && x.flushReady.On(s.want) {
		s.flushing = -1
	}
	if !ready {
		s.turns = s.turns[:0]
	}
}

// begin offers a connection that wants a turn.
func (s *stimulus) begin() {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	c := s.conn(&dice)
	if n := len(s.turns); n > 0 && dice.Hit(s.unused) { // its turn was for nothing
		i := r.IntN(n)
		c = uint64(s.turns[i])
		s.turns[i] = s.turns[n-1]
		s.turns = s.turns[:n-1]
	} else if s.twin.unit.Legal(uint32(c)) && s.at[c] != idle && !dice.Hit(s.stray) {
		return
	}
	if s.twin.unit.Legal(uint32(c)) {
		s.at[c] = inside
	}
	s.pushing = int64(c)
}

// end is the end of a turn: often of one that began in this cycle.
func (s *stimulus) end(in []uint64) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	var c uint64
	switch n := len(s.turns); {
	case dice.Hit(s.wrong) || dice.Hit(s.stray):
		c = s.conn(&dice)
	case n == 0:
		return
	default:
		i := r.IntN(n)
		if r.IntN(2) == 0 {
			i = n - 1
		}
		c = uint64(s.turns[i])
		s.turns[i] = s.turns[n-1]
		s.turns = s.turns[:n-1]
		s.at[c] = idle
	}
	e := params.Done{Conn: uint32(c)}
	bytes := bench.Pick(r, 0, 1, 84, 84, 1538, 9252, 65535, r.Bits())
	if dice.Hit(s.aim) && s.twin.unit.Legal(uint32(c)) {
		bytes = s.aimed(uint32(c), bytes)
	}
	e.Bytes = bytes
	if e.Again = dice.Hit(s.again); e.Again {
		if c < uint64(len(s.at)) && s.at[c] == idle {
			s.at[c] = inside
		}
	}
	s.x.dones.Drive(in, &e)
}

// aimed returns the number of bytes after which connection c's departure time has just reached a slot
// or is just before it, or bytes if no such number exists.
func (s *stimulus) aimed(c uint32, bytes uint64) uint64 {
	unit, frac := s.twin.unit, int(s.p.FracBits)
	rate := unit.Pace(c)
	if rate == 0 {
		return bytes
	}
	ns, fraction := unit.Departure(c)
	if floor := (s.Now - s.allowance) & s.Mask; (ns-floor)&s.Mask > s.Mask/2 {
		ns, fraction = floor, 0
	}
	slot := uint64(s.p.SlotNS)
	left := (slot*uint64(1+s.Rng.IntN(3))-ns%slot)<<frac - fraction
	if n := (left+rate-1)/rate - uint64(s.Rng.IntN(2)); n < 1<<16 {
		return n
	}
	return bytes
}

// change gives a connection another rate: such that a packet takes some slots, mostly.
func (s *stimulus) change(in []uint64) {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	inv := r.Bits() & (1<<s.p.RateBits() - 1)
	if s.slow > 0 {
		inv = r.Bits() % (s.slow<<s.p.FracBits/1538 + 1)
	}
	if r.IntN(16) == 0 {
		inv = bench.Pick[uint64](r, 0, 1, 1<<s.p.RateBits()-1)
	}
	if r.IntN(8) == 0 {
		inv = 0
	}
	s.x.rates.Drive(in, &params.Rate{Conn: uint32(s.conn(&dice)), Inv: inv})
}
