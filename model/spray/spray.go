// SPDX-License-Identifier: Apache-2.0

// Package spray is the golden model of the baselines: ECMP, a random entropy value (EV) for each
// packet, round-robin EVs, and flowlets. docs/units/spray.md describes them.
package spray

import (
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/model/reps"
)

// Source is the origin of an EV, as in m_ev_source.
type Source uint8

// The sources; those that reps has too have its numbers.
const (
	Continued Source = 0 // the EV of the flowlet
	New       Source = 2 // random: a flowlet begins
	Oblivious Source = 3 // random for each packet
	Fixed     Source = 4 // the hash of the connection
	None      Source = 5 // there is no such connection or NIC port
	InTurn    Source = 6 // the one after the last
)

// Settings are the settings of a cycle.
type Settings struct {
	Mode     uint64 // of the NIC port, 0 to 3
	EVs      uint64 // in use; 0 acts as 1
	Timeout  uint64 // ns; from a quarter of the time's range on, 1 ns less than that
	HashSeed uint64
}

// Packet is a SEND.
type Packet struct {
	Conn, Port uint64
	Inject     bool   // Word is used in place of the generator's
	Word       uint64 // random bits
}

// Entry is the state of a connection on a NIC port, or of those that share it.
type Entry struct {
	EV   uint64 // of the next packet, unless a flowlet begins
	Due  uint64 // ns: time of the last packet + timeout; its low TimerBits count
	Turn int64  // the quarter of its last packet; Never
}

// Never is the quarter of an entry without a packet.
const Never = -2

// Spray is the unit's state.
type Spray struct {
	Words reps.Random // the last word is the one that is drawn

	p       *params.Params
	entries []Entry
	fixed   uint64 // the one mode that is built
	one     bool

	turn  int64  // quarters of the time that have begun
	age   int64  // cycles of this one
	ticks bool   // there was a time
	last  uint64 // it
	early bool   // the last jump was to the next quarter
}

// NewSpray returns the unit in its state after reset, before its entries are cleared.
func NewSpray(p *params.Params) *Spray {
	m := &Spray{p: p, entries: make([]Entry, p.Entries()), Words: reps.NewRandom(p.WireBits(), uint64(p.RandomSeed))}
	m.fixed, m.one = p.FixedMode()
	m.Reset()
	return m
}

// Reset is the reset. Clear has to follow for each entry.
func (m *Spray) Reset() {
	m.Words.Reset(uint64(m.p.RandomSeed))
	m.turn, m.age, m.ticks = 0, int64(len(m.entries))+1, false
}

// Entry returns an entry.
func (m *Spray) Entry(i int64) Entry { return m.entries[i] }

// Turns returns the number of quarters of the time that have begun.
func (m *Spray) Turns() int64 { return m.turn }

// Tick sets the time of a cycle, modulo 2^TimerBits. jump reports a quarter that does not follow
// the last one, or that begins before the last one had as many cycles as the table has entries;
// such a quarter does not count.
func (m *Spray) Tick(now uint64) (jump bool) {
	was, quarter := m.last>>(m.p.TimerBits-2), now>>(m.p.TimerBits-2)
	m.age++
	if m.ticks && was != quarter {
		m.early = quarter == (was+1)&3
		if jump = !m.early || m.age <= int64(len(m.entries)); !jump {
			m.turn++
			m.age = 0
		}
	}
	m.ticks, m.last = true, now
	return jump
}

// Early reports whether the last jump, if it led to the next quarter, came too early.
func (m *Spray) Early() bool { return m.early }

// Find returns the entry of a connection on a NIC port; ok is false if the connection or the port
// does not exist.
func (m *Spray) Find(conn, port uint64) (entry int64, ok bool) {
	if conn >= uint64(m.p.Connections) || port >= uint64(m.p.NICPorts) {
		return 0, false
	}
	row := conn<<sv.CLog2(m.p.NICPorts) | port
	if !m.p.HasTable() {
		return int64(row & 1), true
	}
	if !m.p.Shared() {
		return int64(row), true
	}
	n := sv.CLog2(m.p.Flowlets)
	for entry = 0; row > 0; row >>= n {
		entry ^= int64(row & (1<<n - 1))
	}
	return entry, true
}

// Scale makes an EV of a word: word × evs / 2^bits, rounded down, modulo 2^EVSBits.
func (m *Spray) Scale(word, evs uint64) uint64 {
	return word * evs >> m.p.WireBits() & (1<<m.p.EVSBits - 1)
}

// Clear gives an entry a random EV and forgets its last packet.
func (m *Spray) Clear(entry int64, evs uint64) {
	m.entries[entry] = Entry{EV: m.Scale(uint64(m.Words.Last()), evs), Turn: Never}
}

// Flush clears the entry of a connection on a NIC port; ok is false if the connection or the port
// does not exist.
func (m *Spray) Flush(conn, port, evs uint64) (ok bool) {
	entry, ok := m.Find(conn, port)
	if ok {
		m.Clear(entry, evs)
	}
	return ok
}

// Gone reports whether the flowlet of an entry is over: now is later than the last packet by
// more than the timeout.
func (m *Spray) Gone(e Entry, now uint64) bool {
	return m.turn-e.Turn > 1 || (e.Due-now)>>(m.p.TimerBits-1)&1 == 1
}

// Send gives a packet its EV, without the base.
func (m *Spray) Send(k Packet, set Settings, now uint64) (ev uint64, from Source) {
	i, ok := m.Find(k.Conn, k.Port)
	if !ok {
		return 0, None
	}
	word, mode := uint64(m.Words.Last()), set.Mode
	if k.Inject {
		word = k.Word
	}
	if m.one {
		mode = m.fixed
	}
	e := &m.entries[i]
	over := e.EV >= set.EVs
	switch mode {
	case params.ModeOPS:
		return m.Scale(word, set.EVs), Oblivious
	case params.ModeECMP:
		hash, bits := Hash(k.Conn, set.HashSeed, m.p.HashBits()), m.p.HashBits()
		return m.Scale(hash>>(bits-m.p.WireBits()), set.EVs), Fixed
	case params.ModeRoundRobin:
		if ev, from = e.EV, InTurn; over {
			ev = 0
		}
		e.EV = (ev + 1) & (1<<m.p.EVSBits - 1)
	default:
		if ev, from = e.EV, Continued; over || m.Gone(*e, now) {
			ev, from = m.Scale(word, set.EVs), New
		}
		e.EV = ev
	}
	e.Due, e.Turn = now+min(set.Timeout, 1<<(m.p.TimerBits-2)-1), m.turn
	return ev, from
}

// Hash returns the hash of a connection in words of at least 14 bits: five rounds of
//
//	y[i] = x[i] ^ x[i-6] ^ x[i-13] ^ (x[i-1] & ^x[i-10]) ^ key[i]
//
// with indices modulo the number of bits, from x = conn. The seed is added, by exclusive or, before
// the first round, as rounds cannot be inverted and connections that collide in one stay together,
// and after the second, as before the first alone it would only number connections anew.
func Hash(conn, seed uint64, bits int) uint64 {
	mask := uint64(1)<<bits - 1
	turned := func(x uint64, n int) uint64 { return (x<<n | x>>(bits-n)) & mask }
	x := (conn ^ seed) & mask
	for i, key := range [params.Rounds]uint64{0x9e377, 0x3c6ef, 0xdaa66, 0x78dde, 0x17156} {
		x = x ^ turned(x, 6) ^ turned(x, 13) ^ turned(x, 1)&^turned(x, 10) ^ key&mask
		if i == 1 {
			x ^= seed & mask
		}
	}
	return x
}
