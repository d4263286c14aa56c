// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// golden is the REPS buffer behind its contract.
type golden struct {
	m       *model.Buffer
	p       *params.Params
	time    params.Time
	answers bench.Out[params.Answer]
	queue   *queue    // of ACKs that carry EVs; nil: they do not
	cover   *coverage // nil: nobody counts

	seeds                 bench.Wires[params.Seed]
	loaded                bool // the word of this cycle is a seed
	from                  uint64
	seeded                bench.Pin // from cycle from on; 0: low
	freeze, thaw, illegal bench.Pin // pulses
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{m: model.New(p), p: p}
	var corrected, corrections bench.Pin
	m := bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &g.m.Settings), Ambient: bench.Into(params.TimePorts, &g.time),
		Changed: g.settings,
		Rules: []bench.Rule{
			bench.On(p.FlushStream(), g.flush, func(e *params.Flush) string { return g.conn(e.Conn, e.Port) }),
			bench.On(params.Fails, g.fail, func(e *params.Fail) string { return g.conn(e.Conn, e.Port) }),
			bench.On(params.Sends, g.send, func(e *params.Send) string { return g.conn(e.Conn, e.Port) }),
		},
		Bind: []bench.Binder{
			bench.Emits(params.Answers, &g.answers), bench.WireIn(params.Seeds, &g.seeds), bench.WirePin("sts_seeded", &g.seeded),
			bench.WirePin("evt_freeze", &g.freeze), bench.WirePin("evt_thaw", &g.thaw), bench.WirePin("evt_illegal", &g.illegal),
		},
		Reset: g.reset, Begin: g.begin,
	}
	if p.Coalescing == params.Carry {
		g.queue = &queue{depth: int(p.CarryDepth), most: uint8(p.Ratio)}
		m.Bind = append(m.Bind, bench.WireIn(params.CarriedACKs, &g.queue.acks), bench.WirePin("s_ack_ready", &g.queue.ready))
		m.Rules[0] = m.Rules[0].When(func(*bench.Now) bool { return !g.queue.gives })
	} else {
		m.Rules = append(m.Rules, bench.On(params.ACKs, g.ack, func(e *params.ACK) string { return g.conn(e.Conn, e.Port) }))
	}
	if p.Protected() {
		m.Bind = append(m.Bind, bench.WirePin("evt_corrected", &corrected), bench.WirePin("sts_corrected_cnt", &corrections))
	}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, m)
	if err != nil {
		return nil, err
	}
	f.Always(g.seeded, g.freeze, g.thaw, corrected, corrections) // without upsets nothing is corrected
	if q := g.queue; q != nil {
		f.Always(q.ready)
		q.accepted = &f.Accepted
	}
	if !bare {
		g.cover = newCoverage(p, g.m, &g.time, f)
		f.AtEnd(g.cover.end)
	}
	return f, nil
}

// settings makes mode 3 what it is as.
func (g *golden) settings() {
	for i, mode := range g.m.Settings.Mode {
		if mode > model.ECMP {
			g.m.Settings.Mode[i] = model.OPS
		}
	}
}

func (g *golden) reset() {
	g.m.Reset(uint64(g.p.RandomSeed))
	g.from = 0
	if g.queue != nil {
		g.queue.reset()
	}
	if g.cover != nil {
		g.cover.reset()
	}
}

// begin takes a seed, and the EV that the queue gives.
func (g *golden) begin(n *bench.Now) {
	word := g.seeds.Of(n.In)
	if g.loaded = !n.Rst && word != nil; g.loaded {
		g.m.Random.Load(word.Word)
		if g.from == 0 {
			g.from = n.Cycle + params.EventLatency
		}
		if g.cover != nil {
			g.cover.hits[ptSeed]++
		}
	}
	if g.from != 0 && n.Cycle+1 >= g.from {
		want, _ := n.Later(1)
		g.seeded.Raise(want)
	}
	if g.queue == nil {
		return
	}
	if e, ok := g.queue.step(n, g.cover); ok {
		n.Sample()
		if !g.ack(n, &e) {
			n.CountIllegal()
		}
	}
}

