// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_rate"
)

// flow is Algorithm 2 word for word, with lines 6 and 10 as in the authors' simulator
// (their comparisons are the other way round in the paper), rates capped, and time
// without an end.
type flow struct {
	curRate, expRate float64
	incStage         int
	nxtDec, nxtInc   int64
}

// The literal algorithm's counterparts of parameters.
type literal struct {
	most, base  bool // intervals of 2max and 2T in place of 2t
	n           int
	line, floor float64
	step        float64 // least step of an increase, as in IncreaseRateForLaps of the authors' simulator
}

func (l *literal) ack(f *flow, paths []model.Path, now int64) {
	T, t, most := int64(0), int64(math.MaxInt64), int64(0)
	for _, p := range paths {
		if p.Valid {
			T, t, most = max(T, int64(p.BaseVal)), min(t, int64(p.RealVal)), max(most, int64(p.RealVal))
		}
	}
	if t > T && now > f.nxtDec {
		f.expRate, f.curRate = f.curRate, max(math.Floor(f.curRate/2), l.floor)
		f.nxtDec = now + 2*t
		if l.most {
			f.nxtDec = now + 2*most
		}
		f.incStage = 0
	} else if t <= T && now > f.nxtInc {
		f.incStage++
		if f.incStage > l.n {
			f.expRate = min(2*f.expRate, l.line)
		}
		mean := math.Floor((f.expRate + f.curRate) / 2)
		if l.step > 0 {
			mean = max(mean, f.curRate+l.step)
		}
		f.curRate = min(mean, l.line)
		if l.step > 0 {
			f.expRate = max(f.expRate, f.curRate)
		}
		f.nxtInc = now + 2*t
		if l.base {
			f.nxtInc = now + 2*T
		}
	}
}

// The golden model equals the literal algorithm, ACK for ACK, for both profiles of
// intervals, as long as no flow is idle for longer than the time's range.
func TestEqualsLiteral(t *testing.T) {
	causes := map[model.Cause]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := params.Default()
		p.Flows, p.LatBits, p.TimeBits = 3, 8, 16
		p.RateBits = 10 + r.Int64N(15)
		p.MaxRate = 1 + r.Int64N(1<<p.RateBits-1)
		p.MinRate = 1 + r.Int64N(max(1, p.MaxRate/50))
		p.Stages = pick(r, 0, 1, 5, 6, 15)
		if r.IntN(2) == 1 {
			p.Decrease = params.Most
		}
		if r.IntN(2) == 1 {
			p.Increase = params.Base
		}
		if seed%2 == 1 { // of any size, a step of the whole rate among them
			p.Least = pick(r, 1, max(1, p.MaxRate/100), 1+r.Int64N(p.MaxRate), p.MaxRate)
		}
		lit := literal{most: p.Decrease == params.Most, base: p.Increase == params.Base, n: int(p.Stages),
			line: float64(p.MaxRate), floor: float64(p.MinRate), step: float64(p.Least)}
		m := model.New(p)
		var now int64 = 65_000
		var flows [3]flow
		open := func(c int) {
			m.Open(uint32(c), uint64(now)&0xffff)
			flows[c] = flow{curRate: lit.line, expRate: lit.line, nxtDec: now - 1, nxtInc: now - 1}
		}
		for c := range flows {
			open(c)
		}
		for range 4000 {
			now += r.Int64N(100) * r.Int64N(2)
			c := r.IntN(3)
			if r.IntN(200) == 0 {
				open(c)
			}
			paths := make([]model.Path, 1+r.IntN(4))
			for i := range paths {
				paths[i] = model.Path{Valid: i == 0 || r.IntN(3) > 0, RealVal: r.Uint64N(256), BaseVal: r.Uint64N(100)}
			}
			got := m.ACK(uint32(c), uint64(now)&0xffff, model.Reduce(paths))
			lit.ack(&flows[c], paths, now)
			causes[got.Cause]++
			f := flows[c]
			if float64(got.Current) != f.curRate || float64(got.Expected) != f.expRate {
				t.Fatalf("seed %d, %d ns, flow %d, %v: %+v, want rates %v and %v", seed, now, c, paths, got, f.curRate, f.expRate)
			}
		}
	}
	for _, c := range []model.Cause{model.Held, model.Decrease, model.Increase, model.Hyper} {
		if causes[c] < 1000 {
			t.Errorf("%v %d times, want at least 1000", c, causes[c])
		}
	}
}

