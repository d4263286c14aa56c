// SPDX-License-Identifier: Apache-2.0

// Package nicgate is the golden model of a NIC's window gate, one method per event.
// docs/units/nic_gate.md has the steps and the decisions.
//
// Each part of a connection's state has one writer, and the others have a view of it, which may be
// some cycles old. So an event receives the views that it uses: a caller without a clock takes them
// right before.
package nicgate

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/nic_gate"
)

// Settings are the run-time settings. Each event reads them.
type Settings struct {
	InitWindow uint64 // bytes; all ones: no window
	Quantum    uint64 // bytes
	Flight     uint64 // ns: a packet that left so recently may be in flight
	GoBackN    bool   // a retransmission loses all that is in flight
}

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Ack        uint64 // ACKs and NAKs that acknowledged bytes
	Old        uint64 // those whose packet is in the ring, but acknowledged nothing
	Stray      uint64 // those whose packet is not
	Retransmit uint64 // packets stored whose PSN is not ahead
	Timeout    uint64 // of them, those that a timer has sent again although they had left
	Shut       uint64 // turns of connections whose window or ring was shut
	Stall      uint64 // turns by the stall rule
	Illegal    uint64 // events that are not legal
}

// State is the state of a connection, by writer.
type State struct {
	// Packets stored.
	In      uint64 // packets, modulo 2^packet_bits
	Known   bool   // a packet that counts was stored since the flush
	LastIn  uint64 // PSN of the last one
	Restart Restart

	// Packets that leave.
	Gone uint64 // packets, modulo 2^packet_bits
	Sent Sent
	When uint64 // one that counts left last, in ticks
	Base uint64 // PSN before the one with which the ring began anew

	// ACKs.
	Acked Acked
	Naked bool // a NAK came since the last progress

	Window uint64 // bytes

	// Visits and turns.
	Active  bool   // it has turns: packets were stored, and every visit since has found some
	Waiting bool   // its window or its ring is shut, so it has no turn
	Forced  bool   // its next turn is by the stall rule
	Since   uint64 // the step of the time in which it began to wait
}

// Restart is a restart of a connection, which marks everything released as acknowledged.
type Restart struct {
	Number uint64 // number of restarts
	Una    uint64 // bytes acknowledged
	PSN    uint64 // the highest acknowledged
}

// Sent is the released position.
type Sent struct {
	Any bool   // a packet that counts, since the flush
	Nxt uint64 // bytes, modulo 2^32
	PSN uint64 // the highest
}

// Acked is the acknowledged position.
type Acked struct {
	Una   uint64 // bytes, modulo 2^32
	PSN   uint64 // the highest
	Taken uint64 // number of the restart before: a later one counts instead
}

// Flight is a turn's knowledge of a connection.
type Flight struct {
	Bytes  uint64 // in flight, modulo 2^byte_bits
	PSNs   uint64 // of the ring that are used
	Anew   bool   // by where the ring began anew: PSNs have jumped since the last ACK
	Window uint64 // bytes
}

// Entry is a packet in a connection's ring.
type Entry struct {
	Valid  bool
	Again  bool   // it was sent before
	Lap    uint64 // of the PSN, above the bits that address the ring
	EV     uint64
	Behind uint64 // bytes released, with this packet, modulo 2^byte_bits
	Time   uint64 // ns, modulo 2^rtt_bits
}

// Packet is a packet that leaves.
type Packet struct {
	PSN    uint64
	Bytes  uint64 // of IP
	Counts bool   // it will be acknowledged
}

// Sample is an ACK's information about its packet.
type Sample struct {
	Hit      bool   // the entry was there
	EV       uint64 // its entropy value
	Measured bool   // RTT is there: the packet was sent once
	RTT      uint64 // ns
	Moved    bool   // bytes are newly acknowledged
	Acked    uint64 // acknowledged bytes
	PSNs     uint64 // PSNs newly acknowledged, modulo 2^16, and at most 255
	Una      uint64 // bytes released with the packet and before it, modulo 2^32; 0 if its entry is not there
	Nxt      uint64 // bytes released, modulo 2^32
}

// Gate is the unit's state.
type Gate struct {
	Settings Settings
	Count    Counters

	conns []State
	ring  [][]Entry
	slots uint64 // entries of a ring
	shift int    // bits of a PSN that address it
	step  uint64 // of the time, modulo steps

	psn, bytes, rtt, lap, ticks, packets uint64 // masks
}

const (
	total = 1<<params.CountBits - 1 // mask of byte counters
	steps = 8
)

