// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/spray"
	model "github.com/nicgen/nicgen/model/spray"
)

// cleared returns a unit after its reset, with the first entries' EVs as given.
func cleared(p *params.Params, evs uint64) *model.Spray {
	m := model.NewSpray(p)
	for e := range p.Entries() {
		m.Clear(e, evs)
		m.Words.Next()
	}
	return m
}

// step is a packet of connection 0 at a time, with a given word, and what it must get.
type step struct {
	now, word uint64
	mode, evs uint64
	timeout   uint64
	ev        uint64
	from      model.Source
}

// The vectors of docs/units/spray.md: each is played from a reset, with 4 EV bits, 16 bits of
// time, and connection 0 flushed so that its entry holds no flowlet.
func TestVectors(t *testing.T) {
	const fl, ops, rr = params.ModeFlowlet, params.ModeOPS, params.ModeRoundRobin
	for name, steps := range map[string][]step{
		"SV1 flowlet": {
			{now: 1000, word: 0x8000, mode: fl, evs: 10, timeout: 50, ev: 5, from: model.New},
			{now: 1050, word: 0xffff, mode: fl, evs: 10, timeout: 50, ev: 5, from: model.Continued},
			{now: 1100, word: 0xffff, mode: fl, evs: 10, timeout: 50, ev: 5, from: model.Continued},
			{now: 1151, word: 0xffff, mode: fl, evs: 10, timeout: 50, ev: 9, from: model.New},
		},
		"SV2 scale": {
			{word: 0x0000, mode: ops, evs: 10, ev: 0, from: model.Oblivious},
			{word: 0x1999, mode: ops, evs: 10, ev: 0, from: model.Oblivious}, // 6553 × 10 = 65530
			{word: 0x199a, mode: ops, evs: 10, ev: 1, from: model.Oblivious}, // 6554 × 10 = 65540
			{word: 0xffff, mode: ops, evs: 10, ev: 9, from: model.Oblivious},
			{word: 0xffff, mode: ops, evs: 1, ev: 0, from: model.Oblivious},
			{word: 0xffff, mode: ops, evs: 16, ev: 15, from: model.Oblivious},
		},
		"SV3 in turn": {
			{word: 0x8000, mode: fl, evs: 3, timeout: 1, ev: 1, from: model.New},
			{mode: rr, evs: 3, ev: 1, from: model.InTurn},
			{mode: rr, evs: 3, ev: 2, from: model.InTurn},
			{mode: rr, evs: 3, ev: 0, from: model.InTurn},
			{mode: rr, evs: 3, ev: 1, from: model.InTurn},
			{mode: rr, evs: 2, ev: 0, from: model.InTurn},
			{mode: rr, evs: 1, ev: 0, from: model.InTurn},
			{mode: rr, evs: 16, ev: 1, from: model.InTurn},
		},
		"SV4 fewer EVs": {
			{now: 5, word: 0xffff, mode: fl, evs: 10, timeout: 50, ev: 9, from: model.New},
			{now: 6, word: 0x4000, mode: fl, evs: 8, timeout: 50, ev: 2, from: model.New},
			{now: 7, word: 0x4000, mode: fl, evs: 10, timeout: 50, ev: 2, from: model.Continued},
		},
		"SV5 the timeout of the packet before": {
			{now: 100, word: 0x8000, mode: fl, evs: 2, timeout: 10, ev: 1, from: model.New},
			{now: 110, word: 0, mode: fl, evs: 2, timeout: 0, ev: 1, from: model.Continued},
			{now: 110, word: 0, mode: fl, evs: 2, timeout: 0, ev: 1, from: model.Continued},
			{now: 111, word: 0, mode: fl, evs: 2, timeout: 0, ev: 0, from: model.New},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := params.Default()
			p.Connections, p.EVSBits, p.TimerBits = 2, 4, 16
			m := cleared(p, 16)
			for i, s := range steps {
				m.Tick(s.now)
				ev, from := m.Send(model.Packet{Inject: true, Word: s.word}, model.Settings{Mode: s.mode, EVs: s.evs, Timeout: s.timeout}, s.now)
				if ev != s.ev || from != s.from {
					t.Fatalf("step %d: EV %d of source %d, want %d of %d", i, ev, from, s.ev, s.from)
				}
			}
		})
	}
}

// SV6: two entries, 8 bits of time. The entry was last used at 10; its time comes round at 266.
// A quarter is 64 ns.
func TestWrap(t *testing.T) {
	p := params.Default()
	p.Connections, p.TimerBits = 2, 8
	for _, c := range []struct {
		last uint64
		from model.Source
	}{{12, model.Continued}, {61, model.Continued}, {62, model.New}, {265, model.New}, {268, model.New}, {300, model.New}} {
		m := cleared(p, 16)
		set := model.Settings{EVs: 16, Timeout: 51}
		for now := uint64(10); now <= c.last; now++ {
			if m.Tick(now & 255) {
				t.Fatalf("at %d: a jump", now)
			}
			if now == 10 {
				m.Send(model.Packet{}, set, now)
			}
			if now == c.last {
				if _, from := m.Send(model.Packet{}, set, now&255); from != c.from {
					t.Errorf("at %d: source %d, want %d", now, from, c.from)
				}
			}
		}
	}
}

