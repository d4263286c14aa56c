// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// NewFloat returns Algorithms 1 to 3 of LAPS in floating point, for all pairs and
// flows of a scenario, with the decisions of docs/units/laps_paths.md, laps_rate.md
// and laps_loss.md but without the hardware's rounding, widths and bounds. It draws its
// own random numbers.
func NewFloat(sc *Scenario, s Settings) (Controller, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	f := &float{sc: sc, s: s, rnd: rand.New(rand.NewPCG(s.Seed, 1)), pairs: make([][]int, len(sc.Pairs)),
		longest: make([]float64, len(sc.Pairs)), last: make([]int, len(sc.Pairs)), paths: make([]floatPath, len(sc.Paths)), flows: make([]floatFlow, len(sc.Flows))}
	for i, p := range sc.Paths {
		f.last[p.Pair] = -1
		f.pairs[p.Pair] = append(f.pairs[p.Pair], i)
		f.longest[p.Pair] = max(f.longest[p.Pair], float64(p.Base))
		f.paths[i].real = float64(p.Base)
	}
	return f, nil
}

type floatPath struct {
	time, real  float64 // PIT, ns
	outstanding []Segment
	timer       float64
}

type floatFlow struct {
	current, expected float64 // bytes/ns
	stage             int
	dec, inc          float64 // nxtDec, nxtInc, ns
}

type float struct {
	sc      *Scenario
	s       Settings
	rnd     *rand.Rand
	pairs   [][]int   // the paths of each
	longest []float64 // T of each
	last    []int     // which of its paths each pair probed last, -1 for none
	paths   []floatPath
	flows   []floatFlow
	weights []float64
	lost    []Lost
}

// Open implements Controller.
func (f *float) Open(flow int, now uint64) (float64, error) {
	if flow < 0 || flow >= len(f.flows) {
		return 0, fmt.Errorf("flow: found %d, allowed: 0 to %d", flow, len(f.flows)-1)
	}
	before := float64(now) - 1
	f.flows[flow] = floatFlow{current: f.s.MaxRate, expected: f.s.MaxRate, dec: before, inc: before}
	return f.s.MaxRate, nil
}

// dead is where the doubling of a latency ends.
const dead = 1 << 40

// Packet implements Controller: Algorithm 1.
func (f *float) Packet(p *Packet) (Choice, error) {
	now, c := float64(p.Now), Choice{Path: -1, Probe: -1}
	f.weights = f.weights[:0]
	var sum float64
	least := -1
	pair := f.pairs[p.Pair]
	for k := range pair {
		// One probe per packet, on the first expired path behind the one probed last.
		at := (f.last[p.Pair] + 1 + k) % len(pair)
		if x := &f.paths[pair[at]]; now-x.time > 2*x.real {
			c.Probe, f.last[p.Pair] = pair[at], at
			x.real, x.time = min(2*x.real, dead), now
			break
		}
	}
	for _, i := range pair {
		x := &f.paths[i]
		w := exp(float64(f.s.Beta*x.real) / f.longest[p.Pair])
		sum += w
		f.weights = append(f.weights, w)
		if least < 0 || x.real < f.paths[least].real {
			least = i
		}
	}
	c.Path = least
	if sum > 0 {
		at := float64(f.rnd.Float64() * sum)
		for k, w := range f.weights {
			if at -= w; at < 0 {
				c.Path = pair[k]
				break
			}
		}
	}
	if c.Path >= 0 && p.Track {
		x := &f.paths[c.Path]
		x.outstanding = append(x.outstanding, p.Segment)
		x.timer = now + max(2*x.real, float64(f.s.RTOMin))
	}
	return c, nil
}

// Ack implements Controller: Algorithms 2 and 3.
func (f *float) Ack(a *Ack) (Reaction, error) {
	now, x := float64(a.Now), &f.paths[a.Path]
	x.real, x.time = float64(a.Delay), now
	pair := f.sc.Paths[a.Path].Pair
	longest, least := f.longest[pair], math.Inf(1)
	for _, i := range f.pairs[pair] {
		least = min(least, f.paths[i].real)
	}
	r, w := Reaction{}, &f.flows[a.Flow]
	switch {
	case least > longest && now > w.dec:
		r.Cause = Decreased
		w.expected, w.current = w.current, max(w.current/2, f.s.MinRate)
		w.dec, w.stage = now+2*least, 0
	case least <= longest && now > w.inc:
		r.Cause = Increased
		if w.stage++; w.stage > f.s.Stages {
			r.Cause = Doubled
			w.expected *= 2
		}
		w.expected = min(w.expected, f.s.MaxRate)
		w.current = min((w.expected+w.current)/2, f.s.MaxRate)
		w.inc = now + 2*least
	}
	r.Rate = w.current
	r.Lost = f.acked(a, now)
	return r, nil
}

// acked returns the segments that an ACK skips.
func (f *float) acked(a *Ack, now float64) []Lost {
	x := &f.paths[a.Path]
	for k, s := range x.outstanding {
		if s != a.Segment {
			continue
		}
		f.lost = f.lost[:0]
		for _, s := range x.outstanding[:k] {
			f.lost = append(f.lost, Lost{s, a.Path, false})
		}
		x.outstanding = x.outstanding[k+1:]
		x.timer = now + max(2*x.real, float64(f.s.RTOMin))
		return f.lost
	}
	return nil
}

// Answer implements Controller.
func (f *float) Answer(a *Answer) error {
	x := &f.paths[a.Path]
	x.real, x.time = float64(a.Delay), float64(a.Now)
	return nil
}

// Tick implements Controller.
func (f *float) Tick(now uint64) ([]Lost, error) {
	f.lost = f.lost[:0]
	for i := range f.paths {
		x := &f.paths[i]
		if len(x.outstanding) == 0 || float64(now) <= x.timer {
			continue
		}
		for _, s := range x.outstanding {
			f.lost = append(f.lost, Lost{s, i, true})
		}
		x.outstanding = nil
	}
	return f.lost, nil
}

// exp is e^-x for x ≥ 0. The library's differs between processors in the last place;
// here every step is rounded, so a run is the same everywhere.
func exp(x float64) float64 {
	if x > 700 {
		return 0
	}
	n := math.Floor(float64(x * math.Log2E))
	r := x - float64(n*math.Ln2) // 0 to ln 2
	term, sum := 1.0, 1.0
	for i := 1; i <= 20; i++ {
		term = float64(term*-r) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, -int(n))
}