// New returns the gate in its state after reset, with the run-time settings of p.
func New(p *params.Params) *Gate {
	mask := func(n int64) uint64 { return ^uint64(0) >> (64 - n) }
	g := &Gate{
		Settings: Settings{InitWindow: uint64(p.InitWindow), Quantum: uint64(p.Quantum), Flight: uint64(p.FlightNS), GoBackN: p.GoBackN},
		conns:    make([]State, p.Connections), ring: make([][]Entry, p.Connections),
		slots: uint64(p.Ring), shift: bits.TrailingZeros64(uint64(p.Ring)),
		psn: mask(p.PSNBits), bytes: mask(p.ByteBits), rtt: mask(p.RTTBits), lap: mask(p.LapBits), ticks: mask(p.TimerBits - params.TickBits), packets: mask(p.PacketBits),
	}
	for i := range g.ring {
		g.ring[i] = make([]Entry, p.Ring)
	}
	g.Reset()
	return g
}

// Reset returns every connection and the counters to their state after reset. Settings stay.
func (g *Gate) Reset() {
	for i := range g.conns {
		g.conns[i] = State{Window: g.Settings.InitWindow}
		clear(g.ring[i])
	}
	g.Count, g.step = Counters{}, 0
}

// Legal reports whether connection c exists.
func (g *Gate) Legal(c uint32) bool { return uint64(c) < uint64(len(g.conns)) }

// State returns the state of connection c; ok is false if the connection does not exist.
func (g *Gate) State(c uint32) (s State, ok bool) {
	if !g.Legal(c) {
		return State{}, false
	}
	return g.conns[c], true
}

// conn returns connection c, or counts an illegal event.
func (g *Gate) conn(c uint32) *State {
	if !g.Legal(c) {
		g.Count.Illegal++
		return nil
	}
	return &g.conns[c]
}

// ahead reports whether PSN a is ahead of b.
func (g *Gate) ahead(a, b uint64) bool { return (a-b-1)&g.psn <= g.psn>>1 }

// acked returns the acknowledged position of s, restarts included.
func (s *State) acked() Acked {
	if s.Restart.Number != s.Acked.Taken {
		return Acked{Una: s.Restart.Una, PSN: s.Restart.PSN, Taken: s.Acked.Taken}
	}
	return s.Acked
}

// Flight returns the knowledge of a turn about connection c.
func (g *Gate) Flight(c uint32) Flight {
	s := &g.conns[c]
	a := s.acked()
	f := Flight{Bytes: (s.Sent.Nxt - a.Una) & g.bytes, Window: s.Window}
	if s.Sent.Any {
		if f.PSNs = (s.Sent.PSN - a.PSN) & g.psn; f.PSNs >= g.slots {
			f.Anew, f.PSNs = true, (s.Sent.PSN-s.Base)&g.psn
		}
	}
	return f
}

// room returns the number of PSNs that the ring has left.
func (g *Gate) room(f Flight) uint64 { return g.slots - min(f.PSNs, g.slots) }

// Open reports whether a packet may leave.
func (g *Gate) Open(f Flight) bool {
	return f.Bytes == 0 || g.room(f) > 0 && (f.Window == g.bytes || f.Bytes < f.Window)
}

// Stored is the output of ENTER.
type Stored struct {
	Push    bool   // the connection goes to the pacer
	Again   bool   // the packet was stored before
	Left    bool   // and has left: it is in flight, or lost
	Age     uint64 // ticks since a packet of its connection left
	Restart bool   // all that was released is acknowledged: Again follows
}

// Enter records a packet in the queue of connection c; counts is set if it will be acknowledged. seen is
// a view of the packets that left. It comes at now.
func (g *Gate) Enter(c uint32, psn uint64, counts bool, seen State, now uint64) (out Stored, ok bool) {
	s := g.conn(c)
	if s == nil {
		return Stored{}, false
	}
	s.In = (s.In + 1) & g.packets
	if out.Push = !s.Active; out.Push {
		s.Active = true
	}
	if !counts {
		return out, true
	}
	out.Again = s.Known && !g.ahead(psn, s.LastIn)
	sent := seen.Sent
	behind := (sent.PSN - psn) & g.psn
	waits := !sent.Any || behind > g.psn>>1 // the first copy is still in the queue
	out.Age = (now>>params.TickBits - seen.When) & g.ticks
	out.Left = out.Again && sent.Any && behind < g.slots
	out.Restart = !s.Known || out.Again && g.Settings.GoBackN && !waits
	s.Known, s.LastIn = true, psn
	return out, true
}

// Again completes an ENTER whose packet was stored before, or restarts; nxt is a view of the bytes
// released. timeout is set if the host's timer has sent the packet again.
func (g *Gate) Again(c uint32, psn uint64, out Stored, nxt uint64) (timeout bool) {
	s := &g.conns[c]
	if out.Restart {
		s.Restart = Restart{Number: s.Restart.Number + 1, Una: nxt, PSN: (psn - 1) & g.psn}
	}
	if out.Again {
		g.Count.Retransmit++
		if timeout = out.Left && out.Age >= g.Settings.Flight>>params.TickBits && !s.Naked; timeout {
			g.Count.Timeout++
		}
	}
	return timeout
}

