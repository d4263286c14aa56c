// SPDX-License-Identifier: Apache-2.0

// Package nicgate is the golden model of a NIC's window gate, one method per event.
// docs/units/nic_gate.md has the steps and the decisions.
package nicgate

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/nic_gate"
)

// Settings are the run-time settings. Each event reads them.
type Settings struct {
	InitWindow uint64 // bytes; all ones: no window
	Quantum    uint64 // bytes
	Stall      uint64 // ns
	GoBackN    bool   // a retransmission loses all that is in flight
}

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Enter      uint64 // packets entered
	Release    uint64 // packets released
	Ack        uint64 // ACKs that moved psn_una
	Old        uint64 // ACKs of an entry that moves nothing
	Stray      uint64 // ACKs without an entry
	Nak        uint64 // NAKs
	Retransmit uint64 // packets entered whose PSN is not ahead
	Timeout    uint64 // of them, those that a timer has sent again
	Shut       uint64 // connections due whose window or ring was shut
	Stall      uint64 // packets sent by the stall rule
	Flush      uint64 // connections flushed
	Illegal    uint64 // events that are not legal
}

// Phase is what a connection does.
type Phase uint8

const (
	Idle    Phase = iota // its queue is empty
	Moving               // it is in the pacer, due, or being visited
	Waiting              // it has packets, and its window or ring is shut
)

// String names the phase.
func (p Phase) String() string { return [...]string{"idle", "moving", "waiting"}[p] }

// State is the state of a connection.
type State struct {
	Phase  Phase
	Forced bool   // it moves by the stall rule
	Since  uint64 // ns: the time from which it waits

	Packets uint64 // entered and not released
	Entered bool   // a packet has entered since the flush
	NextIn  uint64 // PSN after that of the packet entered last

	Released bool   // a packet has been released since the flush
	Nxt      uint64 // bytes released, modulo 2^byte_bits
	PSNNxt   uint64 // PSN after the highest released

	Una    uint64 // bytes acknowledged, modulo 2^byte_bits
	PSNUna uint64 // PSN after the highest acknowledged
	Naked  bool   // a NAK came since the last progress

	Window uint64 // bytes
}

// Entry is a packet in a connection's ring.
type Entry struct {
	Valid         bool
	Retransmitted bool
	Tag           uint64 // of the PSN, above the bits that address the ring
	EV            uint64
	Behind        uint64 // Nxt behind this packet
	Time          uint64 // ns, modulo 2^rtt_bits
}

// Packet is a packet that leaves.
type Packet struct {
	PSN    uint64
	Bytes  uint64 // of IP
	EV     uint64
	Counts bool // it will be acknowledged
}

// Sample is what an ACK tells of its packet.
type Sample struct {
	Hit      bool   // the entry was there
	EV       uint64 // its entropy value
	Measured bool   // RTT is there: the packet was sent once
	RTT      uint64 // ns
	Acked    uint64 // bytes newly acknowledged
	Una, Nxt uint64 // after the ACK
}

// Gate is the unit's state.
type Gate struct {
	Settings Settings
	Count    Counters

	conns []State
	ring  [][]Entry
	slots uint64 // entries of a ring
	shift int    // bits of a PSN that address it

	psn, bytes, time, rtt, tag, packets uint64 // masks
}

