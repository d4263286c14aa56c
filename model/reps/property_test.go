// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
)

// literal is Algorithms 1 and 2 with their gaps filled, line by line, for one
// connection with the paper's ring of 8: validity bits, a fill count, and an
// exploreCounter that is set when freezing ends. It is written from the
// pseudo-code and shares nothing with the model.
type literal struct {
	cev      [8]uint32
	val      [8]bool
	head, nv int
	cnt, rd  int
	exp      int
	frz      bool
	exit     uint32
	stride   int
	num      int
	timeout  uint32
}

func (l *literal) ack(ev uint32, ecn bool, now uint32) {
	if ecn {
		return
	}
	if !l.val[l.head] {
		l.nv++
	}
	l.cev[l.head] = ev
	l.val[l.head] = true
	l.head = (l.head + 1) & 7
	l.cnt = min(l.cnt+1, 8)
	// The unit counts 2^31 ns after the exit as after it, as its page says.
	if l.frz && (int32(now-l.exit) > 0 || now-l.exit == 1<<31) {
		l.frz = false
		l.exp = min(l.num, 255)
	}
}

func (l *literal) fail(now uint32) {
	if !l.frz && l.exp == 0 {
		l.frz = true
		l.exit = now + l.timeout
		l.rd = 0
	}
}

func (l *literal) send() (ev uint32, random bool) {
	if l.exp > 0 {
		l.exp--
		if l.exp&(l.stride-1) == 0 {
			return 0, true
		}
	}
	if l.cnt == 0 || l.nv == 0 && !l.frz {
		return 0, true
	}
	var o int
	switch {
	case l.nv > 0:
		o = (l.head - l.nv) & 7
		l.val[o] = false
		l.nv--
	case l.cnt == 8:
		o = l.head
		l.head = (l.head + 1) & 7
	default:
		o = l.rd
		if l.rd+1 == l.cnt {
			l.rd = 0
		} else {
			l.rd++
		}
	}
	return l.cev[o], false
}

// step is one event on one connection.
type step struct {
	kind string
	conn uint32
	ev   uint32
	ecn  bool
	pass uint32 // ns since the event before it
	n    int    // number of occurrences
}

func (s step) String() string {
	return fmt.Sprintf("%s conn %d ev %d ecn %t +%d ns ×%d", s.kind, s.conn, s.ev, s.ecn, s.pass, s.n)
}

// steps draws sequences that get into the corners: bursts longer than the ring,
// times around a timeout, few connections.
func steps(conns uint32, timeout uint32) *rapid.Generator[[]step] {
	one := rapid.Custom(func(t *rapid.T) step {
		return step{
			kind: rapid.SampledFrom([]string{"ack", "send", "fail", "ack", "send", "fail", "ack", "send", "flush"}).Draw(t, "kind"),
			conn: rapid.SampledFrom([]uint32{0, 0, 0, conns - 1, conns / 2}).Draw(t, "conn"),
			ev:   uint32(rapid.Uint16().Draw(t, "ev")),
			ecn:  rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "mark"),
			pass: rapid.SampledFrom([]uint32{0, timeout, timeout + 1, 0, 0, 1, 0, timeout - 1}).Draw(t, "pass"),
			n:    rapid.SampledFrom([]int{1, 1, 1, 2, 3, 7, 8, 9, 260}).Draw(t, "n"),
		}
	})
	return rapid.SliceOfN(one, 100, 400)
}

