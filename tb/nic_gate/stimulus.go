// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// packet is one in a queue, or in flight.
type packet struct {
	psn, bytes uint64
	counts     bool
}

// conn is a connection as the NIC and its host see it.
type conn struct {
	queue  []packet
	flight []packet // sent, and not yet acknowledged as the host knows
	next   uint64   // PSN of the host's next packet
}

// visit is what was popped.
type visit struct {
	conn    uint32
	budget  int64
	discard bool
	begun   bool
	wait    int // cycles to its end; negative: packets are left
	wire    uint64
}

// stimulus is a NIC around the gate: hosts that store packets, a pacer, queues, and a wire on which packets
// and ACKs get lost. It runs in episodes of some hundred cycles.
type stimulus struct {
	bench.Traffic
	p          *params.Params
	pins       *pins
	twin       *predictor // what the unit shows
	want, care []uint64

	enter, push, due, pop, release, ack, window, flush uint64 // chances in 1/256
	respond, again, jump, nak, old, lose               uint64
	stray, wrong                                       uint64 // of events out of turn, of connections that do not exist
	conns                                              int64  // connections in favour
	all                                                bool   // all of them, in every episode
	depth                                              int    // packets that wait in a queue, at most
	small                                              bool   // windows, of a few packets
	last                                               bool   // visits are over with their last packet
	goBackN, force                                     bool
	quantum, init, stall                               uint64

	at       []conn
	inside   []bool // in the pacer, which takes no connection twice
	pacer    []uint32
	visits   []visit
	dueing   int64 // the connection that is offered; -1: none
	flushing int64
}

func newStimulus(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return newTraffic(p, l, seed, false)
}

// newTraffic is newStimulus, with all connections in favour or some.
func newTraffic(p *params.Params, l *cosim.Layout, seed uint64, all bool) (cosim.Stimulus, error) {
	twin, err := newPrediction(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, pins: twin.pins, twin: twin, Traffic: bench.NewTraffic(seed, 0x67617465, p.TimerBits),
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords), at: make([]conn, p.Connections), inside: make([]bool, p.Connections), dueing: -1, flushing: -1, all: all}
	s.Sweep = p.Sweep()
	s.Start()
	return s, nil
}

// episode chooses what the next few hundred cycles are like.
func (s *stimulus) episode() {
	r, p := s.Rng, s.p
	s.Left = 200 + r.IntN(2000)
	s.enter = bench.Pick[uint64](r, 0, 16, 64, 128, 256)
	s.push = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.due = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.pop = bench.Pick[uint64](r, 4, 64, 240, 256, 256)
	s.release = bench.Pick[uint64](r, 16, 128, 240, 256, 256)
	s.ack = bench.Pick[uint64](r, 0, 32, 128, 256, 256)
	s.window = bench.Pick[uint64](r, 0, 4, 32, 128, 256)
	s.flush = bench.Pick[uint64](r, 0, 0, 2, 32)
	s.respond = bench.Pick[uint64](r, 0, 0, 32, 256)
	s.again = bench.Pick[uint64](r, 0, 0, 4, 32, 128)
	s.jump = bench.Pick[uint64](r, 0, 0, 8, 64)
	s.nak = bench.Pick[uint64](r, 0, 0, 8, 64)
	s.old = bench.Pick[uint64](r, 0, 8, 64)
	s.lose = bench.Pick[uint64](r, 0, 8, 128)
	s.stray = bench.Pick[uint64](r, 0, 0, 0, 4, 32)
	s.wrong = bench.Pick[uint64](r, 0, 0, 4, 32)
	s.conns = min(p.Connections, bench.Pick[int64](r, 1, 2, 3, 16, 100, 1<<16))
	if s.all {
		s.conns = p.Connections
	}
	s.depth = bench.Pick(r, 1, 2, 8, min(40, 1<<p.PacketBits-4))
	s.small = r.IntN(3) > 0
	s.last = r.IntN(2) == 0
	s.goBackN = r.IntN(3) > 0
	s.force = r.IntN(8) == 0
	s.quantum = bench.Pick(r, uint64(p.Quantum), 1, 64, 1500, 65535, 0, r.Bits()&0xffff)
	s.init = s.bytes()
	s.stall = bench.Pick(r, uint64(p.StallNS), 0, 1, 200, 2000, 20_000)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceClock, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.MayWrap(4)
	s.MayReset(s.Sweep+10_000, 8)
}

