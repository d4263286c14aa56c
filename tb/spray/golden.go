// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	model "github.com/nicgen/nicgen/model/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// golden is the golden model behind its contract.
type golden struct {
	m       *model.Spray
	p       *params.Params
	set     params.Settings
	time    params.Time
	answers bench.Out[params.Answer]
	cover   *coverage // nil: nobody counts

	// The generator takes seed words in all cycles, and goes on in the cycle after a word was drawn.
	seeds  bench.Wires[params.Seed]
	seeded bench.Pin
	from   uint64 // cycle from which seeded is high; 0: it is not
	draw   bool   // a word was drawn in the cycle before

	// Entries are cleared with the setting of their cycle, the first one with the setting of the cycle before the
	// reset.
	evs     bench.Pin
	last    uint64 // the setting of the cycle before
	cleared int64  // entries
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{m: model.NewSpray(p), p: p}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &g.set), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.ACKs, g.ack),
			bench.On(params.Fails, g.fail),
			bench.On(params.Sends, g.send, func(e *params.Send) string { return g.entry(e.Conn, e.Port) }),
			bench.On(params.Flushes, g.flush, func(e *params.Flush) string { return g.entry(e.Conn, e.Port) }),
		},
		Bind: []bench.Binder{
			bench.Emits(params.Answers, &g.answers), bench.WireIn(params.Seeds, &g.seeds),
			bench.WirePin("sts_seeded", &g.seeded), bench.WirePin("cfg_evs", &g.evs),
		},
		Reset: g.reset, Begin: g.begin, Early: true,
	})
	if err != nil {
		return nil, err
	}
	f.Always(g.seeded)
	if !bare {
		g.cover = newCoverage(p, g.m, f)
		f.AtEnd(g.cover.end)
	}
	return f, nil
}

func (g *golden) reset() {
	if g.cover != nil {
		g.cover.hit(ptResetSweep, g.cleared > 1 && g.cleared < g.p.Entries())
	}
	g.m.Reset()
	g.m.Clear(0, g.last)
	g.cleared, g.draw, g.from = 1, true, 0
}

// begin carries out the actions of every cycle: the generator, the time, and the clearing of
// entries.
func (g *golden) begin(n *bench.Now) {
	word := g.seeds.Of(n.In)
	switch {
	case word != nil:
		if g.cover != nil {
			g.cover.hit(ptSeed, true)
			g.cover.hit(ptSeedDraw, g.draw)
		}
		g.m.Words.Load(word.Word)
		if !n.Rst && g.from == 0 {
			g.from = n.Cycle + params.EventLatency
		}
	case g.draw:
		g.m.Words.Next()
	}
	if g.from != 0 && n.Cycle+1 >= g.from {
		want, _ := n.Later(1)
		g.seeded.Raise(want)
	}
	g.draw = false
	evs := g.evs.Get(n.In)
	switch {
	case !n.Known || n.Rst:
	case n.Ready:
		was := g.m.Turns()
		jump := g.m.Tick(g.time.Now)
		n.Count(params.CountJump, jump)
		if g.cover != nil {
			g.cover.quarter(g.m.Turns() != was, jump)
		}
	case g.cleared < g.p.Entries():
		g.m.Clear(g.cleared, evs)
		g.draw = true
		g.cleared++
	}
	g.last = evs
}

// legal reports whether a connection exists on a NIC port.
func (g *golden) legal(conn, port uint64, illegal int) bool {
	_, ok := g.m.Find(conn, port)
	if g.cover != nil && !ok {
		g.cover.hit(illegal, true)
		g.cover.hit(ptIllegalPort, port >= uint64(g.p.NICPorts))
	}
	return ok
}

func (g *golden) ack(n *bench.Now, e *params.ACK) bool {
	ok := g.legal(e.Conn, e.Port, ptIllegalACK)
	n.Count(params.CountACK, ok && !e.ECN)
	n.Count(params.CountECN, ok && e.ECN)
	if g.cover != nil {
		g.cover.hit(ptACK, ok && !e.ECN)
		g.cover.hit(ptMarked, ok && e.ECN)
	}
	return ok
}

func (g *golden) fail(n *bench.Now, e *params.Fail) bool {
	ok := g.legal(e.Conn, e.Port, ptIllegalFail)
	n.Count(params.CountFail, ok)
	if g.cover != nil {
		g.cover.hit(ptFail, ok)
	}
	return ok
}

func (g *golden) send(n *bench.Now, e *params.Send) bool {
	g.draw = g.legal(e.Conn, e.Port, ptIllegalSend)
	set := model.Settings{Mode: uint64(g.set.Mode[e.Port&7]), EVs: g.set.EVs, Timeout: g.set.Timeout, HashSeed: g.set.HashSeed}
	if g.cover != nil && g.draw {
		g.cover.send(n.Cycle, e, &set, g.time.Now)
	}
	ev, from := g.m.Send(model.Packet(*e), set, g.time.Now)
	g.answers.Emit(n, &params.Answer{EV: ev + g.set.Base, Source: uint8(from)})
	n.Count(params.CountSend, g.draw)
	n.Count(params.CountNew, from == model.New)
	return g.draw
}

func (g *golden) flush(n *bench.Now, e *params.Flush) bool {
	ok := g.legal(e.Conn, e.Port, ptIllegalFlush)
	if ok {
		g.m.Flush(e.Conn, e.Port, g.set.EVs)
		g.draw = true
		n.Count(params.CountFlush, true)
		if g.cover != nil {
			g.cover.flush(n.Cycle, e)
		}
	}
	return ok
}

// entry describes the entry of a connection on a NIC port.
func (g *golden) entry(conn, port uint64) string {
	e, ok := g.m.Find(conn, port)
	if !ok {
		return fmt.Sprintf("there are only %d connections and %d NIC ports", g.p.Connections, g.p.NICPorts)
	}
	return fmt.Sprintf("in quarter %d, entry %d is %+v", g.m.Turns(), e, g.m.Entry(e))
}
