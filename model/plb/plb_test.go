// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
)

// flow drives one connection whose rounds are one ACK each, unless part is set.
type flow struct {
	t   *testing.T
	b   *model.PLB
	seq uint32
	now uint64
}

func start(t *testing.T) *flow {
	p := params.Default()
	p.Connections = 1
	f := &flow{t: t, b: model.New(p)}
	f.send(false, model.Restart)
	f.ack(0, 0, false) // begins the first round
	return f
}

// ack acknowledges packets, some of them marked, and ends the round if over is set.
func (f *flow) ack(packets, marked uint64, over bool) model.Verdict {
	f.t.Helper()
	una := f.seq
	a := model.ACK{Pkts: packets - marked, UNA: una, NXT: f.seq + 1000}
	f.take(a)
	a.Pkts, a.ECE = marked, true
	if over {
		a.UNA, a.NXT = f.seq+1000, f.seq+2000
		f.seq += 1000
	}
	return f.take(a)
}

func (f *flow) take(a model.ACK) model.Verdict {
	f.t.Helper()
	v, ok := f.b.ACK(0, a, f.now)
	if !ok {
		f.t.Fatal("an ACK is illegal")
	}
	return v
}

func (f *flow) rounds(want uint64) {
	f.t.Helper()
	if s, _ := f.b.State(0); s.Rounds != want {
		f.t.Errorf("%d congested rounds, want %d", s.Rounds, want)
	}
}

func (f *flow) send(idle bool, want model.Cause) {
	f.t.Helper()
	if got, _ := f.b.Send(0, idle); got != want {
		f.t.Errorf("new label: %v, want %v", got, want)
	}
}

func (f *flow) congested(n int) {
	f.t.Helper()
	for range n {
		if v := f.ack(10, 10, true); v != model.Congested {
			f.t.Fatalf("a round of marked packets is %v", v)
		}
	}
}

// The vectors BV1 to BV6 of the page, with K = 0.5, M = 3 and N = 12.
func TestVectors(t *testing.T) {
	t.Run("BV1", func(t *testing.T) {
		f := start(t)
		if v := f.ack(10, 5, true); v != model.Congested {
			t.Errorf("5 of 10: %v", v)
		}
		f.rounds(1)
		if v := f.ack(10, 4, true); v != model.Clean {
			t.Errorf("4 of 10: %v", v)
		}
		f.rounds(0)
	})
	t.Run("BV2", func(t *testing.T) {
		f := start(t)
		f.congested(3)
		f.send(false, model.None)
		f.send(true, model.Idle)
		f.rounds(0)
	})
	t.Run("BV3", func(t *testing.T) {
		f := start(t)
		f.congested(11)
		f.send(false, model.None)
		f.congested(1)
		f.send(false, model.Forced)
		f.rounds(0)
	})
	t.Run("BV4", func(t *testing.T) {
		f := start(t)
		f.congested(2)
		f.now = 5 << params.TickBits
		f.b.Settings.Pause = 100 << params.TickBits
		f.b.RTO(0, false, 1<<15, f.now) // 1.5 T
		f.send(false, model.Restart)
		f.rounds(0)
		for _, c := range []struct{ tick, rounds uint64 }{{6, 0}, {100, 0}, {154, 0}, {155, 1}, {156, 2}} {
			f.now = c.tick << params.TickBits
			f.ack(10, 10, true)
			f.rounds(c.rounds)
		}
	})
	t.Run("BV5", func(t *testing.T) {
		f := start(t)
		f.congested(2)
		if v := f.ack(0, 0, true); v != model.NoVerdict {
			t.Errorf("a round without packets: %v", v)
		}
		f.rounds(2)
	})
	t.Run("BV6", func(t *testing.T) {
		f := start(t)
		f.congested(2)
		f.ack(10, 0, true)
		f.rounds(0)
	})
}

// literal is Algorithms 1 and 2 as published, with rational numbers, a set of all packets and an
// RTO that changes the label itself; B1, B3 and B6 of the page are the conditions.
type literal struct {
	delivered, congested int64
	rounds               uint64
	begun                bool
	end                  int64 // sequence numbers that do not wrap
	until                int64 // ns
	rto                  bool
}

func (l *literal) ack(k *big.Rat, n int64, mark bool, una, nxt, now int64, forced uint64) {
	if !l.begun { // the ACK begins a round
		l.begun, l.end, una = true, nxt, -1
	}
	over := una >= l.end
	if over {
		l.end = nxt
	}
	if now < l.until {
		return
	}
	l.delivered += n
	if mark {
		l.congested += n
	}
	if !over {
		return
	}
	limit := new(big.Rat).Mul(k, new(big.Rat).SetInt64(l.delivered))
	switch {
	case l.delivered == 0:
	case new(big.Rat).SetInt64(l.congested).Cmp(limit) >= 0:
		l.rounds = min(l.rounds+1, forced)
	default:
		l.rounds = 0
	}
	l.delivered, l.congested = 0, 0
}