func (g *golden) ack(n *bench.Now, e *params.ACK) bool {
	if g.cover != nil {
		g.cover.ack(e)
	}
	what := g.m.Ack(e.Conn, int(e.Port), e.EV, e.ECN, g.time.Now)
	n.Count(params.CountACK, what&model.EvAck != 0)
	n.Count(params.CountECN, what == model.EvECN)
	switch {
	case what&model.EvThaw != 0:
		n.Count(params.CountThaw, true)
		pulse(n, &g.thaw)
		if g.cover != nil {
			g.cover.e.thaw = true
		}
	case what == model.EvIllegalEV:
		n.Count(params.CountIllegalEV, true)
		pulse(n, &g.illegal)
	}
	return what != model.EvIllegalConn
}

// pulse raises an output that shows an event.
func pulse(n *bench.Now, p *bench.Pin) {
	want, _ := n.Later(params.EventLatency)
	p.Raise(want)
}

func (g *golden) flush(n *bench.Now, e *params.Flush) bool {
	if g.cover != nil {
		g.cover.flush(e)
	}
	ok := g.m.Flush(e.Conn, int(e.Port)) == model.EvFlush
	n.Count(params.CountFlush, ok)
	return ok
}

func (g *golden) fail(n *bench.Now, e *params.Fail) bool {
	if g.cover != nil {
		g.cover.fail(e)
	}
	what := g.m.Fail(e.Conn, int(e.Port), g.time.Now)
	n.Count(params.CountFail, what&model.EvFail != 0)
	if what&model.EvFreeze != 0 {
		n.Count(params.CountFreeze, true)
		pulse(n, &g.freeze)
		if g.cover != nil {
			g.cover.e.freeze = true
		}
	}
	return what != model.EvIllegalConn
}

func (g *golden) send(n *bench.Now, e *params.Send) bool {
	ok := g.m.Legal(e.Conn, int(e.Port))
	var word uint32
	if ok { // a legal SEND draws a word, which a seed of its cycle is
		if word = g.m.Random.Last(); !g.loaded {
			word = g.m.Random.Next()
		}
		if e.Inject {
			word = e.Random
		}
	}
	if g.cover != nil {
		g.cover.before(e, g.loaded)
	}
	ev, from := g.m.Send(e.Conn, int(e.Port), word)
	if g.cover != nil {
		g.cover.send(e, from)
	}
	g.answers.Emit(n, &params.Answer{EV: ev, Source: uint8(from)})
	n.Count(params.CountSend, ok)
	return ok
}

// conn describes a connection on a NIC port.
func (g *golden) conn(c uint32, port uint8) string {
	if s, ok := g.m.State(c, int(port)); ok {
		return s.String()
	}
	return fmt.Sprintf("there are only %d connections and %d NIC ports", g.p.Connections, g.p.NICPorts)
}

// queue holds ACKs that carry EVs. The one that moved out of it last gives an EV a cycle.
type queue struct {
	acks  bench.Wires[params.CarriedACK]
	ready bench.Pin
	depth int
	most  uint8 // EVs of an ACK

	waiting  []params.CarriedACK
	now      params.CarriedACK
	at       uint8 // the next of its EVs
	gives    bool  // an EV enters the buffer in this cycle
	accepted *uint64
}

func (q *queue) reset() { q.waiting, q.at, q.now.Count = q.waiting[:0], 0, 0 }

// step is a cycle: it gives the EV that enters the buffer, and takes the ACK that comes.
func (q *queue) step(n *bench.Now, cover *coverage) (e params.ACK, ok bool) {
	q.gives = q.at < q.now.Count
	room := len(q.waiting) < q.depth
	if room && n.Ready {
		n.Raise(&q.ready)
	}
	if n.Rst {
		return e, false
	}
	// The ACK that waits longest moves up when the one before it ends.
	moves := q.now.Count-q.at <= 1 && len(q.waiting) > 0
	if q.gives {
		e = params.ACK{Conn: q.now.Conn, Port: q.now.Port, EV: q.now.EV[q.at], ECN: q.now.ECN>>q.at&1 != 0}
		q.at++
		*q.accepted++
	}
	if moves {
		q.now, q.at = q.waiting[0], 0
		q.waiting = append(q.waiting[:0], q.waiting[1:]...)
	}
	if !n.Ready {
		return e, q.gives
	}
	a := q.acks.Of(n.In)
	if a == nil {
		return e, q.gives
	}
	a.Count = min(a.Count, q.most)
	if cover != nil {
		cover.hit(ptCarryFull, !room)
		cover.hit(ptCarryNone, room && a.Count == 0)
		cover.hit(ptCarryMost, room && a.Count == q.most)
	}
	if room {
		q.waiting = append(q.waiting, *a)
	}
	return e, q.gives
}
