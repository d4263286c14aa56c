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

// visit holds the result of a pop.
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
	x          wires
	twin       *golden // a copy of the unit's state
	want, care []uint64

	enter, push, due, pop, release, ack, window, flush uint64 // chances in 1/256
	respond, again, jump, nak, old, lose               uint64
	stray, wrong                                       uint64 // of events out of turn, of connections that do not exist
	conns                                              int64  // connections in favour
	all                                                bool   // all of them, in every episode
	depth                                              int    // packets that wait in a queue, at most
	small                                              bool   // windows, of a few packets
	last                                               bool   // visits are over with their last packet
	set                                                params.Settings

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
	twin, err := newGolden(p, l, true)
	if err != nil {
		return nil, err
	}
	s := &stimulus{p: p, twin: twin, Traffic: bench.NewTraffic(seed, 0x67617465, p.TimerBits),
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords), at: make([]conn, p.Connections), inside: make([]bool, p.Connections), dueing: -1, flushing: -1, all: all}
	s.Sweep = p.Sweep()
	s.Start()
	return s, s.x.bind(p, l)
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
	if r.IntN(8) == 0 { // turns in each cycle: looks have to wait
		s.enter, s.push, s.due, s.pop, s.window, s.ack, s.conns = 256, 256, 256, 256, 256, 256, p.Connections
	}
	s.depth = bench.Pick(r, 1, 2, 8, min(40, 1<<p.PacketBits-4))
	s.small = r.IntN(3) > 0
	s.last = r.IntN(2) == 0
	s.set.GoBackN = r.IntN(3) > 0
	s.set.FlushForce = r.IntN(8) == 0
	s.set.Quantum = bench.Pick(r, uint64(p.Quantum), 1, 64, 1500, 65535, 0, r.Bits()&0xffff)
	s.set.InitWindow = s.bytes()
	s.set.Stall = bench.Pick(r, uint64(p.StallNS), 0, 1, 200, 2000, 20_000)
	s.set.Flight = bench.Pick(r, uint64(p.FlightNS), 0, 256, 2000, 20_000)
	s.Pace = bench.Pick(r, bench.PaceClock, bench.PaceClock, bench.PaceClock, bench.PaceStill, bench.PaceOne, bench.PaceRandom, bench.PaceJump)
	s.MayWrap(4)
	s.MayReset(s.Sweep+10_000, 8)
}

// jumps makes the time jump.
func (s *stimulus) jumps() {
	s.Now += 3
	if s.Rng.IntN(64) == 0 {
		s.Now += bench.Pick(s.Rng, s.set.Stall/2, s.set.Stall, s.set.Stall+1, s.Rng.Bits())
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
	x, r := &s.x, s.Rng
	if s.Cycle(s.episode) {
		x.rst.Raise(in)
		clear(s.at)
		clear(s.inside)
		s.pacer, s.visits, s.dueing, s.flushing = s.pacer[:0], s.visits[:0], -1, -1
	}
	s.Pass(s.jumps)
	if s.flushing >= 0 && r.IntN(64) == 0 {
		s.set.FlushForce = !s.set.FlushForce
	}
	x.set.Drive(in, &s.set)
	x.inputs.Drive(in, &params.Inputs{Now: s.Now, EV: r.Bits()})

	dice, more := bench.Dice(r.Bits()), bench.Dice(r.Bits())
	if s.twin.f.Ready() || r.IntN(8) == 0 {
		if dice.Hit(s.enter) {
			s.store(in)
		}
		if dice.Hit(s.ack) {
			s.answer(in)
		}
		if dice.Hit(s.window) {
			c := s.conn(&more)
			if e := x.acks.Of(in); e != nil && r.IntN(4) == 0 {
				c = uint64(e.Conn)
			}
			x.windows.Drive(in, &params.Window{Conn: uint32(c), Bytes: s.bytes()})
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
		x.dues.Drive(in, &params.Due{Conn: uint32(s.dueing)})
	}
	if s.flushing < 0 && more.Hit(s.flush) {
		s.flushing = int64(s.conn(&more))
	}
	if s.flushing >= 0 {
		x.flushes.Drive(in, &params.Flush{Conn: uint32(s.flushing)})
	}

	ready := s.twin.f.Ready()
	s.twin.f.Step(in, s.want, s.care)
	if !ready {
		return
	}
	if s.dueing >= 0 && x.dueReady.On(s.want) {
		s.dueing = -1
	}
	if e := (params.Push{}); x.pushReady.On(in) && x.pushes.Read(s.want, &e) {
		s.comes(e.Conn)
	}
	if e := (params.Over{}); x.overs.Read(s.want, &e) && e.Again {
		s.comes(e.Conn)
	}
	if e := (params.Pop{}); x.popReady.On(in) && x.visits.Read(s.want, &e) {
		s.visits = append(s.visits, visit{conn: e.Conn, budget: int64(e.Budget), discard: e.Discard, wait: -1})
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

// crowded reports whether the number of first packets that wait for the pacer excludes announcing
// another connection twice.
func (s *stimulus) crowded() bool { return 4*len(s.twin.firsts) > int(s.twin.mask) }

// store is a packet for a queue.
func (s *stimulus) store(in []uint64) {
	x, r := &s.x, s.Rng
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
			} else if dice.Hit(s.again) && len(t.queue) > 0 { // or to one that waits: its timer ran meanwhile
				if q := t.queue[r.IntN(len(t.queue))]; q.counts {
					t.next = q.psn
				}
			}
			if dice.Hit(s.jump) {
				t.next += bench.Pick(r, 1, 2, 100, uint64(s.p.Ring)-1, uint64(s.p.Ring), 2*uint64(s.p.Ring), -uint64(s.p.Ring)-1, r.Bits())
			}
			psn = t.next & mask
			t.next = (psn + 1) & mask
		}
		t.queue = append(t.queue, packet{psn & mask, bench.Pick(r, 44, 44, 60, 1500, 1500, 9000, r.Bits()&0x3fff), counts})
	}
	x.enters.Drive(in, &params.Enter{Conn: uint32(c), PSN: psn, Counts: counts})
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
	x, r := &s.x, s.Rng
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
		x.dones.Drive(in, &params.Done{Conn: v.conn, Wire: v.wire, Discard: v.discard})
	}
}

// send is the next packet of a visit, if there is one.
func (s *stimulus) send(in []uint64, v *visit) {
	x, r := &s.x, s.Rng
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
	x.releases.Drive(in, &params.Release{Conn: v.conn, PSN: head.psn, Bytes: head.bytes, Counts: head.counts})
	if head.counts {
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
	x, r := &s.x, s.Rng
	c := s.conn(dice)
	for _, on := range s.twin.firsts {
		if uint64(on) == c {
			return
		}
	}
	switch r.IntN(3) {
	case 0:
		e := params.Release{Conn: uint32(c), PSN: r.Bits()}
		e.Bytes = r.Bits()
		e.Counts = r.IntN(2) == 0
		x.releases.Drive(in, &e)
	default:
		e := params.Done{Conn: uint32(c), Wire: r.Bits()}
		e.Discard = r.IntN(4) == 0
		x.dones.Drive(in, &e)
	}
}

// answer writes an ACK or a NAK, mostly for packets in flight.
func (s *stimulus) answer(in []uint64) {
	x, r := &s.x, s.Rng
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
	e := params.ACK{Conn: uint32(c), PSN: psn, NAK: nak, Counts: r.IntN(8) > 0}
	for i := range (s.p.TagBits + 63) / 64 {
		e.Tag[i] = r.Bits()
	}
	x.acks.Drive(in, &e)
}
