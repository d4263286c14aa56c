// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// golden is the path picker behind its contract.
type golden struct {
	f       *bench.Frame
	p       *params.Params
	m       *model.Picker
	picks   bench.Pin // valid
	seeds   bench.Wires[params.Seed]
	choices bench.Out[params.Choice]
	choice  params.Choice
	seed    params.Seed

	last bool // there was a request in the cycle before
	run  int  // seed words in a row
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p, m: model.New(p)}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Rules:    []bench.Rule{bench.On(params.Picks, g.pick)},
		Bind: []bench.Binder{
			bench.Emits(params.Choices, &g.choices), bench.WirePin("s_pick_valid", &g.picks), bench.WireIn(params.Seeds, &g.seeds),
		},
		Reset: g.reset, Begin: ready, End: g.end,
	})
	g.f = f
	return f, err
}

func (g *golden) reset() {
	g.m.Reset()
	g.last, g.run = false, 0
}

// ready makes the unit ready one cycle after a reset acts.
func ready(n *bench.Now) {
	if n.Acting {
		n.SetReady(true)
	}
}

func (g *golden) pick(n *bench.Now, e *params.Pick) bool {
	latency, random := e.Latency[:g.p.Paths], e.Random[:]
	if !e.Inject {
		random = nil
	}
	a := g.m.Choose(e.Usable, latency, random)
	n.Count(params.CountPick, true)
	n.Count(params.CountNone, a.None)
	n.Count(params.CountSaturated, a.Saturated)
	g.choice = params.Choice{None: a.None, Saturated: a.Saturated, Index: uint32(a.Index), Tag: e.Tag}
	g.choices.Emit(n, &g.choice)
	if !g.f.Bare {
		g.cover(e.Usable, latency, a, random)
	}
	return true
}

// end advances the random generator: it loads a seed, or steps after a request.
func (g *golden) end(n *bench.Now) {
	pick := g.picks.On(n.In)
	if n.Rst && !n.Acting && pick {
		g.f.Reached[ptReset]++
	}
	if n.Rst || !n.Ready {
		return
	}
	seeded := g.seeds.Poll(n.In, &g.seed)
	switch {
	case seeded:
		g.m.Random.Load(g.seed.Word)
	case pick:
		g.m.Random.Step()
	}
	if !g.f.Bare {
		g.coverRate(pick, seeded)
	}
}

// coverRate covers consecutive requests and seed words, and both in one cycle.
func (g *golden) coverRate(pick, seeded bool) {
	h := g.f.Reached
	switch {
	case pick && g.last:
		h[ptBackToBack]++
	case pick:
		h[ptGap]++
	}
	g.last = pick
	if !seeded {
		g.run = 0
		return
	}
	if pick {
		h[ptSeedPick]++
	} else {
		h[ptSeed]++
	}
	if g.run++; g.run*model.WordBits >= g.m.Random.Bits() {
		h[ptSeedAll]++
	}
}

// cover looks at a request and its answer.
func (g *golden) cover(usable uint32, latency []uint16, a model.Result, random []uint64) {
	h := g.f.Reached
	if random != nil {
		h[ptInject]++
		ones := 0
		for _, w := range random {
			ones += bits.OnesCount64(w)
		}
		switch ones {
		case 0:
			h[ptInjectZeros]++
		case g.p.RandomBits():
			h[ptInjectOnes]++
		}
	}
	all := uint32(1<<g.p.Paths - 1)
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
	least, second, least0 := uint16(1<<params.LatencyBits), uint16(1<<params.LatencyBits), latency[0]
	equal, dead := true, false
	for i, d := range latency {
		least0 = min(least0, d)
		equal = equal && d == latency[0]
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
	picked := latency[a.Index]
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
	if usable&1 == 0 && latency[0] == least0 && least > least0 {
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
	s := &g.m.Seen
	if s.Spliced {
		h[ptSpliced]++
	}
	if s.Lost {
		h[ptLost]++
	}
	h[ptIndex+a.Index]++
	for l := range g.p.Levels() {
		h[ptIndex+int(g.p.Paths)+l] += uint64(s.Ties >> l & 1)
	}
}
