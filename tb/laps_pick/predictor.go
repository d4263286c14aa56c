// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// answer is what a request will be told.
type answer struct {
	valid bool
	tag   uint64
	model.Result
}

// ring is the number of cycles whose answers are kept: more than the latency.
const ring = 32

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.Picker
	delay uint64 // cycles from a request to its answer

	reset   bool // rst was high in the cycle before
	last    bool // there was a request in the cycle before
	seeds   int  // words in a row
	answers [ring]answer
	latency []uint16
	random  []uint64
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), delay: uint64(p.PickLatency()), Golden: bench.NewGolden(l, len(points(p)), bare),
		latency: make([]uint16, p.Paths),
		random:  make([]uint64, (p.RandomBits()+63)/64),
	}
	r.Always(append(x.counter[:], x.mValid)...)
	return r, nil
}

// Overwrites implements cosim.Overwriter.
func (r *predictor) Overwrites() {}

// Step implements cosim.Predictor. The unit registers rst: it is reset in the cycle after
// that, and takes nothing in either.
func (r *predictor) Step(in, want, care []uint64) {
	rst := r.pins.rst.On(in)
	if r.Known {
		r.show(want, care)
	} else {
		clear(want)
		clear(care)
	}
	a := &r.answers[r.Cycle%ring]
	*a = answer{}
	switch {
	case r.reset:
		r.m.Reset()
		r.Known, r.last, r.seeds = true, false, 0
		r.answers = [ring]answer{}
		clear(r.Want)
	case r.Known && rst:
		if r.pins.valid.On(in) {
			r.Reached[ptReset]++
		}
	case r.Known:
		r.take(in, a)
	}
	r.reset = rst
	r.Cycle++
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if a := &r.answers[(r.Cycle-r.delay-1)%ring]; a.valid {
		x.counter[0].Add(r.Want, 1)
		if a.None {
			x.counter[1].Add(r.Want, 1)
		}
		if a.Saturated {
			x.counter[2].Add(r.Want, 1)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	a := &r.answers[(r.Cycle-r.delay)%ring]
	if !a.valid {
		return
	}
	x.mValid.Raise(want)
	x.index.Put(want, uint64(a.Index))
	x.mTag.Put(want, a.tag)
	if a.None {
		x.none.Raise(want)
	}
	if a.Saturated {
		x.saturated.Raise(want)
	}
	x.index.Put(care, ^uint64(0))
	x.mTag.Put(care, ^uint64(0))
	x.none.Raise(care)
	x.saturated.Raise(care)
}

// request reads the paths of a request.
func (r *predictor) request(in []uint64) (usable uint32) {
	for i := range r.latency {
		r.latency[i] = uint16(r.pins.latency.Bits(in, i*params.LatencyBits, params.LatencyBits))
	}
	return uint32(r.pins.usable.Get(in))
}

// injected reads the random bits of a request; nil if it brings none.
func (r *predictor) injected(in []uint64) []uint64 {
	if !r.p.Inject || !r.pins.inject.On(in) {
		return nil
	}
	for i, left := 0, r.p.RandomBits(); left > 0; i, left = i+1, left-64 {
		r.random[i] = r.pins.random.Bits(in, 64*i, min(64, left))
	}
	return r.random
}

// take executes a cycle's request and seed word.
func (r *predictor) take(in []uint64, a *answer) {
	x := r.pins
	pick, seed := x.valid.On(in), x.seedValid.On(in)
	if pick {
		r.Accepted++
		usable := r.request(in)
		random := r.injected(in)
		*a = answer{valid: true, tag: x.tag.Get(in), Result: r.m.Choose(usable, r.latency, random)}
		if !r.Bare {
			r.cover(usable, a.Result, random)
		}
	}
	switch {
	case seed:
		r.m.Random.Load(uint16(x.seedWord.Get(in)))
	case pick:
		r.m.Random.Step()
	}
	if r.Bare {
		return
	}
	h := r.Reached
	switch {
	case pick && r.last:
		h[ptBackToBack]++
	case pick:
		h[ptGap]++
	}
	r.last = pick
	if !seed {
		r.seeds = 0
		return
	}
	if pick {
		h[ptSeedPick]++
	} else {
		h[ptSeed]++
	}
	if r.seeds++; r.seeds*model.WordBits >= r.m.Random.Bits() {
		h[ptSeedAll]++
	}
}

// cover looks at a request and its answer.
func (r *predictor) cover(usable uint32, a model.Result, random []uint64) {
	h := r.Reached
	if random != nil {
		h[ptInject]++
		ones := 0
		for _, w := range random {
			ones += bits.OnesCount64(w)
		}
		switch ones {
		case 0:
			h[ptInjectZeros]++
		case r.p.RandomBits():
			h[ptInjectOnes]++
		}
	}
	all := uint32(1<<r.p.Paths - 1)
	switch {
	case a.None:
		h[ptNone]++
		return
	case a.Saturated && usable == all:
		h[ptSaturatedAll]++
		return
	case a.Saturated:
		if usable&1 == 0 {
			h[ptSaturatedHole]++
		}
		return
	}
	least, second, least0 := uint16(1<<params.LatencyBits), uint16(1<<params.LatencyBits), r.latency[0]
	equal, dead := true, false
	for i, d := range r.latency {
		least0 = min(least0, d)
		equal = equal && d == r.latency[0]
		if usable>>i&1 == 0 {
			continue
		}
		dead = dead || model.Dead(d)
		if d < least {
			least, second = d, least
		} else {
			second = min(second, d)
		}
	}
	picked := r.latency[a.Index]
	switch {
	case usable&(usable-1) == 0:
		h[ptOne]++
	case second-least >= 8<<params.FractionBits:
		h[ptDominant]++
	}
	if usable == all && !dead {
		h[ptAll]++
	}
	if equal && usable == all {
		h[ptEqual]++
	}
	if usable&1 == 0 && r.latency[0] == least0 && least > least0 {
		h[ptHole]++
	}
	if dead {
		h[ptSaturatedSome]++
	}
	switch picked {
	case params.DeadOctave<<params.FractionBits - 1:
		h[ptHighest]++
	case 0:
		h[ptZero]++
	}
	if picked != least {
		h[ptNotSmallest]++
	}
	s := &r.m.Seen
	if s.Spliced {
		h[ptSpliced]++
	}
	if s.Lost {
		h[ptLost]++
	}
	h[ptIndex+a.Index]++
	for l := range r.p.Levels() {
		h[ptIndex+int(r.p.Paths)+l] += uint64(s.Ties >> l & 1)
	}
}

// Explain implements cosim.Predictor: the request in in, and those that are about to
// be answered.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, ready", r.Cycle)
	if x.valid.On(in) {
		usable := r.request(in)
		fmt.Fprintf(&b, "\nrequest with tag %#x:", x.tag.Get(in))
		for i, d := range r.latency {
			if usable>>i&1 != 0 {
				fmt.Fprintf(&b, " %d: %.4f", i, float64(d)/(1<<params.FractionBits))
			}
		}
	}
	for k := uint64(1); k <= r.delay && k <= r.Cycle; k++ {
		if a := &r.answers[(r.Cycle-k)%ring]; a.valid {
			fmt.Fprintf(&b, "\nrequest of %d cycles ago, tag %#x: path %d, none %t, saturated %t", k, a.tag, a.Index, a.None, a.Saturated)
		}
	}
	return b.String()
}
