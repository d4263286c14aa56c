// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// kind is the kind of event taken in a cycle.
type kind uint8

const (
	nothing kind = iota
	ack
	open
	clearing // an opening after reset
)

// event is an event that waits for its settings, and its result.
type event struct {
	kind      kind
	flow      uint32
	now       uint64
	extremes  model.Extremes
	congested bool
	answer    model.Result
}

// slots is a power of two above the number of cycles from an event to its settings.
const slots = 16

// golden is rate control behind its contract.
type golden struct {
	f      *bench.Frame
	p      *params.Params
	m      *model.Limiter
	mask   uint64 // of the time
	decide int    // cycles from an event to its settings
	rest   int    // cycles from there to its answer

	time  params.Time
	set   bench.Wires[params.Settings]
	rates bench.Out[params.Rate]
	due   [slots]event // by the cycle in which it acts
	paths []model.Path // of the ACK of this cycle

	cleared uint32 // flows since the reset
	lastNow uint64
	apart   *bench.Distances
	history []past // by flow
	opened  uint64 // openings so far
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{
		p: p, m: model.New(p), mask: ^uint64(0) >> (64 - p.TimeBits),
		decide: p.SettingsDelay(), rest: p.RateLatency() - p.SettingsDelay(),
		paths: make([]model.Path, p.Paths), history: make([]past, p.Flows),
	}
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.ACKs, g.ack, func(e *params.ACK) string { return g.flow(e.Flow) }),
			bench.On(params.Opens, g.open, func(e *params.Open) string { return g.flow(e.Flow) }),
		},
		Bind:  []bench.Binder{bench.WireGroup(params.SettingPorts, &g.set), bench.Emits(params.Rates, &g.rates)},
		Reset: g.reset, Begin: g.begin, State: g.waiting,
	})
	if err == nil && !bare {
		g.apart = bench.NewDistances(len(kindNames), distances, p.Flows, g.f.Reached[ptDistance:])
		g.f.AtEnd(g.coverCycle)
	}
	return g.f, err
}

func (g *golden) reset() {
	g.m.ClearCounters()
	g.due, g.cleared = [slots]event{}, 0
}

// begin executes the event that uses this cycle's settings, and opens the next flow after a reset.
func (g *golden) begin(n *bench.Now) {
	if e := &g.due[n.Cycle%slots]; e.kind != nothing {
		g.execute(n, e)
		e.kind = nothing
	}
	if !n.Ready && !n.Rst && !n.Acting {
		*g.later(n) = event{kind: clearing, flow: g.cleared, now: g.time.Now}
		g.cleared++
	}
}

// later returns the slot of an event taken in this cycle.
func (g *golden) later(n *bench.Now) *event { return &g.due[(n.Cycle+uint64(g.decide))%slots] }

// ack queues an ACK. The model checks its flow when the ACK is executed; it counts as an event at the
// same time.
func (g *golden) ack(n *bench.Now, a *params.ACK) bool {
	e := g.later(n)
	*e = event{kind: ack, flow: a.Flow, now: g.time.Now, extremes: g.reduce(a)}
	e.congested = e.extremes.Any && e.extremes.Congested()
	g.f.Accepted--
	return true
}

// open queues an opening, as ack does.
func (g *golden) open(n *bench.Now, o *params.Open) bool {
	*g.later(n) = event{kind: open, flow: o.Flow, now: g.time.Now}
	g.f.Accepted--
	return true
}

// reduce finds the extremes of an ACK's latencies.
func (g *golden) reduce(a *params.ACK) model.Extremes {
	if g.p.Operands == params.ExtremesOp {
		return model.Extremes{Any: a.Usable&1 != 0, Least: uint64(a.MinLatency), Most: uint64(a.MaxLatency), Base: uint64(a.MaxBase)}
	}
	base := &a.Base
	if g.p.Operands == params.LatenciesOp {
		for i := range base {
			base[i] = a.MaxBase
		}
	}
	for i := range g.paths {
		g.paths[i] = model.Path{Valid: a.Usable>>i&1 != 0, RealVal: uint64(a.Latency[i]), BaseVal: uint64(base[i])}
	}
	e := model.Reduce(g.paths)
	if !g.f.Bare && e.Any {
		g.coverPaths(e)
	}
	return e
}

// execute runs an event and shows what comes of it.
func (g *golden) execute(n *bench.Now, e *event) {
	m := g.m
	g.set.Poll(n.In, &m.Settings)
	if e.kind == clearing {
		m.Start(e.flow, e.now)
		g.history[e.flow] = newPast(g.opened)
		return
	}
	g.f.Accepted++
	was, _ := m.State(e.flow)
	before := m.Count
	if e.kind == open {
		e.answer = m.Open(e.flow, e.now)
	} else {
		e.answer = m.ACK(e.flow, e.now, e.extremes)
	}
	g.count(n, &before, &m.Count)
	a := params.Rate{Flow: e.flow, Cause: uint8(e.answer.Cause), Current: e.answer.Current, Expected: e.answer.Expected}
	g.rates.EmitAfter(n, &a, g.rest)
	if !g.f.Bare {
		g.coverEvent(n, e, &was)
	}
}

// count shows the increments of the model's counters.
func (g *golden) count(n *bench.Now, was, is *model.Counters) {
	after := g.rest + 1
	n.CountN(params.CountACK, is.ACK-was.ACK, after)
	n.CountN(params.CountCongested, is.Congested-was.Congested, after)
	n.CountN(params.CountDecrease, is.Decrease-was.Decrease, after)
	n.CountN(params.CountIncrease, is.Increase-was.Increase, after)
	n.CountN(params.CountHyper, is.Hyper-was.Hyper, after)
	n.CountN(params.CountNoPath, is.NoPath-was.NoPath, after)
	n.CountN(params.CountOpen, is.Open-was.Open, after)
	if is.IllegalFlow != was.IllegalFlow {
		n.CountIllegalOf(uint64(g.decide))
	}
}

// flow describes a flow.
func (g *golden) flow(c uint32) string {
	if s, ok := g.m.State(c); ok {
		return s.String()
	}
	return fmt.Sprintf("there are only %d flows", g.p.Flows)
}

// waiting describes the events that are not executed yet.
func (g *golden) waiting([]uint64) string {
	var b strings.Builder
	for i := range g.due {
		if e := &g.due[i]; e.kind == ack || e.kind == open {
			fmt.Fprintf(&b, "\nflow %d at %d ns: not yet executed", e.flow, e.now)
		}
	}
	return b.String()
}