func (l *literal) send(idle bool, m, n uint64) bool {
	if l.rounds >= m && idle || l.rounds >= n || l.rto {
		l.rto, l.rounds = false, 0
		return true
	}
	return false
}

// The model decides as the published algorithms do, for any K, M and N, with sequence numbers that
// wrap many times.
func TestEqualsPaper(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	changes, wraps := 0, 0
	for range 200 {
		p := params.Default()
		p.Connections = 1
		b := model.New(p)
		l := &literal{rto: true}
		k := r.Uint64N(1<<params.FractionOne + 1)
		m, n := 1+r.Uint64N(5), 1+r.Uint64N(15)
		b.Settings.Fraction, b.Settings.Idle, b.Settings.Forced = k, m, n
		b.Settings.Pause = r.Uint64N(64) << params.TickBits
		fraction := big.NewRat(int64(k), 1<<params.FractionOne)
		una, now := r.Int64N(1<<32), int64(0)
		nxt := una
		step := int64(1) << r.IntN(29)
		mark := r.Float64()
		for range 2000 {
			now += r.Int64N(2 << params.TickBits)
			switch r.IntN(64) {
			case 0:
				word := r.Uint32()
				b.RTO(0, false, word, uint64(now))
				ticks := int64(b.Settings.Pause>>params.TickBits*(1<<16+uint64(word&0xffff))) >> 16
				*l = literal{until: (now>>params.TickBits + ticks) << params.TickBits, rto: true}
			case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
				idle := una == nxt
				why, _ := b.Send(0, idle)
				if want := l.send(idle, m, n); (why != model.None) != want {
					t.Fatalf("new label: %v, want %t", why, want)
				}
				if why != model.None {
					changes++
				}
				nxt += r.Int64N(step)
			default:
				if nxt-una < 1<<30 {
					nxt += r.Int64N(step)
				}
				was := una >> 32
				if una += r.Int64N(nxt - una + 1); r.IntN(3) == 0 {
					una = nxt
				}
				wraps += int(una>>32 - was)
				packets, ece := r.Int64N(20), r.Float64() < mark
				b.ACK(0, model.ACK{Pkts: uint64(packets), ECE: ece, UNA: uint32(una), NXT: uint32(nxt)}, uint64(now))
				l.ack(fraction, packets, ece, una, nxt, now, n)
			}
		}
	}
	if changes < 1000 || wraps < 500 {
		t.Errorf("%d new labels and %d wraps are too few", changes, wraps)
	}
}

// A balance that grows no further decides as one without bounds, as long as the round does not swing
// back by more than that.
func TestSaturates(t *testing.T) {
	p := params.Default()
	p.Connections, p.BalanceBits = 1, 27
	f := start(t)
	f.b = model.New(p)
	f.ack(0, 0, false)
	for range 100 {
		f.ack(255, 255, false)
	}
	if v := f.ack(200, 0, true); v != model.Congested {
		t.Errorf("200 of 25,700 packets without mark: %v", v)
	}
}

// BV7: at the bound of the balance, and one beyond it, in both directions.
func TestBalanceBound(t *testing.T) {
	for _, c := range []struct {
		first, second uint64
		up            bool // clean packets first
		want          model.Verdict
		lost          int
	}{
		{16, 16, false, model.Congested, 0}, {16, 17, false, model.Clean, 0},
		{17, 16, false, model.Congested, 1}, {17, 17, false, model.Clean, 1},
		{17, 17, true, model.Congested, 0}, {18, 17, true, model.Congested, 1}, {40, 16, true, model.Clean, 23},
	} {
		p := params.Default()
		p.Connections, p.PktsBits, p.BalanceBits = 1, 1, 20
		f := start(t)
		f.b = model.New(p)
		f.take(model.ACK{NXT: 1000})
		lost := 0
		packet := func(n uint64, mark bool) {
			for range n {
				f.take(model.ACK{Pkts: 1, ECE: mark, NXT: 1000})
				if f.b.DidSaturate() {
					lost++
				}
			}
		}
		packet(c.first, !c.up)
		packet(c.second, c.up)
		if v := f.take(model.ACK{UNA: 1000, NXT: 2000}); v != c.want || lost != c.lost {
			t.Errorf("%d and %d packets, clean first %t: %v, %d not counted; want %v, %d", c.first, c.second, c.up, v, lost, c.want, c.lost)
		}
	}
}

