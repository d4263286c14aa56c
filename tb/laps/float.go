// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"math"
	"math/rand/v2"

	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
)

// newFloat returns Algorithms 1 to 3 of LAPS in floating point, with the decisions of docs/units/laps_paths.md, laps_rate.md
// and laps_loss.md and the settings of a configuration, but without the hardware's rounding, widths and bounds. It draws its
// own random numbers. beta is β′.
func newFloat(p *params.Params, net *routes, beta float64, seed uint64) *float {
	f := &float{net: net, beta: beta, stages: int(p.Rate.Stages), most: float64(p.Rate.MaxRate) / perByte, least: float64(p.Rate.MinRate) / perByte,
		rto: float64(p.Detector.RTOMinNS), rnd: rand.New(rand.NewPCG(seed, 1)), pairs: make([][]int, net.pairs),
		longest: make([]float64, net.pairs), last: make([]int, net.pairs), paths: make([]floatPath, len(net.paths)), flows: make([]floatFlow, net.flows)}
	for i, p := range net.paths {
		f.last[p.pair] = -1
		f.pairs[p.pair] = append(f.pairs[p.pair], i)
		f.longest[p.pair] = max(f.longest[p.pair], float64(p.base))
		f.paths[i].real = float64(p.base)
	}
	return f
}

type floatPath struct {
	time, real  float64 // PIT, ns
	outstanding []model.Segment
	timer       float64
}

type floatFlow struct {
	current, expected float64 // bytes/ns
	stage             int
	dec, inc          float64 // nxtDec, nxtInc, ns
}

type float struct {
	net     *routes
	beta    float64
	stages  int
	most    float64 // rates, bytes/ns
	least   float64
	rto     float64 // least timeout, ns
	rnd     *rand.Rand
	pairs   [][]int   // the paths of each
	longest []float64 // T of each
	last    []int     // the path that each pair probed last, or -1
	paths   []floatPath
	flows   []floatFlow
	weights []float64
	found   []lost
}

// open implements algorithms.
func (f *float) open(flow int, now uint64) (float64, error) {
	before := float64(now) - 1
	f.flows[flow] = floatFlow{current: f.most, expected: f.most, dec: before, inc: before}
	return f.most, nil
}

// dead is the latency at which doubling ends.
const dead = 1 << 40

// timeout returns how long the timer of a path runs.
func (f *float) timeout(x *floatPath) float64 { return max(2*x.real, f.rto) }

// packet implements algorithms: Algorithm 1.
func (f *float) packet(p *packet) (choice, error) {
	now, c := float64(p.now), choice{path: -1, probe: -1}
	f.weights = f.weights[:0]
	var sum float64
	least := -1
	pair := f.pairs[p.pair]
	for k := range pair {
		// One probe per packet, on the first expired path behind the one probed last.
		at := (f.last[p.pair] + 1 + k) % len(pair)
		if x := &f.paths[pair[at]]; now-x.time > 2*x.real {
			c.probe, f.last[p.pair] = pair[at], at
			x.real, x.time = min(2*x.real, dead), now
			break
		}
	}
	for _, i := range pair {
		x := &f.paths[i]
		w := exp(float64(f.beta*x.real) / f.longest[p.pair])
		sum += w
		f.weights = append(f.weights, w)
		if least < 0 || x.real < f.paths[least].real {
			least = i
		}
	}
	c.path = least
	if sum > 0 {
		at := float64(f.rnd.Float64() * sum)
		for k, w := range f.weights {
			if at -= w; at < 0 {
				c.path = pair[k]
				break
			}
		}
	}
	if c.path >= 0 && p.track {
		x := &f.paths[c.path]
		x.outstanding = append(x.outstanding, p.Segment)
		x.timer = now + f.timeout(x)
	}
	return c, nil
}

// ack implements algorithms: Algorithms 2 and 3.
func (f *float) ack(a *feedback) (reaction, error) {
	now, x := float64(a.now), &f.paths[a.path]
	x.real, x.time = float64(a.delay), now
	pair := f.net.paths[a.path].pair
	longest, least := f.longest[pair], math.Inf(1)
	for _, i := range f.pairs[pair] {
		least = min(least, f.paths[i].real)
	}
	r, w := reaction{}, &f.flows[a.Flow]
	switch {
	case least > longest && now > w.dec:
		r.cause = decreased
		w.expected, w.current = w.current, max(w.current/2, f.least)
		w.dec, w.stage = now+2*least, 0
	case least <= longest && now > w.inc:
		r.cause = increased
		if w.stage++; w.stage > f.stages {
			r.cause = doubled
			w.expected *= 2
		}
		w.expected = min(w.expected, f.most)
		w.current = min((w.expected+w.current)/2, f.most)
		w.inc = now + 2*least
	}
	r.rate = w.current
	r.lost = f.skipped(a, now)
	return r, nil
}

// skipped returns the segments that an ACK skips.
func (f *float) skipped(a *feedback, now float64) []lost {
	x := &f.paths[a.path]
	for k, s := range x.outstanding {
		if s != a.Segment {
			continue
		}
		f.found = f.found[:0]
		for _, s := range x.outstanding[:k] {
			f.found = append(f.found, lost{s, a.path, false})
		}
		x.outstanding = x.outstanding[k+1:]
		x.timer = now + f.timeout(x)
		return f.found
	}
	return nil
}

// answer implements algorithms.
func (f *float) answer(a *answer) error {
	x := &f.paths[a.path]
	x.real, x.time = float64(a.delay), float64(a.now)
	return nil
}

// tick implements algorithms.
func (f *float) tick(now uint64) ([]lost, error) {
	f.found = f.found[:0]
	for i := range f.paths {
		x := &f.paths[i]
		if len(x.outstanding) == 0 || float64(now) <= x.timer {
			continue
		}
		for _, s := range x.outstanding {
			f.found = append(f.found, lost{s, i, true})
		}
		x.outstanding = nil
	}
	return f.found, nil
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
