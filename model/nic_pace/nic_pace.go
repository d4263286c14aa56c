// SPDX-License-Identifier: Apache-2.0

// Package nicpace is the golden model of the pacer, one method per step of its lane.
// docs/units/nic_pace.md has the steps and the decisions.
package nicpace

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/nic_pace"
)

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Push    uint64 // connections that wanted a turn
	Done    uint64 // turns that are over
	Rate    uint64 // new rates
	Beyond  uint64 // departure times beyond the wheel
	Late    uint64 // slots that were taken a slot or more late
	Flush   uint64 // connections flushed
	Illegal uint64 // events that were not legal
	Raised  uint64 // departure times raised by an allowance or the scan; not visible at a port
	Far     uint64 // of these, those that were Horizon or more ahead; no port has it
}

// Place is the slot where a step puts its connection.
type Place int

// The places of a connection.
const (
	Nowhere Place = iota
	Due           // its departure time has come
	Wheel         // it waits for it
)

// conn is the state of a connection.
type conn struct {
	inside bool   // in the wheel, or due
	paid   bool   // its last turn is over, or was never
	rate   uint64 // ns a byte, 2^-frac_bits; 0: not paced
	ndt    uint64 // next departure time, 2^-frac_bits ns, modulo 2^(timer_bits+frac_bits)
}

// Pacer is the unit's state.
type Pacer struct {
	Allowance uint64 // ns that a connection was late, and may make up for
	Idle      uint64 // ns that it was idle
	Count     Counters

	conns                   []conn
	slots                   [][]uint32 // the connections of each, in the order in which they came
	turn                    uint64     // number of the slot that was taken last
	frac, shift             int
	time, ndt, number, wide uint64 // masks
	quarter                 uint64 // ns
}

// New returns the unit in its state after reset at time 0, with the run-time settings of p.
func New(p *params.Params) *Pacer {
	mask := func(n int64) uint64 { return ^uint64(0) >> (64 - n) }
	m := &Pacer{
		Allowance: uint64(p.AllowanceNS), Idle: uint64(p.IdleNS),
		conns: make([]conn, p.Connections), slots: make([][]uint32, p.Slots),
		frac: int(p.FracBits), shift: bits.TrailingZeros64(uint64(p.SlotNS)),
		time: mask(p.TimerBits), ndt: mask(p.TimerBits + p.FracBits), number: mask(p.TimerBits - p.SlotShift()), wide: mask(p.RateBits()),
		quarter: 1 << (p.TimerBits - 2),
	}
	for c := range m.conns {
		m.Clear(uint32(c), 0)
	}
	m.Reset(0)
	return m
}

// Reset empties the wheel and the counters, at now, the end of the sweep. Settings and connections
// stay: the sweep clears each connection with Clear.
func (m *Pacer) Reset(now uint64) {
	for s := range m.slots {
		m.slots[s] = m.slots[s][:0]
	}
	m.turn = now & m.time >> m.shift
	m.Count = Counters{}
}

// Clear is the sweep's step of connection c at now.
func (m *Pacer) Clear(c uint32, now uint64) {
	m.conns[c] = conn{paid: true, ndt: m.ago(now, m.quarter)}
}

// Legal reports whether connection c exists.
func (m *Pacer) Legal(c uint32) bool { return uint64(c) < uint64(len(m.conns)) }

// outside returns connection c, if it exists and is neither in the wheel nor due; otherwise it
// counts an illegal event.
func (m *Pacer) outside(c uint32) *conn {
	if !m.Legal(c) || m.conns[c].inside {
		m.Count.Illegal++
		return nil
	}
	return &m.conns[c]
}

// ago returns the departure time that is ns before now.
func (m *Pacer) ago(now, ns uint64) uint64 { return (now - ns) & m.time << m.frac }

// raised returns departure time ndt, or floor if that is later. An ndt that is Horizon or more
// ahead of now also lies in the past, as no departure time is that far ahead.
func (m *Pacer) raised(ndt, floor, now uint64) uint64 {
	ahead := func(of uint64) uint64 { return (ndt>>m.frac - of) & m.time }
	half := m.time >> 1
	below, far := ahead(floor>>m.frac) > half, ahead(now+params.Horizon) <= half
	if !below && !far {
		return ndt
	}
	m.Count.Raised++
	if far && !below {
		m.Count.Far++
	}
	return floor
}

// Rate gives connection c a new rate.
func (m *Pacer) Rate(c uint32, rate uint64) bool {
	if !m.Legal(c) {
		m.Count.Illegal++
		return false
	}
	m.Count.Rate++
	m.conns[c].rate = rate & m.wide
	return true
}