// K is rounded down: a round of fewer than 2^15/q packets is judged as with p/q itself, and one rounded to nearest
// is not.
func TestFraction(t *testing.T) {
	for _, k := range [][2]uint64{{1, 3}, {3, 5}, {1, 10}, {1, 20}, {2, 3}, {5, 7}, {1, 2}} {
		num, den := k[0], k[1]
		for n := uint64(1); n < 32768/den; n++ {
			need := (num*n + den - 1) / den // congested packets
			for marked := max(need, 1) - 1; marked <= need; marked++ {
				p := params.Default()
				p.Connections, p.PktsBits, p.BalanceBits = 1, 12, 40
				f := start(t)
				f.b = model.New(p)
				f.b.Settings.Fraction = num * 32768 / den
				f.take(model.ACK{NXT: 1000})
				if f.take(model.ACK{Pkts: n - marked, NXT: 1000}); marked > 0 {
					f.take(model.ACK{Pkts: marked, ECE: true, NXT: 1000})
				}
				want := model.Clean
				if marked >= need {
					want = model.Congested
				}
				if v := f.take(model.ACK{UNA: 1000, NXT: 2000}); v != want {
					t.Fatalf("K = %d/%d, %d of %d: %v", num, den, marked, n, v)
				}
			}
		}
	}
}

// BV8: a RoCE PSN of 24 bits, shifted left by 8, wraps as a sequence number does.
func TestPSN(t *testing.T) {
	psn := func(n uint32) uint32 { return n << 8 }
	f := start(t)
	f.b.RTO(0, true, 0, 0)
	f.take(model.ACK{UNA: psn(0xfffff0), NXT: psn(0x10)}) // the round's end wraps
	if v := f.take(model.ACK{Pkts: 15, ECE: true, UNA: psn(0xffffff), NXT: psn(0x20)}); v != model.NoVerdict {
		t.Errorf("before the end: %v", v)
	}
	if v := f.take(model.ACK{Pkts: 17, ECE: true, UNA: psn(0x10), NXT: psn(0x20)}); v != model.Congested {
		t.Errorf("at the end: %v", v)
	}
}

// BV9: an idle connection's first ACK, so long after an RTO; T = 60 s.
func TestLongIdle(t *testing.T) {
	const s = 1_000_000_000
	for _, c := range []struct {
		after  uint64
		rounds uint64
	}{{59 * s, 0}, {61 * s, 1}, {250 * s, 1}, {300 * s, 1}, {1<<44 - 78*s, 1}, {1<<44 - 77*s, 0}, {1<<44 + 59*s, 0}, {1<<44 + 61*s, 1}} {
		f := start(t)
		f.b.RTO(0, false, 0, 0)
		f.now = c.after & (1<<44 - 1)
		f.take(model.ACK{UNA: f.seq, NXT: f.seq + 1000})
		f.ack(10, 10, true)
		f.ack(10, 10, true)
		s, _ := f.b.State(0)
		if got := min(s.Rounds, 1); got != c.rounds {
			t.Errorf("%d ns after the RTO: %d congested rounds, want %d", c.after, got, c.rounds)
		}
	}
}

// A clock that stops or advances does not jump.
func TestTick(t *testing.T) {
	b := model.New(params.Default()) // steps of 2^30
	for i, c := range []struct {
		now  uint64
		jump bool
	}{{0, false}, {0, false}, {1<<30 - 1, false}, {1 << 30, false}, {3<<30 - 1, false}, {4 << 30, true}, {3 << 30, true}, {1<<44 - 1, true}, {0, false}, {1<<44 - 1, true}} {
		if got := b.Tick(c.now); got != c.jump {
			t.Errorf("%d, to %d: %t", i, c.now, got)
		}
	}
}

// An illegal event changes nothing.
func TestIllegal(t *testing.T) {
	f := start(t)
	f.congested(2)
	was, _ := f.b.State(0)
	if _, ok := f.b.ACK(1, model.ACK{}, 0); ok {
		t.Error("an ACK of connection 1 of 1")
	}
	if _, ok := f.b.ACK(0, model.ACK{UNA: 5, NXT: 4}, 0); ok {
		t.Error("an ACK for what was never sent")
	}
	if _, ok := f.b.ACK(0, model.ACK{NXT: 1 << 30}, 0); ok {
		t.Error("an ACK with a window of 2^30")
	}
	if f.b.RTO(1, false, 0, 0) {
		t.Error("an RTO of connection 1 of 1")
	}
	if why, ok := f.b.Send(1, true); ok || why != model.Illegal {
		t.Error("a SEND of connection 1 of 1")
	}
	if s, _ := f.b.State(0); s != was {
		t.Errorf("%v, was %v", s, was)
	}
}
