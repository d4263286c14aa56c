// SPDX-License-Identifier: Apache-2.0

// Package nicecho is the golden model of the receiver side of path feedback, one method per event.
// docs/units/nic_echo.md has the steps and the decisions.
package nicecho

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/nic_echo"
)

// Settings are the run-time settings. Each event reads them.
type Settings = params.Settings

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Data      uint64 // packets received
	Marked    uint64 // of them, marked
	Duplicate uint64 // of them, with a PSN that is in the ring; 0 without lists
	Hit       uint64 // ACKs whose packet is in the ring
	Miss      uint64 // ACKs whose packet is not
	Feedback  uint64 // lists that went out
	Lost      uint64 // EVs that a full list lost
	Flush     uint64 // connections flushed
	Illegal   uint64 // events for a connection that does not exist
}

// Shim is telemetry as it came, the first word lowest.
type Shim [8]uint64

// Packet is a packet received.
type Packet struct {
	PSN      uint64
	EV       uint64
	CE       bool
	Feedback bool  // its connection wants feedback packets
	Shim     *Shim // nil: it had none
}

// Echo is the information that goes with an ACK.
type Echo struct {
	Hit   bool // EV is there
	EV    uint64
	Mark  bool
	Fresh bool // Shim is there
	Shim  Shim
}

// Seen is a packet in a list.
type Seen struct {
	EV uint64
	CE bool
}

// Feedback is the content of a feedback packet.
type Feedback struct {
	PSN   uint64 // of the packet received last
	Seen  []Seen // oldest first
	Again bool   // a packet came that had come before
}

type entry struct {
	valid   bool
	tag, ev uint64
	ce      bool
}

type conn struct {
	ring   []entry
	marked bool // since the last ACK
	fresh  bool
	shim   Shim
	list   []Seen
	first  uint64 // ns: when the first of the list came
	psn    uint64 // of the newest in the list
	again  bool
}

// Unit is the unit's state.
type Unit struct {
	Settings Settings
	Count    Counters

	conns          []conn
	slots          uint64
	shift, most    int
	tag, psn, time uint64 // masks
}

// New returns the unit in its state after reset, with the run-time settings of p.
func New(p *params.Params) *Unit {
	mask := func(n int64) uint64 { return ^uint64(0) >> (64 - n) }
	u := &Unit{
		Settings: Settings{ECNOr: p.ECNOr, FeedbackPackets: uint64(p.FeedbackPackets), FeedbackTime: uint64(p.FeedbackNS)},
		conns:    make([]conn, p.Connections), slots: uint64(p.Ring), shift: bits.TrailingZeros64(uint64(p.Ring)), most: int(p.List),
		tag: mask(p.TagBits), psn: mask(p.PSNBits), time: mask(p.TimerBits),
	}
	for c := range u.conns {
		u.conns[c].ring = make([]entry, p.Ring)
	}
	return u
}

// Reset returns every connection and the counters to their state after reset. Settings stay.
func (u *Unit) Reset() {
	for c := range u.conns {
		clear(u.conns[c].ring)
		u.conns[c] = conn{ring: u.conns[c].ring}
	}
	u.Count = Counters{}
}

// Legal reports whether connection c exists.
func (u *Unit) Legal(c uint32) bool { return uint64(c) < uint64(len(u.conns)) }

// conn returns connection c, or counts an illegal event.
func (u *Unit) conn(c uint32) *conn {
	if !u.Legal(c) {
		u.Count.Illegal++
		return nil
	}
	return &u.conns[c]
}

// Data takes a packet of connection c that came at now. due is set if its list now fills a feedback
// packet.
func (u *Unit) Data(c uint32, p Packet, now uint64) (due bool) {
	s := u.conn(c)
	if s == nil {
		return false
	}
	u.Count.Data++
	if p.CE {
		u.Count.Marked++
	}
	e := &s.ring[p.PSN&(u.slots-1)]
	tag := p.PSN >> u.shift & u.tag
	duplicate := e.valid && e.tag == tag
	*e = entry{true, tag, p.EV, p.CE}
	s.marked = s.marked || p.CE
	if p.Shim != nil {
		s.fresh, s.shim = true, *p.Shim
	}
	if u.most == 0 {
		return false
	}
	if duplicate {
		u.Count.Duplicate++
	}
	if !p.Feedback {
		return false
	}
	if duplicate {
		s.again = true
		return false
	}
	if len(s.list) == 0 {
		s.first = now & u.time
	}
	if len(s.list) == u.most {
		u.Count.Lost++
		s.list = append(s.list[:0], s.list[1:]...)
	}
	s.list, s.psn = append(s.list, Seen{p.EV, p.CE}), p.PSN&u.psn
	return uint64(len(s.list)) == u.enough()
}

// enough returns the number of packets that a feedback packet waits for.
func (u *Unit) enough() uint64 {
	return max(1, min(u.Settings.FeedbackPackets, uint64(u.most)))
}

// Ack answers a departing ACK of connection c.
func (u *Unit) Ack(c uint32, psn uint64) Echo {
	s := u.conn(c)
	if s == nil {
		return Echo{}
	}
	var echo Echo
	if e := s.ring[psn&(u.slots-1)]; e.valid && e.tag == psn>>u.shift&u.tag {
		u.Count.Hit++
		echo = Echo{Hit: true, EV: e.ev, Mark: e.ce}
	} else {
		u.Count.Miss++
	}
	if u.Settings.ECNOr {
		echo.Mark = s.marked
	}
	s.marked = false
	if s.fresh {
		echo.Fresh, echo.Shim = true, s.shim
		s.fresh = false
	}
	return echo
}

// Scan reports whether the list of connection c has waited long enough at now, or is full enough.
func (u *Unit) Scan(c uint32, now uint64) (due bool) {
	s := &u.conns[c]
	return len(s.list) > 0 && (uint64(len(s.list)) >= u.enough() || (now-s.first)&u.time >= u.Settings.FeedbackTime)
}

// Take takes the list of connection c for a feedback packet. It may be empty by now.
func (u *Unit) Take(c uint32) (f Feedback, ok bool) {
	s := &u.conns[c]
	if len(s.list) == 0 {
		return Feedback{}, false
	}
	u.Count.Feedback++
	f = Feedback{PSN: s.psn, Seen: append([]Seen(nil), s.list...), Again: s.again}
	s.list, s.again = s.list[:0], false
	return f, true
}

// Clear empties an entry of connection c's ring: a flush does so for each of them.
func (u *Unit) Clear(c uint32, slot uint64) { u.conns[c].ring[slot] = entry{} }

// Flush returns the rest of connection c to its state after reset.
func (u *Unit) Flush(c uint32) {
	if s := u.conn(c); s != nil {
		u.Count.Flush++
		*s = conn{ring: s.ring}
	}
}

// Occupied reports whether the place of a PSN in connection c's ring has an entry, of any PSN.
func (u *Unit) Occupied(c uint32, psn uint64) bool { return u.conns[c].ring[psn&(u.slots-1)].valid }
