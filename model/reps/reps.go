// SPDX-License-Identifier: Apache-2.0

// Package reps is the golden model of the REPS entropy buffer: Algorithms 1 and
// 2 of Bonato et al., "REPS: Recycled Entropy Packet Spraying", one method per
// event. docs/units/reps.md has the decisions where the pseudo-code is incomplete.
//
// The model keeps the state in the paper's terms (a validity bit per entry, a fill count, a use
// count per entry); the hardware keeps less. The bench shows that the two agree on every event.
package reps

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	params "github.com/nicgen/nicgen/gen/reps"
)

// Source is the origin of a packet's EV.
type Source uint8

const (
	Cached    Source = iota // the oldest valid EV of the buffer (Algorithm 2 line 3)
	Frozen                  // an EV reused while frozen (Algorithm 2 line 7)
	Explored                // drawn at random by REPS (Algorithm 2 lines 17, 20)
	Oblivious               // drawn at random because the port's mode is OPS
	Fixed                   // the connection's one EV because the port's mode is ECMP
	None                    // no such connection or NIC port: the EV base
)

// String names the source.
func (s Source) String() string {
	return [...]string{"cached", "frozen", "explored", "oblivious", "fixed", "none"}[s]
}

// Mode is the way in which a NIC port assigns EVs.
type Mode = uint8

const (
	REPS Mode = iota // recycled EVs
	OPS              // a random EV for each packet
	ECMP             // one fixed EV per connection
)

// Settings are the run-time settings. Each event reads those that it needs.
type Settings = params.Settings

// Events is the effect of an event, as a set of the bits below.
type Events uint16

const (
	EvAck         Events = 1 << iota // a good EV was cached
	EvECN                            // a marked EV was dropped
	EvFail                           // a failure event, effective or not
	EvSend                           // an EV was handed out
	EvFlush                          // a connection was emptied
	EvFreeze                         // a connection entered freezing
	EvThaw                           // a good ACK ended a connection's freezing
	EvIllegalConn                    // the connection or NIC port does not exist: no effect
	EvIllegalEV                      // the EV is outside the EV set: no effect
)

// Conn is the state of a connection on a NIC port as Algorithm 1 names it, without its
// EVs.
type Conn struct {
	IsValid uint64 // bit i: repsBuffer[i].isValid
	Exit    uint64 // exitFreezingMode, ns
	Head    uint8  // next slot to write
	Valid   uint8  // numberOfValidEVs
	Filled  uint8  // slots written since the flush, up to the depth
	Reuse   uint8  // next slot to reuse while frozen and not yet full
	Explore uint8  // exploreCounter, once loaded
	Begin   bool   // exploration begins with the next packet
	Frozen  bool   // isFreezingMode
}

// Buffer is the unit's state: all connections on all NIC ports, and the random generator.
type Buffer struct {
	Settings Settings
	Random   Random

	conns  []Conn   // by connection, and within it by NIC port
	ev     []uint32 // by entry of conns, and within it by slot
	life   []uint8  // uses left of each entry
	count  uint64   // connections
	depth  uint8
	shift  uint   // log2(depth)
	slots  uint8  // depth - 1, up to 63
	stride uint8  // explore_stride - 1
	evMask uint32 // EVs are taken modulo the EV set
	wire   uint32 // mask of an EV on the wire
	time   uint64 // mask of the timer
	sign   uint64 // sign bit of a time difference
	uses   uint8  // packets that a cached EV serves
	ports  int    // NIC ports
}