// The model gives the same results as the literal transcription, event by event.
func TestModelIsThePseudoCode(t *testing.T) {
	const conns = 3
	rapid.Check(t, func(t *rapid.T) {
		timeout := rapid.SampledFrom([]uint32{1, 5, 100, 1<<31 - 1}).Draw(t, "timeout")
		p := params.Default()
		p.Connections, p.TimerBits = conns, 32
		p.ExploreStride = rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "stride")
		p.NumPktsCwnd = rapid.SampledFrom([]int64{0, 1, 7, 8, 16, 255, 256, 305}).Draw(t, "num")
		p.FreezingTimeoutNS = int64(timeout)
		m := model.New(p)
		var l [conns]literal
		blank := func(c uint32) {
			l[c] = literal{stride: int(p.ExploreStride), num: int(p.NumPktsCwnd), timeout: timeout}
		}
		for c := range uint32(conns) {
			blank(c)
		}
		now := rapid.Uint32().Draw(t, "now") // wraps on the way
		for i, s := range steps(conns, timeout).Draw(t, "steps") {
			now += s.pass
			for range s.n {
				c := &l[s.conn]
				frozen := c.frz
				switch s.kind {
				case "ack":
					c.ack(s.ev, s.ecn, now)
					if got, want := m.Ack(s.conn, 0, s.ev, s.ecn, uint64(now))&model.EvThaw != 0, frozen && !c.frz; got != want {
						t.Fatalf("step %d, %v: the model leaves freezing: %t, want %t", i, s, got, want)
					}
				case "fail":
					c.fail(now)
					if got, want := m.Fail(s.conn, 0, uint64(now))&model.EvFreeze != 0, !frozen && c.frz; got != want {
						t.Fatalf("step %d, %v: the model enters freezing: %t, want %t", i, s, got, want)
					}
				case "flush":
					blank(s.conn)
					m.Flush(s.conn, 0)
				case "send":
					want, random := c.send()
					word := s.ev ^ 0x5555
					got, src := m.Send(s.conn, 0, word)
					if random {
						want = word
					}
					if got != want || random != (src == model.Explored) {
						t.Fatalf("step %d, %v: the model gives %d (%v), want %d (random %t)", i, s, got, src, want, random)
					}
				}
			}
		}
	})
}

// configuration draws a small configuration of any shape.
func configuration(t *rapid.T) *params.Params {
	p := params.Default()
	p.Connections = rapid.Int64Range(1, 4).Draw(t, "connections")
	p.BufferDepth = 1 << rapid.IntRange(1, 6).Draw(t, "log2 of the depth")
	p.ExploreStride = 1 << rapid.IntRange(0, bits.Len64(uint64(p.BufferDepth))-1).Draw(t, "log2 of the stride")
	p.EVSBits = rapid.Int64Range(1, params.LabelBits).Draw(t, "evs_bits")
	p.TimerBits = rapid.Int64Range(16, 64).Draw(t, "timer_bits")
	if p.Ratio = rapid.Int64Range(1, 16).Draw(t, "ratio"); p.Ratio > 1 {
		p.Coalescing = params.Reuse
	}
	p.NumPktsCwnd = rapid.SampledFrom([]int64{0, 1, 5, 64, 65535}).Draw(t, "num")
	p.FreezingTimeoutNS = 100
	return p
}

// broken returns the invariant of a connection's state that does not hold.
func broken(s model.State, depth int) string {
	switch {
	case bits.OnesCount64(s.IsValid) != int(s.Valid):
		return fmt.Sprintf("%d slots are valid, the count is %d", bits.OnesCount64(s.IsValid), s.Valid)
	case s.Valid > s.Filled:
		return "more slots are valid than were ever written"
	case int(s.Filled) > depth:
		return "more slots were written than there are"
	case int(s.Filled) < depth && s.Head != s.Filled:
		return "the head moved on in a ring that is not full"
	case int(s.Head) >= depth:
		return "the head is outside of the ring"
	case s.Frozen && (s.Explore != 0 || s.Begin):
		return "a frozen connection explores"
	case s.Reuse != 0 && s.Reuse >= s.Filled:
		return "the next slot to reuse was never written"
	}
	for k := 1; k <= int(s.Valid); k++ {
		if i := (int(s.Head) - k + depth) % depth; s.IsValid>>i&1 == 0 {
			return fmt.Sprintf("slot %d is not valid, but the valid ones are the %d before the head", i, s.Valid)
		}
	}
	return ""
}