// New returns the gate as it is after reset, with the run-time settings of p.
func New(p *params.Params) *Gate {
	mask := func(n int64) uint64 { return ^uint64(0) >> (64 - n) }
	g := &Gate{
		Settings: Settings{InitWindow: uint64(p.InitWindow), Quantum: uint64(p.Quantum), Stall: uint64(p.StallNS), GoBackN: p.GoBackN},
		conns:    make([]State, p.Connections), ring: make([][]Entry, p.Connections),
		slots: uint64(p.Ring), shift: bits.TrailingZeros64(uint64(p.Ring)),
		psn: mask(p.PSNBits), bytes: mask(p.ByteBits), time: mask(p.TimerBits), rtt: mask(p.RTTBits), tag: mask(p.TagBits), packets: mask(p.PacketBits),
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
	g.Count = Counters{}
}

// Legal reports whether connection c exists.
func (g *Gate) Legal(c uint32) bool { return uint64(c) < uint64(len(g.conns)) }

// State returns the state of connection c; ok is false if there is none.
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

// ahead reports whether PSN a is b or ahead of it.
func (g *Gate) ahead(a, b uint64) bool { return (a-b)&g.psn <= g.psn>>1 }

// inflight is the number of bytes in flight.
func (g *Gate) inflight(s *State) uint64 { return (s.Nxt - s.Una) & g.bytes }

// room is the number of PSNs that the ring has left.
func (g *Gate) room(s *State) uint64 {
	if used := (s.PSNNxt - s.PSNUna) & g.psn; used < g.slots {
		return g.slots - used
	}
	return 0
}

// open reports whether a packet of s may leave.
func (g *Gate) open(s *State) bool {
	inflight := g.inflight(s)
	return inflight == 0 || g.room(s) > 0 && (s.Window == g.bytes || inflight < s.Window)
}

// Enter notes a packet in the queue of connection c. push: the connection goes to the pacer;
// timeout: the host's timer has sent the packet again.
func (g *Gate) Enter(c uint32, psn uint64) (push, timeout bool) {
	s := g.conn(c)
	if s == nil {
		return false, false
	}
	g.Count.Enter++
	s.Packets = (s.Packets + 1) & g.packets
	switch {
	case !s.Entered:
		s.Una, s.PSNUna, s.PSNNxt = s.Nxt, psn, psn
	case !g.ahead(psn, s.NextIn):
		g.Count.Retransmit++
		if timeout = !s.Naked; timeout {
			g.Count.Timeout++
		}
		if g.Settings.GoBackN {
			s.Una, s.PSNUna = s.Nxt, psn
		}
	}
	s.Entered, s.NextIn = true, (psn+1)&g.psn
	if s.Phase == Idle {
		s.Phase = Moving
		return true, timeout
	}
	return false, timeout
}

// Due decides on connection c, whose departure time has come at now. pop: the queue lets packets of up
// to budget bytes go.
func (g *Gate) Due(c uint32, now uint64) (pop bool, budget uint64) {
	s := g.conn(c)
	if s == nil {
		return false, 0
	}
	if s.Phase != Moving {
		g.Count.Illegal++
		return false, 0
	}
	forced := s.Forced
	s.Forced = false
	if g.open(s) {
		return true, g.budget(s)
	}
	if forced {
		g.Count.Stall++
		return true, 1
	}
	g.Count.Shut++
	s.Phase, s.Since = Waiting, now&g.time
	return false, 0
}

// budget is the most bytes that may leave of s, which is open.
func (g *Gate) budget(s *State) uint64 {
	budget := min(g.Settings.Quantum, params.BytesPerPSN*g.room(s))
	if inflight := g.inflight(s); s.Window != g.bytes && inflight < s.Window {
		budget = min(budget, s.Window-inflight)
	} else if s.Window != g.bytes {
		budget = 1
	}
	return max(budget, 1)
}

// Release notes that a packet of connection c left at now.
func (g *Gate) Release(c uint32, p Packet, now uint64) {
	s := g.conn(c)
	if s == nil {
		return
	}
	if s.Phase != Moving || s.Packets == 0 {
		g.Count.Illegal++
		return
	}
	g.Count.Release++
	s.Packets = (s.Packets - 1) & g.packets
	if !p.Counts {
		return
	}
	again := s.Released && !g.ahead(p.PSN, s.PSNNxt)
	if !again {
		s.PSNNxt = (p.PSN + 1) & g.psn
	}
	s.Released = true
	if !again || g.Settings.GoBackN {
		s.Nxt = (s.Nxt + p.Bytes) & g.bytes
	}
	g.ring[c][p.PSN&(g.slots-1)] = Entry{
		Valid: true, Retransmitted: again, Tag: p.PSN >> g.shift & g.tag, EV: p.EV, Behind: s.Nxt, Time: now & g.rtt,
	}
}

// Done ends the visit of connection c. again: it has packets left, and goes back to the pacer.
func (g *Gate) Done(c uint32) (again bool) {
	s := g.conn(c)
	if s == nil {
		return false
	}
	if s.Phase != Moving {
		g.Count.Illegal++
		return false
	}
	if s.Packets == 0 {
		s.Phase = Idle
		return false
	}
	return true
}

// Ack takes an ACK of connection c, or a NAK, which acknowledges the PSN before. look: the connection
// waits, and is to be looked at again.
func (g *Gate) Ack(c uint32, psn uint64, nak bool, now uint64) (sample Sample, look bool) {
	s := g.conn(c)
	if s == nil {
		return Sample{}, false
	}
	if nak {
		psn = (psn - 1) & g.psn
		g.Count.Nak++
	}
	e := g.ring[c][psn&(g.slots-1)]
	if !e.Valid || e.Tag != psn>>g.shift&g.tag {
		g.Count.Stray++
		if nak {
			s.Naked = true
		}
		return Sample{Una: s.Una, Nxt: s.Nxt}, false
	}
	ahead := (psn-s.PSNUna)&g.psn < (s.PSNNxt-s.PSNUna)&g.psn
	acked := (e.Behind - s.Una) & g.bytes
	if ahead && acked != 0 && acked <= g.bytes>>1 && (g.Settings.GoBackN || !e.Retransmitted) {
		g.Count.Ack++
		s.Una, s.PSNUna, s.Naked = e.Behind, (psn+1)&g.psn, false
	} else {
		g.Count.Old++
		acked = 0
	}
	if nak {
		s.Naked = true
	}
	sample = Sample{Acked: acked, Una: s.Una, Nxt: s.Nxt}
	if !nak {
		sample.Hit, sample.EV = true, e.EV
		if sample.Measured = !e.Retransmitted; sample.Measured {
			sample.RTT = (now - e.Time) & g.rtt
		}
	}
	return sample, s.Phase == Waiting
}

// SetWindow sets the window of connection c. look: as in Ack.
func (g *Gate) SetWindow(c uint32, bytes uint64) (look bool) {
	s := g.conn(c)
	if s == nil {
		return false
	}
	s.Window = bytes & g.bytes
	return s.Phase == Waiting
}

// Look looks at connection c again at now, after an ACK or a window. push: it goes to the pacer.
func (g *Gate) Look(c uint32, now uint64) (push bool) {
	s := &g.conns[c]
	if s.Phase != Waiting {
		return false
	}
	if g.open(s) {
		s.Phase = Moving
		return true
	}
	s.Since = now & g.time
	return false
}

// Scan looks whether connection c has waited too long at now. push: it goes to the pacer.
func (g *Gate) Scan(c uint32, now uint64) (push bool) {
	s := &g.conns[c]
	if s.Phase != Waiting {
		return false
	}
	if open := g.open(s); open || (now-s.Since)&g.time >= g.Settings.Stall {
		s.Phase, s.Forced = Moving, !open
		return true
	}
	return false
}

// Clear empties the entry of the ring of connection c for the PSN's low bits: a flush does so for each.
func (g *Gate) Clear(c uint32, slot uint64) { g.ring[c][slot] = Entry{} }

// Flush sets the rest of connection c to its state after reset.
func (g *Gate) Flush(c uint32) {
	if s := g.conn(c); s != nil {
		g.Count.Flush++
		*s = State{Window: g.Settings.InitWindow}
	}
}