// Due decides on connection c, which has its turn, with a view of its bytes in flight. pop is set
// if the queue may release packets of up to budget bytes.
func (g *Gate) Due(c uint32, f Flight) (pop bool, budget uint64) {
	s := g.conn(c)
	if s == nil {
		return false, 0
	}
	if !s.Active || s.Waiting {
		g.Count.Illegal++
		return false, 0
	}
	forced := s.Forced
	s.Forced = false
	if g.Open(f) {
		return true, g.budget(f)
	}
	if forced {
		g.Count.Stall++
		return true, 1
	}
	g.Count.Shut++
	s.Waiting, s.Since = true, g.step
	return false, 0
}

// budget returns the most bytes that may leave, of a connection that is open.
func (g *Gate) budget(f Flight) uint64 {
	budget := min(g.Settings.Quantum, params.BytesPerPSN*g.room(f))
	if f.Window != g.bytes {
		budget = min(budget, f.Window-min(f.Bytes, f.Window))
	}
	return max(budget, 1)
}

// Release records that a packet of connection c leaves, with views of the packets stored and of the
// bytes acknowledged. If the entry is valid, it has to be put into the ring, with its EV and its
// time. idle is set if nothing was in flight before it. It leaves at now.
func (g *Gate) Release(c uint32, p Packet, in, una, now uint64) (e Entry, idle, ok bool) {
	s := g.conn(c)
	if s == nil {
		return Entry{}, false, false
	}
	if s.Gone == in {
		g.Count.Illegal++
		return Entry{}, false, false
	}
	s.Gone = (s.Gone + 1) & g.packets
	idle = (s.Sent.Nxt-una)&g.bytes == 0
	if !p.Counts {
		return Entry{}, idle, true
	}
	s.When = now >> params.TickBits & g.ticks
	behind := (s.Sent.PSN - p.PSN) & g.psn
	again := s.Sent.Any && behind < g.slots
	if next := s.Sent.Any && ^behind&g.psn < g.slots; idle || !again && !next {
		s.Base = (p.PSN - 1) & g.psn
	}
	if !again {
		s.Sent.PSN = p.PSN
	}
	s.Sent.Any = true
	if !again || g.Settings.GoBackN {
		s.Sent.Nxt = (s.Sent.Nxt + p.Bytes) & total
	}
	return Entry{Valid: true, Again: again, Lap: p.PSN >> g.shift & g.lap, Behind: s.Sent.Nxt & g.bytes}, idle, true
}

// Una returns a view of the bytes acknowledged, for Release.
func (g *Gate) Una(c uint32) uint64 { return g.conns[c].acked().Una }

// Slot returns the place of a PSN in a ring.
func (g *Gate) Slot(psn uint64) uint64 { return psn & (g.slots - 1) }

// Put puts the entry of a PSN into the ring of connection c, as it leaves with ev at now.
func (g *Gate) Put(c uint32, psn uint64, e Entry, ev, now uint64) {
	e.EV, e.Time = ev, now&g.rtt
	g.ring[c][g.Slot(psn)] = e
}

// Find returns the entry of connection c's ring for a PSN; it may belong to another PSN.
func (g *Gate) Find(c uint32, psn uint64) Entry { return g.ring[c][g.Slot(psn)] }

// Gone returns a view of the packets that left connection c, for Done.
func (g *Gate) Gone(c uint32) uint64 { return g.conns[c].Gone }

// Done ends the visit of connection c, with a view of the packets that left. again is set if
// packets remain and it returns to the pacer.
func (g *Gate) Done(c uint32, gone uint64) (again, ok bool) {
	s := g.conn(c)
	if s == nil {
		return false, false
	}
	if !s.Active {
		g.Count.Illegal++
		return false, false
	}
	s.Active = s.In != gone
	return s.Active, true
}

// Named returns the PSN to which an ACK of psn refers: a NAK acknowledges the one before.
func (g *Gate) Named(psn uint64, nak bool) uint64 {
	if nak {
		psn--
	}
	return psn & g.psn
}