// Rates after the decreases and increases of LV2, in units of 1/256 of 1 % of the line rate: as published, and with the
// simulator's least step of 1 % and its doubling at the 7th increase.
func TestLeastIncrease(t *testing.T) {
	for _, c := range []struct {
		name         string
		step, stages int64
		want         []float64
	}{
		{"as published", 0, 5, []float64{37.5, 43.75, 46.875, 48.4375, 49.21875, 74.609375}},
		{"the authors' simulator", 256, 6, []float64{37.5, 43.75, 46.875, 48.4375, 49.4375, 50.4375, 75.21875, 87.609375}},
	} {
		p := params.Default()
		p.Flows, p.MaxRate, p.MinRate, p.Least, p.Stages = 1, 25_600, 256, c.step, c.stages
		m := model.New(p)
		now := uint64(100)
		for range 2 {
			m.ACK(0, now, model.Extremes{Any: true, Least: 21, Base: 20})
			now += 1000
		}
		for i, want := range c.want {
			got := m.ACK(0, now, model.Extremes{Any: true, Least: 10, Base: 20})
			now += 1000
			// The unit has 8 binary digits: 1/256 is rounded down.
			if float64(got.Current)/256 != math.Floor(want*256)/256 {
				t.Errorf("%s, increase %d: rate %v, want %v", c.name, i+1, float64(got.Current)/256, want)
			}
		}
	}
}

// The profile of the authors' simulator equals its two functions, IncreaseRateForLaps and
// DecreaseRateForLaps, on a stream of ACKs many of which find congestion; without the least step it
// does not.
func TestProfileOfTheSimulator(t *testing.T) {
	rates := func(least int64) (apart float64) {
		r := rand.New(rand.NewPCG(11, 4))
		p := params.Default()
		p.Flows, p.Decrease, p.Increase, p.Stages, p.Least = 1, params.Most, params.Base, 6, least
		m := model.New(p)
		lit := literal{most: true, base: true, n: 6, line: float64(p.MaxRate), floor: float64(p.MinRate), step: 256_000}
		f := flow{curRate: lit.line, expRate: lit.line, nxtDec: -1, nxtInc: -1}
		const acks = 200_000
		now := int64(0)
		for range acks {
			now += 80 + r.Int64N(160) // ns
			paths := make([]model.Path, 8)
			queue := r.Uint64N(12) * 400
			for i := range paths {
				paths[i] = model.Path{Valid: true, BaseVal: 8_000, RealVal: 5_000 + queue + r.Uint64N(2_000)}
			}
			got := m.ACK(0, uint64(now)&(1<<32-1), model.Reduce(paths))
			lit.ack(&f, paths, now)
			apart += math.Abs(float64(got.Current)/f.curRate-1) / acks
		}
		return apart
	}
	if with := rates(256_000); with != 0 {
		t.Errorf("with the least step rates are %.1f %% apart on average, want equal", 100*with)
	}
	without := rates(0)
	t.Logf("without the least step rates are %.1f %% apart on average", 100*without)
	if without < 0.1 {
		t.Errorf("without the least step rates are %.1f %% apart on average: the stream does not show the step", 100*without)
	}
}

func pick(r *rand.Rand, from ...int64) int64 { return from[r.IntN(len(from))] }

// However long a flow is idle, it may act afterwards, except during twice the largest latency
// before the timer wraps, when it cannot be distinguished from one that has just acted.
func TestIdleFlowHeals(t *testing.T) {
	p := params.Default()
	p.Flows, p.LatBits, p.TimeBits = 1, 8, 16
	const span = 100
	for _, idle := range []uint64{0, 199, 200, 201, 1 << 15, 1<<15 + 1, 1<<15 + 500, 1<<16 - 313, 1<<16 - 312, 1<<16 - 100, 1 << 16, 1<<16 + 200, 1<<16 + 201, 3<<15 + 7} {
		m := model.New(p)
		m.Open(0, 0)
		m.ACK(0, 1000, model.Extremes{Any: true, Least: span, Base: 1})
		got := m.ACK(0, (1000+idle)&0xffff, model.Extremes{Any: true, Least: span, Base: 1}).Cause
		want := model.Decrease
		// Up to 200 ns it is too early; 200 - idle, modulo the timer, is below 512 for
		// the last 312 ns of a turn too.
		if in := idle % (1 << 16); in <= 2*span || in > 1<<16-(512-2*span) {
			want = model.Held
		}
		if got != want {
			t.Errorf("idle for %d ns: %v, want %v", idle, got, want)
		}
	}
}

