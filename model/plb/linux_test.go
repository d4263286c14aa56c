// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
)

// choices are the places in which Linux (net/ipv4/tcp_plb.c and tcp_dctcp.c of version 6.1) and the unit differ. True is
// the unit's decision.
type choices struct {
	frozen   bool // a pause stops the counting, not only the change of the label (B6)
	atSend   bool // the label changes before the next SEND, not at the ACK that ends the round or at the RTO (B5, B11)
	begins   bool // the first ACK of a connection begins a round, and does not end one (B13)
	restarts bool // an RTO ends the round (B6)
	never    bool // N = 0 is never, not after every round (B12)
}

// linux is a connection of Linux in its own words, with a switch for each difference.
type linux struct {
	choices
	fraction, idleRounds, forcedRounds, pause uint64 // as model.Settings, pause in units of 2^20 ns

	delivered, deliveredCE       uint64
	oldDelivered, oldDeliveredCE uint64
	nextSeq                      uint32
	begun                        bool
	rounds                       uint64 // consec_cong_rounds
	pauseUntil                   int64
	paused                       bool // pause_until is set
	inFlight                     uint32
	changed                      bool // the label, since the last SEND
}

func (l *linux) reset(nxt uint32) {
	l.nextSeq, l.oldDelivered, l.oldDeliveredCE = nxt, l.delivered, l.deliveredCE
}

func (l *linux) pausing(now int64) bool {
	if l.paused && now >= l.pauseUntil {
		l.paused = false
	}
	return l.paused
}

func (l *linux) checkRehash(now int64, idle bool) {
	forced := l.rounds >= l.forcedRounds
	if l.forcedRounds == 0 && l.never {
		forced = false
	}
	if !forced && !(l.idleRounds > 0 && idle && l.rounds >= l.idleRounds) {
		return
	}
	if l.pausing(now) {
		return
	}
	l.changed, l.rounds = true, 0
}

func (l *linux) ack(a model.ACK, now int64) {
	l.delivered += a.Pkts
	if a.ECE {
		l.deliveredCE += a.Pkts
	}
	l.inFlight = a.NXT - a.UNA
	if !l.begun {
		l.begun = true
		if l.begins {
			old, oldCE := l.oldDelivered, l.oldDeliveredCE
			l.reset(a.NXT)
			l.oldDelivered, l.oldDeliveredCE = old, oldCE
			if l.frozen && l.pausing(now) {
				l.reset(a.NXT)
			}
			return
		}
	}
	over := int32(a.UNA-l.nextSeq) >= 0
	if l.frozen && l.pausing(now) {
		end := l.nextSeq
		l.reset(a.NXT)
		if !over {
			l.nextSeq = end
		}
		return
	}
	if !over {
		return
	}
	if n, ce := l.delivered-l.oldDelivered, l.deliveredCE-l.oldDeliveredCE; n > 0 {
		switch limit := l.forcedRounds; {
		case ce<<params.FractionOne < l.fraction*n:
			l.rounds = 0
		case l.rounds < limit || l.never && limit == 0:
			l.rounds++
		}
		if !l.atSend {
			l.checkRehash(now, l.inFlight == 0)
		}
	}
	l.reset(a.NXT)
}

func (l *linux) rto(now int64, pause uint64) {
	l.paused, l.pauseUntil, l.rounds, l.changed = true, now+int64(pause), 0, true
	if l.restarts {
		l.begun, l.oldDelivered, l.oldDeliveredCE = false, l.delivered, l.deliveredCE
	}
}

// send reports whether the packet has a new label.
func (l *linux) send(now int64, idle bool) (new bool) {
	switch {
	case l.atSend && l.changed: // after an RTO: rounds belong to the new label
		l.rounds = 0
	case l.atSend || idle: // CA_EVENT_TX_START
		l.checkRehash(now, idle)
	}
	new, l.changed = l.changed, false
	return new
}

// labels plays the same traffic to the unit and to Linux with the choices: the new labels of each, and the SENDs for
// which they differ.
func labels(t *testing.T, as choices, connections int) (unit, kernel, apart int) {
	for seed := range uint64(connections) {
		r := rand.New(rand.NewPCG(seed, 22))
		p := params.Default()
		p.Connections, p.PauseNS = 1, []int64{20, 20, 0}[seed%3]<<params.TickBits
		p.IdleRounds, p.ForcedRounds = []int64{3, 0, 1, 5}[seed%4], []int64{12, 12, 4, 31, 0}[seed%5]
		p.RoundBits = 5
		m := model.New(p)
		l := &linux{choices: as, fraction: uint64(p.Fraction), idleRounds: uint64(p.IdleRounds), forcedRounds: uint64(p.ForcedRounds), changed: true}
		var una, nxt uint32
		now := int64(0) // ns
		marked := uint64(0)
		for step := range 6000 {
			if step%97 == 0 { // marked share of the path's traffic
				marked = []uint64{5, 40, 95}[r.IntN(3)]
			}
			now += r.Int64N(400_000)
			ticks := now >> params.TickBits
			switch {
			case r.IntN(700) == 0:
				word := r.Uint32()
				const one = 1 << params.DrawBits
				m.RTO(0, false, word, uint64(now))
				l.rto(ticks, uint64(p.PauseNS)>>params.TickBits*(one+uint64(word)&(one-1))>>params.DrawBits)
			case nxt == una || nxt-una < 20 && r.IntN(3) > 0:
				why, _ := m.Send(0, nxt == una)
				got := l.send(ticks, nxt == una)
				if why != model.None {
					unit++
				}
				if got {
					kernel++
				}
				if got != (why != model.None) {
					apart++
				}
				nxt++
			default:
				n := 1 + r.Uint32N(nxt-una)
				una += n
				a := model.ACK{Pkts: uint64(n), ECE: r.Uint64N(100) < marked, UNA: una, NXT: nxt}
				if _, ok := m.ACK(0, a, uint64(now)); !ok {
					t.Fatalf("seed %d: %+v is illegal", seed, a)
				}
				l.ack(a, ticks)
			}
		}
	}
	return unit, kernel, apart
}

// Linux' PLB with the unit's five decisions changes the label with the same SENDs as the golden model. Each of Linux'
// own decisions alone changes others: the page has the numbers.
func TestLinux(t *testing.T) {
	const connections = 400
	ours := choices{true, true, true, true, true}
	unit, kernel, apart := labels(t, ours, connections)
	t.Logf("the unit's decisions: %d new labels", unit)
	if apart != 0 || unit != kernel || unit < 10_000 {
		t.Errorf("with the unit's decisions: %d labels of the unit, %d of Linux, %d SENDs differ; want none, of at least 10,000", unit, kernel, apart)
	}
	for _, c := range []struct {
		name string
		with func(*choices)
	}{
		{"counts during a pause", func(c *choices) { c.frozen = false }},
		{"changes at the ACK", func(c *choices) { c.atSend = false }},
		{"first ACK ends a round", func(c *choices) { c.begins = false }},
		{"round over an RTO", func(c *choices) { c.restarts = false }},
		{"N = 0 after every round", func(c *choices) { c.never = false }},
		{"all of them", func(c *choices) { *c = choices{} }},
	} {
		theirs := ours
		c.with(&theirs)
		unit, kernel, apart := labels(t, theirs, connections)
		t.Logf("%s: %d labels of Linux, %d of the unit, %d SENDs differ", c.name, kernel, unit, apart)
		if apart == 0 {
			t.Errorf("%s: no SEND differs: the traffic does not show the difference", c.name)
		}
	}
}
