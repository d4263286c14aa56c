// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// golden is PLB behind its contract, with the random generator.
type golden struct {
	m      *model.PLB
	p      *params.Params
	words  reps.Random
	time   params.Time
	seeded bool // a seed is the word of this cycle
	seed   uint32
	labels bench.Out[params.Label]
	sends  [sendDepth]pending // by cycle, modulo its length
	cover  *coverage          // nil: nobody counts
}

// pending is a SEND whose label waits for its random word.
type pending struct {
	on  bool
	why model.Cause
	a   params.Label
}

// sendDepth is a power of two above the delay of the random word.
const sendDepth = 16

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{m: model.New(p), p: p, words: reps.NewRandom(params.WordBits, uint64(p.RandomSeed))}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &g.m.Settings), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.Seeds, g.load),
			bench.On(params.ACKs, g.ack, func(e *params.ACK) string { return g.conn(e.Conn) }),
			bench.On(params.RTOs, g.rto, func(e *params.RTO) string { return g.conn(e.Conn) }),
			bench.On(params.Sends, g.send, func(e *params.Send) string { return g.conn(e.Conn) }),
		},
		Bind:  []bench.Binder{bench.Emits(params.Labels, &g.labels)},
		Reset: g.reset, Begin: g.begin, Early: true, State: g.waiting,
	})
	if err != nil || bare {
		return f, err
	}
	g.cover = newCoverage(p, g.m, f)
	f.AtEnd(g.cover.end)
	return f, nil
}

func (g *golden) reset() {
	g.m.Reset()
	g.words.Reset(uint64(g.p.RandomSeed))
	g.sends = [sendDepth]pending{}
	if g.cover != nil {
		g.cover.reset()
	}
}

func (g *golden) load(_ *bench.Now, e *params.Seed) bool {
	g.seed, g.seeded = e.Word, true
	return true
}

// begin gives the SEND whose word was drawn in the cycle before its label, draws the word of this cycle
// unless a seed is that, and tells the time.
func (g *golden) begin(n *bench.Now) {
	if s := &g.sends[(n.Cycle-params.WordLatency)%sendDepth]; s.on {
		g.label(n, s)
	}
	switch {
	case g.seeded:
		g.words.Load(g.seed)
	case !n.Acting:
		g.words.Next()
	}
	jump := g.m.Tick(g.time.Now) && n.Ready && !n.Rst
	n.Count(params.CountJump, jump)
	if g.cover != nil {
		g.cover.begin(n, g.time.Now, g.seeded, jump)
	}
	g.seeded = false
}

func (g *golden) ack(n *bench.Now, e *params.ACK) bool {
	what := model.ACK{Pkts: e.Pkts, ECE: e.ECE, RTT: e.RTT, UNA: e.UNA, NXT: e.NXT}
	if g.cover != nil {
		g.cover.ack(what)
	}
	v, ok := g.m.ACK(e.Conn, what, g.time.Now)
	n.Count(params.CountACK, ok)
	n.Count(params.CountCongested, v == model.Congested)
	n.Count(params.CountClean, v == model.Clean)
	n.Count(params.CountSaturated, g.m.DidSaturate())
	if g.cover != nil {
		g.cover.verdict(v)
	}
	return ok
}

func (g *golden) rto(n *bench.Now, e *params.RTO) bool {
	if g.cover != nil {
		g.cover.rto()
	}
	ok := g.m.RTO(e.Conn, e.Open, g.words.Last(), g.time.Now)
	n.Count(params.CountRTO, ok && !e.Open)
	n.Count(params.CountOpen, ok && e.Open)
	return ok
}

func (g *golden) send(n *bench.Now, e *params.Send) bool {
	if g.cover != nil {
		g.cover.send()
	}
	why, ok := g.m.Send(e.Conn, e.Idle)
	a := params.Label{Conn: e.Conn, Cause: uint8(why), New: ok && why != model.None}
	n.Count(params.CountSend, ok)
	n.Count(params.CountIdle, why == model.Idle)
	n.Count(params.CountForced, why == model.Forced)
	n.Count(params.CountRestart, why == model.Restart)
	if g.cover != nil {
		g.cover.e.cause = why
	}
	if ok {
		g.sends[n.Cycle%sendDepth] = pending{true, why, a}
	} else {
		g.labels.EmitIllegal(n, &a)
	}
	return ok
}

// label answers a SEND.
func (g *golden) label(n *bench.Now, s *pending) {
	if s.a.New {
		g.m.Relabel(s.a.Conn, g.words.Last())
	}
	s.a.Label = g.m.Label(s.a.Conn)
	s.a.Port = model.Port(g.p, s.a.Label)
	g.labels.EmitAfter(n, &s.a, params.SendLatency-params.WordLatency)
	s.on = false
}

// conn describes a connection.
func (g *golden) conn(c uint32) string {
	if s, ok := g.m.State(c); ok {
		return s.String()
	}
	return fmt.Sprintf("there are only %d connections", g.p.Connections)
}

// waiting describes the SENDs whose labels are not drawn.
func (g *golden) waiting([]uint64) string {
	var b strings.Builder
	for i := range g.sends {
		if s := &g.sends[i]; s.on {
			fmt.Fprintf(&b, "\nSEND of connection %d whose label is not drawn: %v", s.a.Conn, s.why)
		}
	}
	return b.String()
}