// jumps is how the time jumps.
func (s *stimulus) jumps() {
	s.Now += 3
	if s.Rng.IntN(64) == 0 {
		s.Now += bench.Pick(s.Rng, s.stall/2, s.stall, s.stall+1, s.Rng.Bits())
	}
}

// bytes is a window.
func (s *stimulus) bytes() uint64 {
	r, all := s.Rng, uint64(1)<<s.p.ByteBits-1
	if s.small && r.IntN(8) > 0 {
		return min(all>>1, bench.Pick(r, 0, 1, 60, 1500, 3000, r.Bits()&0x3fff))
	}
	return bench.Pick(r, all, all, all>>1, r.Bits()&(all>>1))
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

// legal reports whether a connection exists.
func (s *stimulus) legal(c uint64) bool { return c < uint64(len(s.at)) }

// Next implements cosim.Stimulus.
func (s *stimulus) Next(in []uint64) {
	x, r := s.pins, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		clear(s.at)
		clear(s.inside)
		s.pacer, s.visits, s.dueing, s.flushing = s.pacer[:0], s.visits[:0], -1, -1
	}
	s.Pass(s.jumps)
	x.now.Put(in, s.Now)
	x.initWindow.Put(in, s.init)
	x.quantum.Put(in, s.quantum)
	x.stall.Put(in, s.stall)
	if s.goBackN {
		x.goBackN.Raise(in)
	}
	if s.flushing >= 0 && r.IntN(64) == 0 {
		s.force = !s.force
	}
	if s.force {
		x.force.Raise(in)
	}
	x.ev.Put(in, r.Bits())

	dice, more := bench.Dice(r.Bits()), bench.Dice(r.Bits())
	if s.twin.ready() || r.IntN(8) == 0 {
		if dice.Hit(s.enter) {
			s.store(in)
		}
		if dice.Hit(s.ack) {
			s.answer(in)
		}
		if dice.Hit(s.window) {
			x.window.Raise(in)
			c := s.conn(&more)
			if x.ack.On(in) && r.IntN(4) == 0 {
				c = x.ackConn.Get(in)
			}
			x.windowConn.Put(in, c)
			x.windowBytes.Put(in, s.bytes())
		}
		s.leave(in, dice.Hit(s.release))
	}
	if dice.Hit(s.push) || s.crowded() {
		x.pushReady.Raise(in)
	}
	if dice.Hit(s.pop) {
		x.popReady.Raise(in)
	}
	if s.dueing < 0 && dice.Hit(s.due) {
		s.turn()
	}
	if s.dueing >= 0 {
		x.due.Raise(in)
		x.dueConn.Put(in, uint64(s.dueing))
	}
	if s.flushing < 0 && more.Hit(s.flush) {
		s.flushing = int64(s.conn(&more))
	}
	if s.flushing >= 0 {
		x.flush.Raise(in)
		x.flushConn.Put(in, uint64(s.flushing))
	}

	clear(s.want)
	clear(s.care)
	ready := s.twin.ready()
	s.twin.Step(in, s.want, s.care)
	if !ready {
		return
	}
	if s.dueing >= 0 && x.dueReady.On(s.want) {
		s.dueing = -1
	}
	if x.push.On(s.want) && x.pushReady.On(in) {
		s.comes(uint32(x.pushConn.Get(s.want)))
	}
	if x.over.On(s.want) && x.again.On(s.want) {
		s.comes(uint32(x.overConn.Get(s.want)))
	}
	if x.pop.On(s.want) && x.popReady.On(in) {
		s.visits = append(s.visits, visit{conn: uint32(x.popConn.Get(s.want)), budget: int64(x.budget.Get(s.want)), discard: x.discard.On(s.want), wait: -1})
	}
	if s.flushing >= 0 && x.flushReady.On(s.want) {
		if c := s.flushing; s.legal(uint64(c)) {
			s.at[c].flight = nil
			s.at[c].next = r.Bits()
		}
		s.flushing = -1
	}
}