// Ack takes an ACK of connection c, or a NAK; psn is the one that it names, and e the entry found
// for it. Without counts it is never stray. sent and restart are views. It comes at now.
func (g *Gate) Ack(c uint32, psn uint64, nak, counts bool, e Entry, sent Sent, restart Restart, now uint64) Sample {
	s := &g.conns[c]
	a := s.Acked
	if restart.Number != a.Taken {
		a = Acked{Una: restart.Una, PSN: restart.PSN}
	}
	out := Sample{Nxt: sent.Nxt}
	hit := e.Valid && e.Lap == psn>>g.shift&g.lap
	una := (sent.Nxt - (sent.Nxt-e.Behind)&g.bytes) & total
	acked, released := (una-a.Una)&g.bytes, !g.ahead(psn, sent.PSN)
	if hit {
		out.Una = una
	}
	switch {
	case !hit:
		if counts {
			g.Count.Stray++
		}
	case released && acked != 0 && acked <= g.bytes>>1+1 && (g.Settings.GoBackN || !e.Again):
		g.Count.Ack++
		out.Moved, out.Acked, out.PSNs = true, acked, min((psn-a.PSN)&(1<<params.NearBits-1), 1<<params.PSNsBits-1)
		s.Acked, s.Naked = Acked{Una: una, PSN: psn, Taken: restart.Number}, false
	default:
		g.Count.Old++
	}
	if nak {
		s.Naked = true
	} else if hit {
		out.Hit, out.EV, out.Measured = true, e.EV, !e.Again
		if out.Measured {
			out.RTT = (now - e.Time) & g.rtt
		}
	}
	return out
}

// Pending reports whether connection c has not taken over the restart of a view.
func (g *Gate) Pending(c uint32, restart Restart) bool {
	return restart.Number != g.conns[c].Acked.Taken
}

// SetWindow sets the window of connection c.
func (g *Gate) SetWindow(c uint32, bytes uint64) (ok bool) {
	s := g.conn(c)
	if s == nil {
		return false
	}
	s.Window = bytes & g.bytes
	return true
}

// Waiting reports whether connection c waits: it is then checked again after an ACK that moved, or
// a window.
func (g *Gate) Waiting(c uint32) bool { return g.conns[c].Waiting }

// Look checks connection c again, after an ACK or a window. push is set if it goes to the pacer.
func (g *Gate) Look(c uint32, f Flight) (push bool) {
	s := &g.conns[c]
	if !s.Waiting {
		return false
	}
	if g.Open(f) {
		s.Waiting = false
		return true
	}
	s.Since, s.Forced = g.step, false
	return false
}

// Scan looks whether connection c has waited too long. push: it goes to the pacer.
func (g *Gate) Scan(c uint32, f Flight) (push bool) {
	s := &g.conns[c]
	if !s.Waiting {
		return false
	}
	if open := g.Open(f); open || g.Waited(c) >= 2 {
		s.Waiting, s.Forced = false, !open
		return true
	}
	return false
}

// Waited returns the number of time steps for which connection c has waited, if it waits.
func (g *Gate) Waited(c uint32) uint64 { return (g.step - g.conns[c].Since) % steps }

// Tick is the end of a step of the time.
func (g *Gate) Tick() { g.step = (g.step + 1) % steps }

// A flush begins with Discard, if packets wait or mine is set: they are discarded, and no turn is
// in progress. It clears the remaining state, each part by its writer, and ends with End.

// Discard makes connection c wait no longer.
func (g *Gate) Discard(c uint32) { s := &g.conns[c]; s.Waiting, s.Forced = false, false }

// ClearSlot empties an entry of the ring of connection c.
func (g *Gate) ClearSlot(c uint32, slot uint64) { g.ring[c][slot] = Entry{} }

// ClearStored forgets the PSNs stored. Again follows, with a restart: all released packets are
// taken as acknowledged.
func (g *Gate) ClearStored(c uint32) { g.conns[c].Known = false }

// ClearSent forgets the PSNs that left; empty is set if no stored packet remains.
func (g *Gate) ClearSent(c uint32, empty bool, in uint64) {
	s := &g.conns[c]
	if s.Sent.Any, s.Sent.PSN = false, 0; empty {
		s.Gone = in
	}
}

// ClearNaked forgets NAKs.
func (g *Gate) ClearNaked(c uint32) { g.conns[c].Naked = false }

// ClearWindow is the window after a reset.
func (g *Gate) ClearWindow(c uint32) { g.conns[c].Window = g.Settings.InitWindow }

// End ends the visit that discarded the packets of connection c.
func (g *Gate) End(c uint32) { g.conns[c].Active = false }

// Flush performs a whole flush of connection c in one call, for callers that need no steps in
// between.
func (g *Gate) Flush(c uint32) {
	if !g.Legal(c) {
		return
	}
	g.Discard(c)
	for slot := range g.slots {
		g.ClearSlot(c, slot)
	}
	g.ClearStored(c)
	g.Again(c, 0, Stored{Restart: true}, g.conns[c].Sent.Nxt)
	g.ClearSent(c, true, g.conns[c].In)
	g.ClearNaked(c)
	g.ClearWindow(c)
	g.End(c)
}
