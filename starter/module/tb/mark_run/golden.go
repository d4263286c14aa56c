// SPDX-License-Identifier: Apache-2.0

// Package markrun is the bench of the ECN run counter: stimulus, golden model behind the unit's
// contract, coverage points, and the unit's part of the checks.
package markrun

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/starter/module/gen/mark_run"
	model "github.com/nicgen/nicgen/starter/module/model/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "mark_run"

// Unit makes benches of the counter.
var Unit = &bench.Unit[*params.Params]{
	Name: unitName, Default: params.Default, Stimulus: newStimulus, Predictor: newPredictor, Points: points,
	Asserts: []bench.Assert{
		{Name: "answer_is_legal", Property: "m_ack_valid |-> 32'(m_ack_conn) < CONNECTIONS", Message: "an answer for a connection that does not exist"},
		{Name: "answer_or_illegal", Property: "!(m_ack_valid && evt_illegal)", Message: "an ACK is both answered and illegal"},
	},
}

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New: Unit.Config, Bench: Unit.New, Measure: bench.Measure, Mutation: mutation, Proofs: proofs, Upset: upset,
}

// golden is the counter behind its contract.
type golden struct {
	m    *model.Counter
	set  params.Settings
	runs bench.Out[params.Run]

	most uint64   // the longest run
	hits []uint64 // of the coverage points; nil without counting
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
		bench.CoverEvents(f, p.Connections, span, len(situations))
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
		situations.Count(g.hits, &seen{was, a.Run, g.set.Threshold, g.most})
	}
	return true
}

// state describes the connection of an ACK.
func (g *golden) state(e *params.ACK) string {
	run, ok := g.m.Run(uint64(e.Conn))
	return fmt.Sprintf("the connection exists: %t; its run before the ACK: %d", ok, run)
}

// seen holds the values of an ACK for its coverage points; was is the run before it, most the longest run.
type seen struct{ was, run, threshold, most uint64 }

// situations are the coverage points of ACKs: each limit, and both sides of it.
var situations = bench.Situations[seen]{
	{Name: "run/first", Doc: "a marked ACK after an unmarked one", Is: func(s *seen) bool { return s.was == 0 && s.run == 1 }},
	{Name: "run/ended", Doc: "an unmarked ACK after a marked one", Is: func(s *seen) bool { return s.was > 0 && s.run == 0 }},
	{Name: "run/full", Doc: "a marked ACK with a run of all ones before it", Is: func(s *seen) bool { return s.was == s.most && s.run == s.most }},
	{Name: "hot/exact", Doc: "a run that is the threshold", Is: func(s *seen) bool { return s.run > 0 && s.run == s.threshold }},
	{Name: "hot/below", Doc: "a run one below the threshold", Is: func(s *seen) bool { return s.run+1 == s.threshold }},
	{Name: "threshold/0", Doc: "an unmarked ACK with threshold 0", Is: func(s *seen) bool { return s.run == 0 && s.threshold == 0 }},
	{Name: "threshold/max", Doc: "a run that is the largest threshold", Is: func(s *seen) bool { return s.run == s.most && s.threshold == s.most }},
}

// span is the largest counted distance between ACKs of one connection, in cycles.
const span = params.Latency + 1

// points lists the coverage points: the situations, then the points that follow from the contract.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	if p.RunBits <= 8 {
		situations.AddTo(&list)
	} else { // an episode is too short to fill a run
		situations.AddTo(&list, "run/full", "threshold/max")
	}
	list.AddEvents(p, p.Contract(), p.Connections, span)
	return list
}