// Whatever the traffic, flowlets are those of a time that never wraps, if the clock is legal.
func TestEqualsEndlessTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Connections = rapid.Int64Range(1, 5).Draw(t, "connections")
		p.TimerBits = rapid.Int64Range(8, 12).Draw(t, "timer_bits")
		m, rng := cleared(p, 16), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		quarter := uint64(1) << (p.TimerBits - 2)
		now, limit := rng.Uint64N(4*quarter), make([]uint64, p.Connections)
		var ev [5]uint64
		seen := make([]bool, p.Connections)
		idle := rng.IntN(20)
		for range 3000 {
			if m.Tick(now & (4*quarter - 1)) {
				t.Fatal("a jump")
			}
			if conn := rng.Uint64N(uint64(p.Connections)); rng.IntN(1+idle) == 0 {
				timeout := rng.Uint64N(quarter)
				got, from := m.Send(model.Packet{Conn: conn, Inject: true, Word: rng.Uint64() & 0xffff}, model.Settings{EVs: 65536, Timeout: timeout}, now&(4*quarter-1))
				if goes := seen[conn] && now <= limit[conn]; goes != (from == model.Continued) || goes && got != ev[conn] {
					t.Fatalf("connection %d at %d, flowlet until %d: EV %d, source %d, was %d", conn, now, limit[conn], got, from, ev[conn])
				}
				seen[conn], limit[conn], ev[conn] = true, now+timeout, got
			}
			now += rng.Uint64N(quarter / 7) // so a quarter lasts more than 6 cycles
		}
	})
}

// Each EV comes once in a turn, in any number of them.
func TestEachOnceInATurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Connections, p.EVSBits = 2, rapid.Int64Range(1, 8).Draw(t, "evs_bits")
		evs := rapid.Uint64Range(1, 1<<p.EVSBits).Draw(t, "evs")
		m := cleared(p, evs)
		for turn := range 3 {
			seen := make([]int, evs)
			for range evs {
				ev, _ := m.Send(model.Packet{}, model.Settings{Mode: params.ModeRoundRobin, EVs: evs}, 0)
				seen[ev]++
			}
			for ev, n := range seen {
				if n != 1 {
					t.Fatalf("turn %d: EV %d came %d times", turn, ev, n)
				}
			}
		}
	})
}

// Every EV is below the number of EVs, whatever the modes and settings.
func TestBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Connections, p.EVSBits, p.Flowlets = 8, 4, 4
		m := cleared(p, 16)
		for range 200 {
			set := model.Settings{Mode: rapid.Uint64Range(0, 3).Draw(t, "mode"), EVs: rapid.Uint64Range(1, 16).Draw(t, "evs"), Timeout: 5}
			if ev, _ := m.Send(model.Packet{Conn: rapid.Uint64Range(0, 7).Draw(t, "conn")}, set, rapid.Uint64Range(0, 20).Draw(t, "now")); ev >= set.EVs {
				t.Fatalf("EV %d of %d", ev, set.EVs)
			}
			m.Words.Next()
		}
	})
}

// The hash spreads connections in a row like random numbers: chi-square, divided by its degrees
// of freedom, is 1 for those. Over 200 seeds its mean is between 0.4 and 1.6.
func TestHashSpreads(t *testing.T) {
	for _, bits := range []int{16, 20} {
		for _, conns := range []uint64{64, 256, 4096} {
			for _, evs := range []uint64{8, 16, 100, 256} {
				sum := 0.0
				for seed := range uint64(200) {
					n := make([]float64, evs)
					for conn := range conns {
						n[model.Hash(conn, seed*0x9e3779b97f4a7c15>>40, bits)*evs>>bits]++
					}
					want := float64(conns) / float64(evs)
					for _, x := range n {
						sum += (x - want) * (x - want) / want / float64(evs-1)
					}
				}
				if mean := sum / 200; math.Abs(mean-1) > 0.6 {
					t.Errorf("%d bits, %d connections, %d EVs: chi-square is %.2f times its mean", bits, conns, evs, mean)
				} else {
					t.Logf("%d bits, %d connections, %d EVs: %.2f", bits, conns, evs, mean)
				}
			}
		}
	}
}

// SV7: hashes, worked out from the formula by hand for connection 0 with seed 0: the first round
// gives the key, 0xe377.
func TestHashVectors(t *testing.T) {
	round := func(x, key uint64) (y uint64) { // bit by bit
		for i := range 16 {
			bit := func(k int) uint64 { return x >> ((i - k + 16) % 16) & 1 }
			y |= (bit(0) ^ bit(6) ^ bit(13) ^ bit(1)&(1^bit(10)) ^ key>>i&1) << i
		}
		return y
	}
	for conn := range uint64(300) {
		for _, seed := range []uint64{0, 1, 0xffff, 0x1234} {
			want := round(round(round(conn, 0xe377)^seed, 0xc6ef), 0xaa66)
			if got := model.Hash(conn, seed, 16); got != want {
				t.Fatalf("connection %d, seed %#x: %#x, want %#x", conn, seed, got, want)
			}
		}
	}
	if got := round(0, 0xe377); got != 0xe377 {
		t.Fatalf("%#x", got)
	}
}