// After any events, the valid slots are those just before the head: the hardware keeps their number
// only.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := configuration(t)
		m := model.New(p)
		now := rapid.Uint64().Draw(t, "now")
		mask := ^uint64(0) >> (64 - p.TimerBits)
		frozen := 0
		for i, s := range steps(uint32(p.Connections)+1, 100).Draw(t, "steps") { // one number too many
			now += uint64(s.pass)
			for range s.n {
				switch s.kind {
				case "ack":
					if m.Ack(s.conn, 0, s.ev, s.ecn, now&mask)&model.EvThaw != 0 {
						frozen--
					}
				case "fail":
					if m.Fail(s.conn, 0, now&mask)&model.EvFreeze != 0 {
						frozen++
					}
				case "flush":
					if state, ok := m.State(s.conn, 0); ok && state.Frozen {
						frozen--
					}
					m.Flush(s.conn, 0)
				case "send":
					if ev, src := m.Send(s.conn, 0, s.ev); src != model.None && int64(ev) >= 1<<p.EVSBits {
						t.Fatalf("step %d, %v: EV %d is not in the set of %d bits", i, s, ev, p.EVSBits)
					}
				}
				want := 0
				for c := range uint32(p.Connections) {
					state, _ := m.State(c, 0)
					if state.Frozen {
						want++
					}
					if b := broken(state, int(p.BufferDepth)); b != "" {
						t.Fatalf("step %d, %v: connection %d: %s: %v", i, s, c, b, state)
					}
				}
				if frozen != want {
					t.Fatalf("step %d, %v: %d connections are frozen, by the events %d", i, s, want, frozen)
				}
			}
		}
	})
}

// The check of the invariants notices states that break them.
func TestInvariantsAreLive(t *testing.T) {
	ok := model.State{Conn: model.Conn{Head: 3, Valid: 2, Filled: 3, IsValid: 0b0110}}
	if b := broken(ok, 8); b != "" {
		t.Fatalf("a good state: %s", b)
	}
	for name, change := range map[string]func(*model.State){
		"count":          func(s *model.State) { s.Valid = 1 },
		"hole":           func(s *model.State) { s.IsValid = 0b0101 },
		"never written":  func(s *model.State) { s.Filled = 1 },
		"head moved":     func(s *model.State) { s.Head = 4 },
		"too full":       func(s *model.State) { s.Filled = 9 },
		"frozen explore": func(s *model.State) { s.Frozen, s.Explore = true, 1 },
		"reuse":          func(s *model.State) { s.Reuse = 3 },
	} {
		s := ok
		change(&s)
		if broken(s, 8) == "" {
			t.Errorf("%s: %v is taken for a good state", name, s)
		}
	}
}

// The unit keeps nothing of a random EV until its ACK comes: with other random words it gives the
// same sources, the same EVs that are not random, and the same state. So a simulator with its own
// random numbers takes its own EV where the source is random.
func TestRandomWordsLeaveNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := configuration(t)
		a, b := model.New(p), model.New(p)
		now := rapid.Uint64().Draw(t, "now")
		mask := ^uint64(0) >> (64 - p.TimerBits)
		words := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "words"), 1))
		for i, s := range steps(uint32(p.Connections), 100).Draw(t, "steps") {
			now += uint64(s.pass)
			for range s.n {
				switch s.kind {
				case "ack":
					a.Ack(s.conn, 0, s.ev, s.ecn, now&mask)
					b.Ack(s.conn, 0, s.ev, s.ecn, now&mask)
				case "fail":
					a.Fail(s.conn, 0, now&mask)
					b.Fail(s.conn, 0, now&mask)
				case "flush":
					a.Flush(s.conn, 0)
					b.Flush(s.conn, 0)
				default:
					ev, source := a.Send(s.conn, 0, words.Uint32())
					other, too := b.Send(s.conn, 0, words.Uint32())
					random := source == model.Explored || source == model.Oblivious
					if source != too || !random && ev != other {
						t.Fatalf("step %d, %v: EV %d from %d, with other random words EV %d from %d", i, s, ev, source, other, too)
					}
				}
			}
			x, _ := a.State(s.conn, 0)
			y, _ := b.State(s.conn, 0)
			if d := cmp.Diff(x, y); d != "" {
				t.Fatalf("step %d, %v: -state +with other random words\n%s", i, s, d)
			}
		}
	})
}