// New returns the buffer in its state after reset, with the run-time settings of p.
func New(p *params.Params) *Buffer {
	b := &Buffer{
		conns:  make([]Conn, p.Connections*p.NICPorts),
		ev:     make([]uint32, p.Connections*p.NICPorts*p.BufferDepth),
		life:   make([]uint8, p.Connections*p.NICPorts*p.BufferDepth),
		count:  uint64(p.Connections),
		depth:  uint8(p.BufferDepth),
		slots:  uint8(p.BufferDepth - 1),
		stride: uint8(p.ExploreStride - 1),
		evMask: uint32(1<<p.EVSBits - 1),
		wire:   uint32(1<<p.WireBits() - 1),
		time:   ^uint64(0) >> (64 - p.TimerBits),
		sign:   1 << (p.TimerBits - 1),
		uses:   1,
		ports:  int(p.NICPorts),
	}
	for 1<<b.shift < int(b.depth) {
		b.shift++
	}
	if p.Coalescing == params.Reuse {
		b.uses = uint8(p.Ratio)
	}
	mode := map[string]Mode{"reps": REPS, "ops": OPS, "ecmp": ECMP}[p.Mode]
	for i := range b.Settings.Mode {
		b.Settings.Mode[i] = mode
	}
	b.Settings.Freezing = p.Freezing
	b.Settings.Timeout = uint64(p.FreezingTimeoutNS)
	b.Settings.NumPkts = uint32(p.NumPktsCwnd)
	b.Settings.EVBase = uint32(p.EVBase)
	b.Random = NewRandom(p.WireBits(), uint64(p.RandomSeed))
	return b
}

// Reset returns every connection and the generator to their state after reset.
// Settings stay.
func (b *Buffer) Reset(randomSeed uint64) {
	clear(b.conns)
	b.Random.Reset(randomSeed)
}

// after reports t > u for times of the timer's width: t is 1 to 2^(bits-1) ns
// later than u (decision R6).
func (b *Buffer) after(t, u uint64) bool {
	return (t-u-1)&b.sign == 0
}

// Ack implements Algorithm 1, onAck: an ACK of connection c, for a packet that left by NIC port
// port, returned the wire EV ev, marked or not, at time now (ns).
func (b *Buffer) Ack(c uint32, port int, ev uint32, ecn bool, now uint64) Events {
	if !b.Legal(c, port) {
		return EvIllegalConn
	}
	ev = (ev - b.Settings.EVBase) & b.wire
	if ev&^b.evMask != 0 {
		return EvIllegalEV
	}
	if ecn { // line 6
		return EvECN
	}
	row := b.row(c, port)
	s := &b.conns[row]
	here := uint64(1) << (s.Head & 63)
	if s.IsValid&here == 0 { // line 9
		s.Valid++
	}
	i := b.entry(row, s.Head)
	b.ev[i] = ev // line 12
	if b.uses > 1 {
		b.life[i] = b.uses
	}
	s.IsValid |= here
	s.Head = (s.Head + 1) & b.slots
	if s.Filled < b.depth {
		s.Filled++
	}
	if s.Frozen && b.after(now, s.Exit) { // line 15
		s.Frozen = false
		s.Begin = b.Settings.NumPkts != 0
		return EvAck | EvThaw
	}
	return EvAck
}

// Fail implements Algorithm 1, onFailureDetection, for connection c on NIC port port at time
// now (ns).
func (b *Buffer) Fail(c uint32, port int, now uint64) Events {
	if !b.Legal(c, port) {
		return EvIllegalConn
	}
	s := &b.conns[b.row(c, port)]
	if !b.Settings.Freezing || s.Frozen || s.Begin || s.Explore != 0 { // line 22
		return EvFail
	}
	s.Frozen = true
	s.Exit = (now + b.Settings.Timeout) & b.time
	s.Reuse = 0 // R2
	return EvFail | EvFreeze
}

// Legal reports whether connection c and NIC port port exist.
func (b *Buffer) Legal(c uint32, port int) bool {
	return uint64(c) < b.count && uint(port) < uint(b.ports)
}

// row returns the place of a connection on a NIC port in conns.
func (b *Buffer) row(c uint32, port int) int { return int(c)*b.ports + port }