// comes takes a connection into the pacer.
func (s *stimulus) comes(c uint32) {
	if !s.inside[c] {
		s.inside[c] = true
		s.pacer = append(s.pacer, c)
	}
}

// crowded reports whether so many first packets wait for the pacer that another connection may not be
// told twice.
func (s *stimulus) crowded() bool { return 4*len(s.twin.firsts) > int(s.twin.mask) }

// store is a packet for a queue.
func (s *stimulus) store(in []uint64) {
	x, r := s.pins, s.Rng
	dice := bench.Dice(r.Bits())
	c := s.conn(&dice)
	if s.flushing >= 0 && r.IntN(8) > 0 && uint64(s.flushing) == c {
		return
	}
	psn := r.Bits()
	counts := !dice.Hit(s.respond)
	if s.legal(c) {
		t := &s.at[c]
		if len(t.queue) >= s.depth || s.full(uint32(c)) {
			return
		}
		if t.next == 0 && r.IntN(2) == 0 {
			t.next = psn
		}
		mask := uint64(1)<<s.p.PSNBits - 1
		if counts {
			if dice.Hit(s.again) && len(t.flight) > 0 { // the host goes back, to one of the oldest
				t.next = t.flight[r.IntN(min(len(t.flight), 4))].psn
				if r.IntN(2) == 0 {
					t.flight = t.flight[:0]
				}
			}
			if dice.Hit(s.jump) {
				t.next += bench.Pick(r, 1, 2, 100, uint64(s.p.Ring)-1, uint64(s.p.Ring), 2*uint64(s.p.Ring))
			}
			psn = t.next & mask
			t.next = (psn + 1) & mask
		}
		t.queue = append(t.queue, packet{psn & mask, bench.Pick(r, 44, 44, 60, 1500, 1500, 9000, r.Bits()&0x3fff), counts})
	}
	x.enter.Raise(in)
	x.enterConn.Put(in, c)
	x.enterPSN.Put(in, psn)
	if counts {
		x.enterCounts.Raise(in)
	}
}

// full reports whether the unit counts nearly as many packets in a queue as it can: with those on their
// way there may be no more. It counts some that have gone: discarded ones until the end of that visit, and
// those whose RELEASE came so soon after their ENTER that it was illegal.
func (s *stimulus) full(c uint32) bool {
	at, _ := s.twin.unit.State(c)
	mask := uint64(1)<<s.p.PacketBits - 1
	return (at.In-at.Gone)&mask > mask-6
}

// turn offers a connection of the pacer.
func (s *stimulus) turn() {
	r := s.Rng
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.stray) || dice.Hit(s.wrong) {
		s.dueing = int64(s.conn(&dice))
		return
	}
	if n := len(s.pacer); n > 0 {
		i := 0
		if r.IntN(2) == 0 {
			i = r.IntN(n)
		}
		s.dueing = int64(s.pacer[i])
		s.inside[s.pacer[i]] = false
		s.pacer = append(s.pacer[:i], s.pacer[i+1:]...)
	}
}

