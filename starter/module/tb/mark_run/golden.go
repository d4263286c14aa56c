// SPDX-License-Identifier: Apache-2.0

// Package markrun is the bench of the ECN run counter: stimulus, golden model behind the unit's
// contract, coverage points, and what the unit brings for the checks.
package markrun

import (
	_ "embed"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	model "github.com/nicgen/nicgen/starter/module/model/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_mark_run_sva.sv
var assertions string

const unitName = "mark_run"

// Unit makes benches of the counter.
var Unit = &bench.Unit[*params.Params]{
	Name: unitName, Default: params.Default, Assertions: assertions, Stimulus: newStimulus, Predictor: newPredictor, Points: points,
}

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New: params.New, Bench: Unit.New, Measure: bench.Measure, Mutation: mutation, Proofs: proofs, Upset: upset,
}

// golden is the counter behind its contract.
type golden struct {
	m    *model.Counter
	set  params.Settings
	runs bench.Out[params.Run]

	most uint64   // the longest run
	hits []uint64 // of the coverage points; nil: nobody counts
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{m: model.New(p), most: 1<<p.RunBits - 1}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Rules: []bench.Rule{bench.On(params.ACKs, g.ack, g.state)},
		Bind:  []bench.Binder{bench.Emits(params.Runs, &g.runs)},
		Reset: g.m.Reset,
	})
	if err == nil && !bare {
		g.hits = f.Reached
		bench.CoverEvents(f, p.Connections, span, ptEvents)
	}
	return f, err
}

// ack executes an ACK.
func (g *golden) ack(n *bench.Now, e *params.ACK) bool {
	was, _ := g.m.Run(uint64(e.Conn))
	a := params.Run{Conn: e.Conn}
	var ok bool
	if a.Run, a.Hot, ok = g.m.ACK(uint64(e.Conn), e.ECN, g.set.Threshold); !ok {
		return false
	}
	n.Count(params.CountACK, true)
	n.Count(params.CountMarked, a.Run > 0)
	n.Count(params.CountHot, a.Hot)
	g.runs.Emit(n, &a)
	if g.hits != nil {
		g.cover(was, &a)
	}
	return true
}

// state describes the connection of an ACK.
func (g *golden) state(e *params.ACK) string {
	run, ok := g.m.Run(uint64(e.Conn))
	return fmt.Sprintf("the connection exists: %t; its run before the ACK: %d", ok, run)
}

// Coverage points, in the order of the table in points.
const (
	ptFirst = iota
	ptEnded
	ptFull
	ptExact
	ptBelow
	ptThreshold0
	ptThresholdMax
	ptEvents // first of those that follow from the contract
)

// span is the largest distance between ACKs of one connection that is counted, in cycles.
const span = params.Latency + 1

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	short := p.RunBits <= 8 // an episode is long enough to fill a run
	var list bench.Points
	list.Add("run/first", "a marked ACK after an unmarked one", true)
	list.Add("run/ended", "an unmarked ACK after a marked one", true)
	list.Add("run/full", "a marked ACK with a run of all ones before it", short)
	list.Add("hot/exact", "a run that is the threshold", true)
	list.Add("hot/below", "a run one below the threshold", true)
	list.Add("threshold/0", "an unmarked ACK with threshold 0", true)
	list.Add("threshold/max", "a run that is the largest threshold", short)
	list.AddEvents(p, p.Contract(), p.Connections, span)
	return list
}

// cover counts the points of an ACK; was is the run before it.
func (g *golden) cover(was uint64, a *params.Run) {
	hit := func(point int, is bool) {
		if is {
			g.hits[point]++
		}
	}
	threshold := g.set.Threshold
	hit(ptFirst, was == 0 && a.Run == 1)
	hit(ptEnded, was > 0 && a.Run == 0)
	hit(ptFull, was == g.most && a.Run == g.most)
	hit(ptExact, a.Run > 0 && a.Run == threshold)
	hit(ptBelow, a.Run+1 == threshold)
	hit(ptThreshold0, a.Run == 0 && threshold == 0)
	hit(ptThresholdMax, a.Run == g.most && threshold == g.most)
}