// A smaller largest rate holds from the flow's next change of any kind.
func TestLowerCap(t *testing.T) {
	for _, c := range []struct {
		name              string
		e                 model.Extremes
		current, expected uint64
	}{
		{"decrease", model.Extremes{Any: true, Least: 10, Base: 5}, 500, 1000},
		{"increase", model.Extremes{Any: true, Least: 5, Base: 10}, 1000, 1000},
	} {
		p := params.Default()
		p.MaxRate, p.MinRate = 100_000, 10
		m := model.New(p)
		m.Settings.Max = 1000
		got := m.ACK(0, 5, c.e)
		if got.Current != c.current || got.Expected != c.expected {
			t.Errorf("%s: %+v, want %d and %d", c.name, got, c.current, c.expected)
		}
	}
}

func TestNothingChanges(t *testing.T) {
	p := params.Default()
	p.Flows = 2
	m := model.New(p)
	m.ACK(1, 100, model.Extremes{Any: true, Least: 10, Base: 5})
	was, _ := m.State(1)
	if r := m.ACK(1, 1000, model.Extremes{}); r.Cause != model.NoPath || r.Current != was.Current || r.Expected != was.Expected {
		t.Errorf("without a valid path: %+v", r)
	}
	if r := m.ACK(2, 1000, model.Extremes{Any: true, Least: 10, Base: 5}); r != (model.Result{Cause: model.None}) {
		t.Errorf("ACK of flow 2 of 2: %+v", r)
	}
	if r := m.Open(2, 1000); r != (model.Result{Cause: model.None}) {
		t.Errorf("opening of flow 2 of 2: %+v", r)
	}
	if s, _ := m.State(1); s != was {
		t.Errorf("flow 1: %v, want %v", s, was)
	}
	if want := (model.Counters{ACK: 2, Congested: 1, Decrease: 1, NoPath: 1, IllegalFlow: 2}); m.Count != want {
		t.Errorf("counters %+v, want %+v", m.Count, want)
	}
	if _, ok := m.State(2); ok {
		t.Error("flow 2 of 2 has a state")
	}
	m.ClearCounters()
	if m.Count != (model.Counters{}) {
		t.Errorf("counters after a reset: %+v", m.Count)
	}
}

// Rates stay between their bounds, and the expected rate is never below the current one, regardless
// of events, while the settings do not change.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	p := params.Default()
	p.Flows, p.MaxRate, p.MinRate = 1, 12_345, 77
	m := model.New(p)
	low, high := false, 0
	now := uint64(0)
	for range 200_000 {
		now += r.Uint64N(60)
		e := model.Extremes{Any: true, Least: r.Uint64N(20), Base: 20 * (now >> 11 & 1)}
		got := m.ACK(0, now, e)
		if got.Current < 77 || got.Expected > 12_345 || got.Current > got.Expected {
			t.Fatalf("at %d ns: %+v", now, got)
		}
		low = low || got.Current == 77
		if low && got.Expected == 12_345 {
			low = false
			high++
		}
	}
	if high < 10 {
		t.Errorf("from the bottom to the top %d times, want at least 10", high)
	}
}

// All paths are slower than the slowest of them without congestion: the rate is halved.
func Example() {
	m := model.New(params.Default()) // 100 Gb/s in 1/256 Mb/s
	paths := []model.Path{{Valid: true, RealVal: 12_000, BaseVal: 8_000}, {Valid: true, RealVal: 11_000, BaseVal: 10_000}}
	r := m.ACK(0, 1000, model.Reduce(paths))
	fmt.Println(r.Cause, r.Current>>8, "of", r.Expected>>8)
	paths[1].RealVal = 9_000
	r = m.ACK(0, 2000, model.Reduce(paths))
	fmt.Println(r.Cause, r.Current>>8, "of", r.Expected>>8)
	// Output:
	// decrease 50000 of 100000
	// increase 75000 of 100000
}

func BenchmarkEvents(b *testing.B) {
	m := model.New(params.Default())
	x := uint64(1)
	b.ReportAllocs()
	for i := range b.N {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		m.ACK(uint32(x>>8&1023), uint64(i), model.Extremes{Any: true, Least: x >> 20 & 4095, Base: x >> 32 & 4095})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
