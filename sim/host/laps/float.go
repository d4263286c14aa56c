// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"math"
	"math/rand/v2"

	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// newFloat returns Algorithms 1 to 3 of LAPS in floating point, with the decisions of docs/units/laps_paths.md, laps_rate.md
// and laps_loss.md and the settings of a configuration, but without the hardware's rounding, widths and bounds. It draws its
// own random numbers. beta is β′.
func newFloat(p *params.Params, net *tblaps.Routes, beta float64, seed uint64) *float {
	f := &float{net: net, beta: beta, stages: int(p.Rate.Stages), most: float64(p.Rate.MaxRate) / tblaps.PerByte, least: float64(p.Rate.MinRate) / tblaps.PerByte,
		rto: float64(p.Detector.RTOMinNS), rnd: rand.New(rand.NewPCG(seed, 1)), pairs: make([][]int, net.Pairs),
		longest: make([]float64, net.Pairs), last: make([]int, net.Pairs), paths: make([]floatPath, len(net.Paths)), flows: make([]floatFlow, net.Flows)}
	for i, p := range net.Paths {
		f.last[p.Pair] = -1
		f.pairs[p.Pair] = append(f.pairs[p.Pair], i)
		f.longest[p.Pair] = max(f.longest[p.Pair], float64(p.Base))
		f.paths[i].real = float64(p.Base)
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
	net     *tblaps.Routes
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
	found   []tblaps.Lost
}

// Open implements algorithms.
func (f *float) Open(flow int, now uint64) (float64, error) {
	before := float64(now) - 1
	f.flows[flow] = floatFlow{current: f.most, expected: f.most, dec: before, inc: before}
	return f.most, nil
}

// dead is the latency at which doubling ends.
const dead = 1 << 40

// timeout returns how long the timer of a path runs.
func (f *float) timeout(x *floatPath) float64 { return max(2*x.real, f.rto) }

// Packet implements algorithms: Algorithm 1.
func (f *float) Packet(p *tblaps.Packet) (tblaps.Choice, error) {
	now, c := float64(p.Now), tblaps.Choice{Path: -1, Probe: -1}
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
		w := exp(float64(f.beta*x.real) / f.longest[p.Pair])
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
		x.timer = now + f.timeout(x)
	}
	return c, nil
}

// Ack implements algorithms: Algorithms 2 and 3.
func (f *float) Ack(a *tblaps.Feedback) (tblaps.Reaction, error) {
	now, x := float64(a.Now), &f.paths[a.Path]
	x.real, x.time = float64(a.Delay), now
	pair := f.net.Paths[a.Path].Pair
	longest, least := f.longest[pair], math.Inf(1)
	for _, i := range f.pairs[pair] {
		least = min(least, f.paths[i].real)
	}
	r, w := tblaps.Reaction{}, &f.flows[a.Flow]
	switch {
	case least > longest && now > w.dec:
		r.Cause = tblaps.Decreased
		w.expected, w.current = w.current, max(w.current/2, f.least)
		w.dec, w.stage = now+2*least, 0
	case least <= longest && now > w.inc:
		r.Cause = tblaps.Increased
		if w.stage++; w.stage > f.stages {
			r.Cause = tblaps.Doubled
			w.expected *= 2
		}
		w.expected = min(w.expected, f.most)
		w.current = min((w.expected+w.current)/2, f.most)
		w.inc = now + 2*least
	}
	r.Rate = w.current
	r.Lost = f.skipped(a, now)
	return r, nil
}

// skipped returns the segments that an ACK skips.
func (f *float) skipped(a *tblaps.Feedback, now float64) []tblaps.Lost {
	x := &f.paths[a.Path]
	for k, s := range x.outstanding {
		if s != a.Segment {
			continue
		}
		f.found = f.found[:0]
		for _, s := range x.outstanding[:k] {
			f.found = append(f.found, tblaps.Lost{Segment: s, Path: a.Path})
		}
		x.outstanding = x.outstanding[k+1:]
		x.timer = now + f.timeout(x)
		return f.found
	}
	return nil
}

// Answer implements algorithms.
func (f *float) Answer(a *tblaps.Answer) error {
	x := &f.paths[a.Path]
	x.real, x.time = float64(a.Delay), float64(a.Now)
	return nil
}

// Tick implements algorithms.
func (f *float) Tick(now uint64) ([]tblaps.Lost, error) {
	f.found = f.found[:0]
	for i := range f.paths {
		x := &f.paths[i]
		if len(x.outstanding) == 0 || float64(now) <= x.timer {
			continue
		}
		for _, s := range x.outstanding {
			f.found = append(f.found, tblaps.Lost{Segment: s, Path: i, Timer: true})
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
