// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	model "github.com/nicgen/nicgen/model/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// packet is one that arrived.
type packet struct {
	valid   bool
	what    params.Packet
	verdict model.Verdict
}

// recorded is a DATA that was recorded in the cycle before.
type recorded struct {
	valid   bool
	flow    uint64
	waiting int
}

// made are the tags of a DATA-ACK: what DATAs arrive at sees them after the time that a memory
// takes.
type made struct {
	flow uint64
	n    int
}

// dataAck is a DATA-ACK that is sent.
type dataAck struct {
	flow uint64
	left int // tags that follow the next one
}

// state holds the registers that a reset clears.
type state struct {
	m *model.Responder

	p0, p1, pd packet // pd: with a ram_latency of 2 only
	pe         recorded
	simAcks    offers[params.Answer]

	ready, lapped, last, cleared bool
	phase                        int64
	scan                         uint64 // the next flow of the scan
	scanned                      bool   // the flow that is read is the scan's
	reading                      uint64
	view                         model.View
	bells                        queue[uint64]
	byBell                       bool // the view is for a bell

	clocks uint64
	ticked uint64 // advances of the count in this lap
	count  uint64

	made      [2]made // by visits, one and two cycles ago
	next, now *dataAck
	sending   [3]*params.Ack // a tag was read one, two cycles ago
	held      int            // tags in the queue and on the way there
	outs      offers[params.Ack]
}

// golden is the receiving host behind its contract: a machine of registers.
type golden struct {
	p *params.Params
	f *bench.Frame
	s state

	set     params.Settings
	packets bench.Wires[params.Packet]
	simAcks bench.Out[params.Answer]
	acks    bench.Out[params.Ack]
	missed  bench.Pin
	cov     coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{p: p}
	g.clear()
	var err error
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set),
		Bind: []bench.Binder{
			bench.WireIn(params.Packets, &g.packets), bench.Emits(params.SIMAcks, &g.simAcks), bench.Emits(params.Acks, &g.acks),
			bench.WirePin("evt_missed", &g.missed),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	if err != nil {
		return nil, err
	}
	g.f.Always(g.missed)
	return g.f, nil
}

// clear performs a reset.
func (g *golden) clear() {
	g.s = state{m: model.New(g.p)}
	s := &g.s
	s.simAcks.depth, s.outs.depth, s.bells.depth = int(g.p.SIMAcks), params.OutWords, params.Bells
	g.cov.clear()
}

func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	g.clear()
}

// miss shows that there is no room for the answer to a packet.
func (g *golden) miss(n *bench.Now, counter int) {
	want, _ := n.Later(1)
	g.missed.Raise(want)
	n.CountN(counter, 1, 2)
}

// begin writes the outputs of the registers, and computes the registers of the next cycle.
func (g *golden) begin(n *bench.Now) {
	n.Sample()
	s := &g.s
	if s.simAcks.offered {
		g.simAcks.EmitAfter(n, &s.simAcks.head, 0)
	}
	if s.outs.offered {
		g.acks.EmitAfter(n, &s.outs.head, 0)
	}
	g.run(n)
	n.SetReady(s.ready)
}

// run takes a cycle's inputs and makes the registers of the next cycle. A visit reads what
// earlier cycles wrote, a DATA that arrives too: hence the order.
func (g *golden) run(n *bench.Now) {
	s := &g.s
	every := int(g.set.Every) + 1
	nextFree, held, ready := s.next == nil, s.held, s.ready

	step := s.phase == g.p.RAMLatency
	var seen model.View
	useBell := s.scanned && s.ready && s.bells.any(n.Cycle)
	bellsRoom := s.bells.room()
	if step && s.ready {
		seen = s.m.Look(s.reading, s.count)
	}
	g.sims(n)
	data := g.data(n)
	s.made = [2]made{{}, s.made[0]}
	waits := s.phase == 0 && g.decide(n, every, nextFree)
	g.send(n, held, nextFree)
	lap := g.slot(step, waits, useBell, seen)
	g.time(g.set.Tick, lap, ready)
	g.bell(n, every, bellsRoom)
	s.pe = data
	g.arrive(n)
}

// arrive takes a packet, and checks the one of the cycle before.
func (g *golden) arrive(n *bench.Now) {
	s := &g.s
	s.pd, s.p1 = s.p1, s.p0
	if p := &s.p1; p.valid {
		dataBytes := g.set.DataBytes
		p.verdict = s.m.Check(p.what.Class, p.what.Flow, p.what.Bytes, dataBytes)
		if !g.f.Bare {
			g.coverCheck(p, dataBytes)
		}
	}
	valid := g.packets.Poll(n.In, &s.p0.what)
	if s.p0.valid = valid && n.Ready; s.p0.valid {
		g.f.Accepted++
	} else if valid {
		n.Count(params.CountNotReady, true)
		g.hit(ptNotReady, true)
	}
}

// sims answers the SIM that is checked, and counts what is wrong.
func (g *golden) sims(n *bench.Now) {
	s, p := &g.s, &g.s.p1
	room := s.simAcks.room()
	before := s.simAcks.offered
	taken, _ := s.simAcks.cycle(n.Cycle, g.simAcks.Ready(n))
	if !g.f.Bare {
		g.coverSIMAck(before, taken)
	}
	switch {
	case !p.valid:
	case p.verdict != model.Good:
		n.CountIllegalOf(2)
		n.CountN(params.CountBadClass+int(p.verdict-model.BadClass), 1, 2)
	case p.what.Class == params.SIM && room:
		s.simAcks.push(n.Cycle, params.Answer{Flow: p.what.Flow, Port: p.what.Port})
		n.CountN(params.CountSIM, 1, 2)
	case p.what.Class == params.SIM:
		g.miss(n, params.CountSIMMissed)
		g.hit(ptSIMMissed, true)
	}
}