// Push gives connection c a turn at its departure time, which is at most Idle ago. It is now.
func (m *Pacer) Push(c uint32, now uint64) Place {
	s := m.outside(c)
	if s == nil {
		return Nowhere
	}
	m.Count.Push++
	s.paid = false
	s.ndt = m.raised(s.ndt, m.ago(now, m.Idle), now)
	return m.enter(c, s.ndt, now)
}

// Done ends a turn of connection c at now, in which a number of bytes left. again is set if it
// wants another one.
func (m *Pacer) Done(c uint32, bytes uint64, again bool, now uint64) (at Place, legal bool) {
	s := m.outside(c)
	if s == nil {
		return Nowhere, false
	}
	if s.paid {
		m.Count.Illegal++
		return Nowhere, false
	}
	m.Count.Done++
	s.ndt = (m.raised(s.ndt, m.ago(now, m.Allowance), now) + bytes*s.rate) & m.ndt
	if !again {
		s.paid = true
		return Nowhere, true
	}
	return m.enter(c, s.ndt, now), true
}

// Look returns the turn of a connection that was taken from the wheel, if it is due at now.
func (m *Pacer) Look(c uint32, now uint64) Place { return m.enter(c, m.kept(c, now), now) }

// enter puts a connection where a departure time says. It is now.
func (m *Pacer) enter(c uint32, ndt, now uint64) Place {
	m.conns[c].inside = true
	slot := ndt >> (m.frac + m.shift)
	if past := (now&m.time>>m.shift - slot) & m.number; past <= m.number>>1 {
		return Due
	}
	last := m.turn + uint64(len(m.slots)) - 1
	if (slot-last)&m.number <= m.number>>1 {
		m.Count.Beyond++
		slot = last
	}
	at := &m.slots[slot&uint64(len(m.slots)-1)]
	*at = append(*at, c)
	return Wheel
}

// Take takes the next slot at now and returns its connections, each of which has to be checked. The
// list is valid until the next step. When four revolutions or more are due, it leaves out all but
// one to three of them.
func (m *Pacer) Take(now uint64) []uint32 {
	slot := now & m.time >> m.shift
	behind := (slot - m.turn) & m.number
	if behind >= 2 {
		m.Count.Late++
	}
	slots := uint64(len(m.slots))
	next := (m.turn + 1) & m.number
	if behind >= 4*slots {
		next = (slot&^(slots-1) - 2*slots | next&(slots-1)) & m.number
	}
	m.turn = next
	list := m.slots[next&(slots-1)]
	m.slots[next&(slots-1)] = nil
	return list
}

// Behind returns the number of slots that are due at now.
func (m *Pacer) Behind(now uint64) uint64 { return (now&m.time>>m.shift - m.turn) & m.number }

// Leave is the event in which connection c has its turn.
func (m *Pacer) Leave(c uint32) { m.conns[c].inside = false }

// Inside reports whether connection c is in the wheel, or due.
func (m *Pacer) Inside(c uint32) bool { return m.Legal(c) && m.conns[c].inside }

// Paid reports whether connection c's last turn is over, or never was.
func (m *Pacer) Paid(c uint32) bool { return m.conns[c].paid }

// Pace returns the rate of connection c; 0: it is not paced.
func (m *Pacer) Pace(c uint32) uint64 { return m.conns[c].rate }

// Turn returns the number of the slot that was taken last.
func (m *Pacer) Turn() uint64 { return m.turn }

// Departure returns the next departure time of connection c, modulo 2^timer_bits ns, and its fraction.
func (m *Pacer) Departure(c uint32) (ns, fraction uint64) {
	n := m.conns[c].ndt
	return n >> m.frac, n & (1<<m.frac - 1)
}

// Scan returns the departure time of connection c at now, raised if it is so long past that it
// would look like the future. Keep stores it.
func (m *Pacer) Scan(c uint32, now uint64) uint64 { return m.kept(c, now) }

// kept returns the departure time of connection c, at least a quarter of the time's range before now.
func (m *Pacer) kept(c uint32, now uint64) uint64 {
	return m.raised(m.conns[c].ndt, m.ago(now, m.quarter), now)
}

// Keep stores the result of Scan. A DONE, a flush or a PUSH of connection c in between invalidates it.
func (m *Pacer) Keep(c uint32, ndt uint64) { m.conns[c].ndt = ndt }

// Flush returns connection c to its state after a reset, at now, if it is neither in the wheel nor due.
func (m *Pacer) Flush(c uint32, now uint64) (done, legal bool) {
	if !m.Legal(c) {
		m.Count.Illegal++
		return true, false
	}
	if m.conns[c].inside {
		return false, true
	}
	s := &m.conns[c]
	s.paid, s.ndt = true, m.ago(now, m.quarter)
	return true, true
}

// Flushed is the end of a flush of connection c: its rate is cleared, too.
func (m *Pacer) Flushed(c uint32) {
	m.Count.Flush++
	if m.Legal(c) {
		m.conns[c].rate = 0
	}
}