// Send implements Algorithm 2, onSend: it returns the wire EV for the next packet of connection c
// on NIC port port, and its source. word is the random word to use if one is needed: the
// generator's next, which every legal SEND consumes.
func (b *Buffer) Send(c uint32, port int, word uint32) (uint32, Source) {
	if !b.Legal(c, port) {
		return b.Settings.EVBase, None
	}
	random := (word&b.evMask + b.Settings.EVBase) & b.wire
	switch b.Settings.Mode[port] {
	case OPS:
		return random, Oblivious
	case ECMP:
		return (b.fixed(c) + b.Settings.EVBase) & b.wire, Fixed
	}
	row := b.row(c, port)
	s := &b.conns[row]
	if s.Begin {
		s.Begin = false
		s.Explore = uint8(min(b.Settings.NumPkts, params.ExploreMax)) // R7
	}
	if s.Explore > 0 { // line 15
		s.Explore--
		if s.Explore&b.stride == 0 {
			return random, Explored
		}
	}
	if s.Filled == 0 || s.Valid == 0 && !s.Frozen { // line 19
		return random, Explored
	}
	var o uint8
	src := Frozen
	switch {
	case s.Valid > 0: // line 3
		src = Cached
		o = (s.Head - s.Valid) & b.slots
		if b.uses > 1 { // R14
			life := &b.life[b.entry(row, o)]
			if *life--; *life != 0 {
				break
			}
		}
		s.IsValid &^= 1 << (o & 63)
		s.Valid--
	case s.Filled == b.depth: // line 7
		o = s.Head
		s.Head = (s.Head + 1) & b.slots
	default: // R2
		o = s.Reuse
		if s.Reuse++; s.Reuse == s.Filled {
			s.Reuse = 0
		}
	}
	return (b.ev[b.entry(row, o)] + b.Settings.EVBase) & b.wire, src
}

// entry returns the index of a slot of a row in ev and life. Here as elsewhere the
// and with 63 has no effect but lets the compiler omit a comparison.
func (b *Buffer) entry(row int, slot uint8) int { return row<<(b.shift&63) | int(slot) }

// Flush empties connection c on NIC port port: it is then as after reset.
func (b *Buffer) Flush(c uint32, port int) Events {
	if !b.Legal(c, port) {
		return EvIllegalConn
	}
	b.conns[b.row(c, port)] = Conn{}
	return EvFlush
}

// fixed returns the EV of connection c in ECMP mode: its number, folded by exclusive
// or to the width of an EV.
func (b *Buffer) fixed(c uint32) (f uint32) {
	for w := bits.Len32(b.evMask); c != 0; c >>= w {
		f ^= c & b.evMask
	}
	return f
}

// Conn returns the state of connection c on NIC port port, or nil. The caller must not change it.
func (b *Buffer) Conn(c uint32, port int) *Conn {
	if !b.Legal(c, port) {
		return nil
	}
	return &b.conns[b.row(c, port)]
}

// State is a copy of a connection's state for tests and for people.
type State struct {
	Conn
	EVs []uint32 // slot order, without the base
}

// State returns the state of connection c on NIC port port; ok is false if the connection or the
// port does not exist.
func (b *Buffer) State(c uint32, port int) (s State, ok bool) {
	x := b.Conn(c, port)
	if x == nil {
		return State{}, false
	}
	i := b.entry(b.row(c, port), 0)
	return State{Conn: *x, EVs: slices.Clone(b.ev[i : i+int(b.depth)])}, true
}

// String writes the state on one line: valid EVs in brackets, the head as >.
func (s State) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "valid %d, filled %d, head %d, explore %d, frozen %t", s.Valid, s.Filled, s.Head, s.Explore, s.Frozen)
	if s.Begin {
		w.WriteString(" (exploration is about to begin)")
	}
	if s.Frozen {
		fmt.Fprintf(&w, " until %d ns (reuse slot %d)", s.Exit, s.Reuse)
	}
	w.WriteString(", EVs")
	for i, ev := range s.EVs {
		mark := ""
		if i == int(s.Head) {
			mark = ">"
		}
		switch {
		case s.IsValid>>i&1 == 1:
			fmt.Fprintf(&w, " %s[%d]", mark, ev)
		case i < int(s.Filled):
			fmt.Fprintf(&w, " %s%d", mark, ev)
		default:
			fmt.Fprintf(&w, " %s-", mark)
		}
	}
	return w.String()
}
