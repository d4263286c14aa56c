// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	"math"
	"math/rand/v2"
	"slices"
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

// step is a packet of connection 0 at a time, with a given word, and the expected result.
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

// SV8: 8 bits of time, timeouts of a quarter of its range, 64 ns, and more: as one of 63.
func TestTimeoutBeyond(t *testing.T) {
	p := params.Default()
	p.Connections, p.TimerBits = 2, 8
	for _, timeout := range []uint64{63, 64, 128, 191, 192, 255} {
		for now, want := range map[uint64]model.Source{73: model.Continued, 74: model.New} {
			m := cleared(p, 16)
			set := model.Settings{EVs: 16, Timeout: timeout}
			m.Tick(10)
			m.Send(model.Packet{}, set, 10)
			m.Tick(now)
			if _, from := m.Send(model.Packet{}, set, now); from != want {
				t.Errorf("timeout %d: at %d source %d, want %d", timeout, now, from, want)
			}
		}
	}
}

// The fewest bits of time that are accepted are enough for clocks of 322, 250 and 200 MHz: a
// whole range of the time has four new quarters and no jump. One bit less is not enough for
// 250 MHz, if the number of entries is a power of two.
func TestQuarterLastsLongEnough(t *testing.T) {
	for _, entries := range []int64{8, 255, 256, 257, 1024, 65536} {
		p := params.Default()
		p.Connections, p.FlowletTimeoutNS = entries, 0
		for p.TimerBits = 8; len(p.Check()) > 0; p.TimerBits++ {
		}
		jumps := func(bits int64, period float64) (n int) {
			p.TimerBits = bits
			m := model.NewSpray(p)
			end := float64(uint64(2) << bits)
			for now := 0.0; now < end; now += period {
				if m.Tick(uint64(now) & (1<<bits - 1)) {
					n++
				}
			}
			if n == 0 && m.Turns() != 7 {
				t.Errorf("%d entries, %d bits, %g ns: %d quarters began", entries, bits, period, m.Turns())
			}
			return n
		}
		least := p.TimerBits
		for _, period := range []float64{3.103, 4, 5} {
			if n := jumps(least, period); n > 0 {
				t.Errorf("%d entries, %d bits, a cycle of %g ns: %d jumps", entries, least, period, n)
			}
		}
		if entries&(entries-1) == 0 && least > 8 && jumps(least-1, 4) == 0 {
			t.Errorf("%d entries: %d bits are enough for 250 MHz", entries, least-1)
		}
	}
}

// With any traffic and a legal clock, flowlets are the same as with a time that never wraps.
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

// Every EV is below the number of EVs, for all modes and settings.
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
// of freedom, is 1 for those. Over seeds its mean is between 0.9 and 1.1, for each number of
// connections with the width of the hash that it has, and wider ones. With 65,536 connections, of
// which 8 EVs have 8,192 each, it shows a difference of one in a thousand: there it is below 1.5.
func TestHashSpreads(t *testing.T) {
	for _, conns := range []int64{64, 256, 4096, 65536} {
		p := params.Default()
		p.Connections = conns
		for _, bits := range []int{16, 20, 24} {
			if bits < p.HashBits() {
				continue
			}
			for _, evs := range []uint64{8, 16, 100, 256} {
				sum, fullest, seeds := 0.0, 0.0, min(2048, 1<<23/uint64(conns))
				for seed := range seeds {
					n := make([]float64, evs)
					for conn := range uint64(conns) {
						n[model.Hash(conn, seed*0x9e3779b97f4a7c15>>48, bits)*evs>>bits]++
					}
					want := float64(conns) / float64(evs)
					for _, x := range n {
						sum += (x - want) * (x - want) / want / float64(evs-1)
					}
					fullest += slices.Max(n)
				}
				mean := sum / float64(seeds)
				t.Logf("%d bits, %d connections, %d EVs: %.3f; the fullest EV has %.1f", bits, conns, evs, mean, fullest/float64(seeds))
				most := 1.1
				if conns == 65536 {
					most = 1.5
				}
				if mean < 0.9 || mean > most {
					t.Errorf("%d bits, %d connections, %d EVs: chi-square is %.3f times its mean", bits, conns, evs, mean)
				}
			}
		}
	}
}

// Any two connections have one of 8 EVs for one seed in eight: for each pair of one of the first
// 16 connections and one of the first 256, over 65,536 seeds, as often as that up to a tenth,
// which is ten standard deviations.
func TestHashPairs(t *testing.T) {
	const conns, others, seeds = 256, 16, 65536
	for _, bits := range []int{16, 20, 24} {
		same := [conns][others]int{}
		for seed := range uint64(seeds) {
			var ev [conns]uint64
			for conn := range ev {
				ev[conn] = model.Hash(uint64(conn), seed*0x9e3779b97f4a7c15>>48, bits) >> (bits - 3)
			}
			for a := range same {
				for b := range min(a, others) {
					if ev[a] == ev[b] {
						same[a][b]++
					}
				}
			}
		}
		least, most := seeds, 0
		for a := range same {
			for b := range min(a, others) {
				least, most = min(least, same[a][b]), max(most, same[a][b])
				if math.Abs(float64(same[a][b])/(seeds/8)-1) > 0.1 {
					t.Errorf("%d bits: connections %d and %d have one EV for %d of %d seeds", bits, a, b, same[a][b], seeds)
				}
			}
		}
		t.Logf("%d bits: %d to %d of %d seeds", bits, least, most, seeds)
	}
}

// Seeds in a row spread connections anew: no two of 256 load 8 EVs alike. A seed that only
// changed the number of the connection would give them the same loads in other places.
func TestHashSeeds(t *testing.T) {
	for _, bits := range []int{16, 20, 24} {
		seen := map[[8]int]uint64{}
		for seed := range uint64(256) {
			var n [8]int
			for conn := range uint64(256) {
				n[model.Hash(conn, seed, bits)>>(bits-3)]++
			}
			if other, ok := seen[n]; ok {
				t.Errorf("%d bits: seeds %d and %d load the EVs alike: %v", bits, other, seed, n)
			}
			seen[n] = seed
		}
	}
}

// SV7: hashes, worked out from the formula bit by bit; by hand, connection 0 with seed 0: the first
// round gives the key, 0xe377.
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
			want := round(round(round(round(round(conn^seed, 0xe377), 0xc6ef)^seed, 0xaa66), 0x8dde), 0x7156)
			if got := model.Hash(conn, seed, 16); got != want {
				t.Fatalf("connection %d, seed %#x: %#x, want %#x", conn, seed, got, want)
			}
		}
	}
	if got := round(0, 0xe377); got != 0xe377 {
		t.Fatalf("%#x", got)
	}
}