// data records the DATA whose flow's pointers have been read.
func (g *golden) data(n *bench.Now) recorded {
	s, p := &g.s, &g.s.p1
	if g.p.RAMLatency == 2 {
		p = &s.pd
	}
	if !p.valid || p.verdict != model.Good || p.what.Class != params.Data {
		return recorded{}
	}
	waiting, ok := s.m.Data(p.what.Flow, p.what.Tag)
	for _, made := range s.made[:g.p.RAMLatency] {
		if made.flow == p.what.Flow {
			waiting += made.n
		}
	}
	if !g.f.Bare {
		g.coverData(n, p, waiting, ok)
	}
	if !ok {
		g.miss(n, params.CountDataMissed)
		return recorded{}
	}
	n.CountN(params.CountData, 1, 2)
	return recorded{true, p.what.Flow, waiting}
}

// bell rings for a flow with enough, if there is room.
func (g *golden) bell(n *bench.Now, every int, room bool) {
	s := &g.s
	over := s.pe.waiting - (every - 1)
	if !s.pe.valid || over < 0 || over >= params.RingBells {
		return
	}
	if room {
		s.bells.push(n.Cycle, s.pe.flow)
	}
	if !g.f.Bare {
		g.coverBell(over, room)
	}
}

// decide ends the visit whose flow was read; it reports whether it has to wait.
func (g *golden) decide(n *bench.Now, every int, free bool) (waits bool) {
	s := &g.s
	if !s.ready {
		return false
	}
	wants, timed := s.view.Wants(every)
	if !g.f.Bare {
		g.coverVisit(n, every, wants, timed, free)
	}
	switch {
	case !wants:
		s.m.Rest(s.view)
		return false
	case !free:
		return true
	}
	tags := s.m.Make(s.view)
	s.made[0] = made{s.view.Flow, tags}
	s.next = &dataAck{flow: s.view.Flow, left: tags - 1}
	n.Count(params.CountDataAck, true)
	n.Count(params.CountDataAckTimed, timed)
	return false
}

// slot moves on to the next visit; lap reports that the scan has reached its last flow.
func (g *golden) slot(step, waits, useBell bool, seen model.View) (lap bool) {
	s := &g.s
	if !waits {
		s.phase++
	}
	if !step {
		return false
	}
	s.phase = 0
	s.view, s.byBell = seen, !s.scanned
	s.ready, s.cleared, s.last = s.cleared, s.last, s.lapped
	if useBell {
		s.reading = s.bells.pop()
	} else {
		s.reading = s.scan
		lap = s.scan == uint64(g.p.Flows)-1
		if s.scan++; lap {
			s.scan, s.lapped = 0, true
		}
	}
	s.scanned = !useBell
	return lap
}

// grain is the unit of ticks, in clocks.
const grain = 1 << params.GrainBits

// time counts clocks and ticks: no more than params.LapTicks in a lap.
func (g *golden) time(tick uint64, lap, ready bool) {
	s := &g.s
	over := s.clocks%grain == grain-1 && s.clocks/grain >= tick
	full := s.ticked == params.LapTicks
	g.hit(ptTickMost, over && ready && s.ticked == params.LapTicks-1)
	g.hit(ptTickLost, over && ready && full)
	g.hit(ptTickLap, over && ready && !full && lap)
	if over && ready && !full {
		s.count = (s.count + 1) % (1 << params.StampBits)
		s.ticked++
	}
	if lap {
		s.ticked = 0
	}
	if s.clocks++; over {
		s.clocks = 0
	}
}

// send reads tags, and offers them.
func (g *golden) send(n *bench.Now, held int, free bool) {
	s := &g.s
	before := s.outs.offered
	taken, load := s.outs.cycle(n.Cycle, g.acks.Ready(n))
	n.Count(params.CountAcked, taken)
	if b := s.sending[g.p.RAMLatency-1]; b != nil {
		s.outs.push(n.Cycle, *b)
	}
	s.sending = [3]*params.Ack{nil, s.sending[0], s.sending[1]}
	was := s.now
	goes := s.now != nil && held < params.OutWords
	if !g.f.Bare {
		g.coverSend(before, taken, goes, free)
	}
	if goes {
		s.sending[0] = &params.Ack{Flow: was.flow, Tag: s.m.Next(was.flow), Left: uint64(was.left), Last: was.left == 0}
		s.held++
		if was.left--; was.left < 0 {
			s.now = nil
		}
	}
	if load {
		s.held--
	}
	if !free && s.now == nil {
		s.now, s.next = s.next, nil
	}
}

// text describes what the receiving host keeps.
func (g *golden) text([]uint64) string {
	s := &g.s
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d SIM-ACKs wait, %d tags to leave, %d bells, phase %d, flow %d is read, view %+v, count %d, clocks %d",
		len(s.simAcks.words), s.held, len(s.bells.words), s.phase, s.reading, s.view, s.count, s.clocks)
	for i := range min(uint64(g.p.Flows), 8) {
		fmt.Fprintf(&b, "\nflow %d: %+v", i, *s.m.Flow(i))
	}
	if s.now != nil {
		fmt.Fprintf(&b, "\nsent: %+v", *s.now)
	}
	if s.next != nil {
		fmt.Fprintf(&b, "\nnext: %+v", *s.next)
	}
	return b.String()
}