// leave goes on with the visits: a packet that leaves, and the end.
func (s *stimulus) leave(in []uint64, now bool) {
	x, r := s.pins, s.Rng
	dice := bench.Dice(r.Bits())
	if dice.Hit(s.stray) {
		if !s.crowded() {
			s.strays(in, &dice)
		}
		return
	}
	// A visit whose packets have left may end while the next one's leave.
	for i := range s.visits {
		v := &s.visits[i]
		if v.wait < 0 {
			if now {
				s.send(in, v)
			}
			break
		}
		v.wait--
	}
	if len(s.visits) > 0 && (s.visits[0].wait == 0 || s.last && s.visits[0].wait > 0) {
		v := s.visits[0]
		s.visits = append(s.visits[:0], s.visits[1:]...)
		x.done.Raise(in)
		x.doneConn.Put(in, uint64(v.conn))
		x.wire.Put(in, v.wire)
		if v.discard {
			x.discarded.Raise(in)
		}
	}
}

// send is the next packet of a visit, if there is one.
func (s *stimulus) send(in []uint64, v *visit) {
	x, r := s.pins, s.Rng
	t := &s.at[v.conn]
	end := func() { v.wait = 1 + r.IntN(3) }
	if v.discard {
		t.queue = t.queue[:0]
		v.wait = 1 + r.IntN(30)
		return
	}
	if len(t.queue) == 0 || v.begun && v.budget <= 0 {
		end()
		return
	}
	head := t.queue[0]
	t.queue = append(t.queue[:0], t.queue[1:]...)
	v.begun = true
	v.budget -= int64(head.bytes)
	v.wire += head.bytes + 38
	x.release.Raise(in)
	x.relConn.Put(in, uint64(v.conn))
	x.relPSN.Put(in, head.psn)
	x.bytes.Put(in, head.bytes)
	if head.counts {
		x.counts.Raise(in)
		t.flight = append(t.flight, head)
		if len(t.flight) > 3*int(s.p.Ring) {
			t.flight = t.flight[1:]
		}
	}
	if len(t.queue) == 0 || v.budget <= 0 {
		end()
	}
}

// strays are events out of turn. A connection on its way to the pacer is left alone: it would be there twice.
func (s *stimulus) strays(in []uint64, dice *bench.Dice) {
	x, r := s.pins, s.Rng
	c := s.conn(dice)
	for _, on := range s.twin.firsts {
		if uint64(on) == c {
			return
		}
	}
	switch r.IntN(3) {
	case 0:
		x.release.Raise(in)
		x.relConn.Put(in, c)
		x.relPSN.Put(in, r.Bits())
		x.bytes.Put(in, r.Bits())
		if r.IntN(2) == 0 {
			x.counts.Raise(in)
		}
	default:
		x.done.Raise(in)
		x.doneConn.Put(in, c)
		x.wire.Put(in, r.Bits())
		if r.IntN(4) == 0 {
			x.discarded.Raise(in)
		}
	}
}

// answer is an ACK or a NAK, mostly of what is in flight.
func (s *stimulus) answer(in []uint64) {
	x, r := s.pins, s.Rng
	dice := bench.Dice(r.Bits())
	c := s.conn(&dice)
	psn := r.Bits()
	nak := dice.Hit(s.nak)
	if s.legal(c) {
		t := &s.at[c]
		n := len(t.flight)
		switch {
		case n == 0:
			psn = t.next + r.Bits()%8 - 4
			if r.IntN(2) == 0 {
				return
			}
		case dice.Hit(s.old):
			psn = t.flight[r.IntN(n)].psn
			if r.IntN(4) == 0 {
				psn += bench.Pick(r, uint64(s.p.Ring), -uint64(s.p.Ring), 1, 2)
			}
		default:
			i := 0
			if dice.Hit(s.lose) {
				i = r.IntN(n)
			}
			psn = t.flight[i].psn
			t.flight = append(t.flight[:0], t.flight[i+1:]...)
		}
		if nak {
			psn++
		}
	}
	x.ack.Raise(in)
	x.ackConn.Put(in, c)
	x.ackPSN.Put(in, psn)
	if nak {
		x.nak.Raise(in)
	}
	for i := 0; i < int(s.p.TagBits); i += 64 {
		x.tag.PutBits(in, i, min(64, int(s.p.TagBits)-i), r.Bits())
	}
}
