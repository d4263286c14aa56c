// SPDX-License-Identifier: Apache-2.0

// Package plb is the golden model of Protective Load Balancing: Algorithms 1 and 2 and
// §3.4 of Qureshi et al., "PLB: Congestion Signals are Simple and Effective for Network
// Load Balancing", one method per event. docs/units/plb.md has the decisions where the
// paper leaves a choice.
package plb

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/plb"
)

// Cause is the reason for a new label.
type Cause uint8

const (
	None    Cause = iota // it is the old one
	Idle                 // M congested rounds, and nothing in flight
	Forced               // N congested rounds
	Restart              // the first packet after an RTO, or after the opening
	Spray                // mode 2: every packet

	Illegal Cause = params.CauseIllegal // there is no such connection
)

// String names the cause.
func (c Cause) String() string {
	return [...]string{None: "none", Idle: "idle", Forced: "forced", Restart: "restart", Spray: "spray", Illegal: "illegal"}[c]
}

// Verdict is an ACK's judgement of a round.
type Verdict uint8

const (
	NoVerdict Verdict = iota // no round is over
	Congested                // a round has ended, and at least the fraction K of its packets were congested
	Clean                    // a round is over, and less than that were
)

// String names the verdict.
func (v Verdict) String() string { return [...]string{"none", "congested", "clean"}[v] }

// Settings are the run-time settings.
type Settings = params.Settings

// ACK is an acknowledgement.
type ACK struct {
	Pkts     uint64 // newly acknowledged
	ECE      bool   // CE is echoed
	RTT      uint64 // ns
	UNA, NXT uint32 // sequence numbers after it
}

// State is the state of a connection.
type State struct {
	Until   uint64 // end of the pause, in units of 2^20 ns
	None    bool   // there was no RTO since the opening
	Fresh   bool   // there was an RTO, or the opening, since the last ACK
	End     uint32 // snd_nxt when the round began
	Over    bool   // the pause is over
	First   bool   // the next ACK is the first to count
	Some    bool   // the round has packets
	Balance int64  // K × packets − congested packets of the round, in 2^-15
	Rounds  uint64 // congested rounds in a row
	Asked   bool   // an RTO, or the opening, asks for a new label
	Label   uint32
}

// String describes the state for people.
func (s State) String() string {
	return fmt.Sprintf("label %#x, %d congested rounds, asked %t; round: ends at %d, balance %d, first %t, some %t; pause: until %d, none %t, over %t, fresh %t",
		s.Label, s.Rounds, s.Asked, s.End, s.Balance, s.First, s.Some, s.Until, s.None, s.Over, s.Fresh)
}

// PLB is the unit's state: all connections.
type PLB struct {
	Settings Settings

	conns  []State
	ticks  uint64 // mask of a time in units of 2^20 ns
	longer uint64 // units of time: no pause lasts longer
	step   int64  // bits of a time in ns that may change in any way
	steps  uint64 // mask of those above them
	last   uint64 // values of the last cycle
	outer  int64  // a balance of so much grows no further
	most   uint64 // congested rounds that are counted
	labels uint32 // mask of a label

	saturated bool // the last ACK's packets did not count, because of the balance's bound
}

// New returns the unit in its state after reset, with the run-time settings of p.
func New(p *params.Params) *PLB {
	b := &PLB{
		Settings: Settings{
			Mode: uint64(p.Mode), RTTDetector: p.RTTDetector, Fraction: uint64(p.Fraction), Target: uint64(p.TargetNS),
			Idle: uint64(p.IdleRounds), Forced: uint64(p.ForcedRounds), Pause: uint64(p.PauseNS),
		},
		conns:  make([]State, p.Connections),
		ticks:  1<<(p.TimerBits-params.TickBits) - 1,
		longer: 2 << (p.PauseBits - params.TickBits),
		step:   p.StepBits(),
		steps:  1<<(p.TimerBits-p.StepBits()) - 1,
		outer:  1 << (p.BalanceBits - 2),
		most:   1<<p.RoundBits - 1,
		labels: 1<<p.LabelBits - 1,
	}
	b.Reset()
	return b
}

// Reset opens every connection. Settings stay.
func (b *PLB) Reset() {
	for i := range b.conns {
		b.conns[i] = State{None: true, Fresh: true, Asked: true}
	}
}

// Legal reports whether connection c exists.
func (b *PLB) Legal(c uint32) bool { return uint64(c) < uint64(len(b.conns)) }

// State returns the state of connection c; ok is false if the connection does not exist.
func (b *PLB) State(c uint32) (s State, ok bool) {
	if !b.Legal(c) {
		return State{}, false
	}
	return b.conns[c], true
}

// Congested reports whether the packets of an ACK count as congested.
func (b *PLB) Congested(a ACK) bool {
	if b.Settings.RTTDetector {
		return a.RTT > b.Settings.Target
	}
	return a.ECE
}

// Share returns the contribution of an ACK's packets to the balance of their round: K for each, and
// one less if they are congested.
func (b *PLB) Share(a ACK) int64 {
	weight := int64(b.Settings.Fraction)
	if b.Congested(a) {
		weight -= 1 << params.FractionOne
	}
	return weight * int64(a.Pkts)
}

// Tick sets the time of a cycle, in ns; jump reports that its upper bits neither stayed the same
// nor grew by one.
func (b *PLB) Tick(now uint64) (jump bool) {
	was := b.last
	b.last = now >> b.step
	return (b.last-was)&b.steps > 1
}

// Reached reports whether a time, in units of 2^20 ns, is not before the end of a pause. An end
// further ahead than the length of a pause is long past.
func (b *PLB) Reached(now, until uint64) bool { return (now-until)&b.ticks < b.ticks+1-b.longer }

// Expired reports whether the time of an ACK is not within the pause.
func (b *PLB) Expired(s *State, now uint64) bool {
	return s.None || b.Reached(now>>params.TickBits, s.Until)
}

// Saturated reports whether a share leaves a balance at its bound.
func (b *PLB) Saturated(balance, share int64) bool {
	if share < 0 {
		return balance <= -b.outer
	}
	return balance > b.outer
}

// ACK takes an acknowledgement at time now (ns); ok is false, and nothing changes, if the
// connection does not exist, if the ACK acknowledges data that was never sent, or if its window is
// too large.
func (b *PLB) ACK(c uint32, a ACK, now uint64) (v Verdict, ok bool) {
	b.saturated = false
	if !b.Legal(c) || a.NXT-a.UNA >= 1<<params.WindowBits {
		return NoVerdict, false
	}
	s := &b.conns[c]
	fresh := s.Fresh
	past := !fresh && int32(a.UNA-s.End) >= 0
	if fresh || past {
		s.End = a.NXT
	}
	if fresh {
		s.Over, s.First = false, true
	}
	s.Fresh = false
	s.Over = s.Over || b.Expired(s, now)
	if !s.Over { // detection pauses
		s.First = true
		return NoVerdict, true
	}

	if s.First {
		s.Balance, s.Some, s.First = 0, false, false
	}
	share := b.Share(a)
	if b.saturated = b.Saturated(s.Balance, share); !b.saturated {
		s.Balance += share
	}
	s.Some = s.Some || a.Pkts > 0
	if !past {
		return NoVerdict, true
	}
	s.First = true
	switch {
	case !s.Some:
		return NoVerdict, true
	case s.Balance > 0:
		s.Rounds = 0
		return Clean, true
	}
	s.Rounds = min(s.Rounds+1, b.most)
	return Congested, true
}

// DidSaturate reports whether the packets of the last ACK did not count, because they would have
// moved the balance further beyond its bound.
func (b *PLB) DidSaturate() bool { return b.saturated }

// RTO takes a retransmission timeout, or the opening of a connection, at time now (ns) with a
// random word; ok is false, and nothing changes, if the connection does not exist.
func (b *PLB) RTO(c uint32, open bool, word uint32, now uint64) (ok bool) {
	if !b.Legal(c) {
		return false
	}
	if !open && b.Settings.Mode == params.ModeECMP {
		return true
	}
	s := State{None: open, Fresh: true, Asked: true, Label: b.conns[c].Label}
	if !open {
		const one = 1 << params.DrawBits
		pause := b.Settings.Pause >> params.TickBits * (one + uint64(word)&(one-1)) >> params.DrawBits
		s.Until = (now>>params.TickBits + pause) & b.ticks
	}
	b.conns[c] = s
	return true
}

// Send reports whether the next packet has a new label, and the cause; if it has, Relabel has to
// follow. ok is false if the connection does not exist. idle means that nothing is in flight.
func (b *PLB) Send(c uint32, idle bool) (why Cause, ok bool) {
	if !b.Legal(c) {
		return Illegal, false
	}
	s, set := &b.conns[c], &b.Settings
	switch {
	case s.Asked:
		why = Restart
	case set.Mode >= params.ModeSpray:
		why = Spray
	case set.Mode == params.ModeECMP:
	case set.Forced > 0 && s.Rounds >= set.Forced:
		why = Forced
	case set.Idle > 0 && s.Rounds >= set.Idle && idle:
		why = Idle
	}
	if why != None {
		s.Asked, s.Rounds = false, 0
	}
	return why, true
}

// Relabel gives connection c, which exists, the label of a random word.
func (b *PLB) Relabel(c, word uint32) { b.conns[c].Label = word & b.labels }

// Label returns the label of connection c, which exists.
func (b *PLB) Label(c uint32) uint32 { return b.conns[c].Label }

// Port returns the UDP source port that stands for a label.
func Port(p *params.Params, label uint32) uint64 {
	return uint64(p.PortBase) | uint64(label)&(1<<p.PortBits-1)
}
