// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"encoding/binary"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	model "github.com/nicgen/nicgen/model/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// entry is a destination's entry.
type entry struct {
	set   bool
	bytes model.Addresses
}

// state is the state of the probe being made.
type state int

const (
	idle  state = iota
	look        // its addresses are there
	route       // its anchors are asked for
	wait        // they are waited for
	made        // it is ready to leave
)

// reply is an answer that waits to leave.
type reply struct {
	record model.Record
	delay  uint64
}

// result is an answer received.
type result struct {
	pid   uint64
	delay int32
}

// golden is the probes behind their contract: a machine of registers.
type golden struct {
	p *params.Params
	f *bench.Frame

	set      params.Settings
	time     params.Time
	ready    bench.Pin // s_address_ready
	tables   bench.Wires[params.Address]
	wishes   bench.Wires[params.Wish]
	routes   bench.Wires[params.Route]
	shims    bench.Wires[params.Shim]
	requests bench.Out[params.Request]
	delays   bench.Out[params.Result]
	frames   bench.Out[params.Frame]

	table   []entry
	wanted  []params.Wish
	at      state
	now     params.Wish // the probe that is made
	found   entry
	anchors []uint32

	came    bool // a record came in the cycle before
	record  model.Record
	delay   uint64
	answers []reply
	results []result
	frame   model.Frame
	leaves  bool // the frame is offered
	turn    bool // the next one is an answer, if there are both

	cov coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

func newGolden(p *params.Params, l *cosim.Layout, bare bool) (g *golden, err error) {
	g = &golden{p: p, table: make([]entry, p.Destinations), anchors: make([]uint32, p.Anchors)}
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set), Ambient: bench.Into(params.TimePorts, &g.time),
		Bind: []bench.Binder{
			bench.WirePin("s_address_ready", &g.ready), bench.WireIn(params.Tables, &g.tables),
			bench.WireIn(params.Wishes, &g.wishes), bench.WireIn(params.Routes, &g.routes), bench.WireIn(params.Shims, &g.shims),
			bench.Emits(params.Requests, &g.requests), bench.Emits(params.Results, &g.delays), bench.Emits(params.Frames, &g.frames),
		},
		Reset: g.reset, ResetLast: true, Begin: g.begin, State: g.text,
	})
	return g, err
}

// begin is a cycle.
func (g *golden) begin(n *bench.Now) {
	n.Sample()
	g.show(n)
	if n.Acting {
		return
	}
	if !g.f.Bare {
		g.coverCycle(n)
	}
	g.step(n)
}

// reset ends a cycle with the registered reset: all that came before it is gone.
func (g *golden) reset() {
	if !g.f.Bare {
		g.coverReset()
	}
	clear(g.table)
	g.wanted, g.at, g.came = g.wanted[:0], idle, false
	g.answers, g.results, g.leaves, g.turn = g.answers[:0], g.results[:0], false, false
}

// legal reports whether a destination exists.
func (g *golden) legal(dst uint64) bool { return dst < uint64(g.p.Destinations) }

// goes returns which of the two kinds is taken to leave.
func (g *golden) goes(n *bench.Now) (answer, probe bool) {
	if g.leaves && !g.frames.Ready(n) {
		return false, false
	}
	waits := len(g.answers) > 0
	return waits && (g.turn || g.at != made), g.at == made && !(waits && g.turn)
}

// step is a cycle. Each part of the unit sees the others as they were when it began.
func (g *golden) step(n *bench.Now) {
	answer, probe := g.goes(n)
	roomWanted, roomAnswers, roomResults := len(g.wanted) < params.FIFO, len(g.answers) < params.FIFO, len(g.results) < params.FIFO
	if len(g.results) > 0 && g.delays.Ready(n) {
		g.results = append(g.results[:0], g.results[1:]...)
	}

	// Outgoing packets.
	if g.leaves && g.frames.Ready(n) {
		g.leaves = false
	}
	etherType := uint16(g.set.EtherType)
	switch {
	case answer:
		a := &g.answers[0]
		g.frame, g.leaves, g.turn = model.MakeAnswer(&a.record, etherType, a.delay), true, false
		g.answers = append(g.answers[:0], g.answers[1:]...)
		n.Count(params.CountAnswer, true)
	case probe:
		g.frame, g.leaves, g.turn = model.MakeProbe(g.found.bytes, etherType, uint16(g.now.Pid), g.anchors, g.time.Now), true, true
		n.Count(params.CountProbe, true)
	}

	// The probe that is made.
	switch g.at {
	case idle:
		if len(g.wanted) > 0 && n.Ready {
			g.at, g.now = look, g.wanted[0]
			g.found = entry{}
			if g.legal(g.now.Dst) {
				g.found = g.table[g.now.Dst]
			}
		}
	case look:
		g.wanted = append(g.wanted[:0], g.wanted[1:]...)
		switch {
		case !g.legal(g.now.Dst):
			n.CountIllegal()
			g.at = idle
		case !g.found.set:
			n.Count(params.CountNoAddress, true)
			g.at = idle
		default:
			g.at = route
		}
	case route:
		if g.requests.Ready(n) {
			g.at = wait
		}
	case wait:
		if e := g.routes.Of(n.In); e != nil {
			copy(g.anchors, e.Anchors[:])
			g.at = made
		}
	case made:
		if probe {
			g.at = idle
		}
	}

	// Incoming packets.
	if e := g.wishes.Of(n.In); e != nil {
		g.f.Accepted++
		if roomWanted {
			g.wanted = append(g.wanted, *e)
		} else {
			n.Count(params.CountProbeDropped, true)
		}
	}
	if g.came {
		g.receive(n, roomAnswers, roomResults)
	}
	e := g.shims.Of(n.In)
	if g.came = e != nil; g.came {
		g.f.Accepted++
		g.record = model.Record{Bad: e.Bad, Subtype: int(e.Subtype), Type: int(e.Type), Addresses: addresses(&e.Addresses)}
		binary.LittleEndian.PutUint64(g.record.Body[:], e.Body)
		g.delay = g.record.Delay(g.time.Now)
	}
	g.write(n)
}

// addresses returns the addresses at a port.
func addresses(words *[2]uint64) (a model.Addresses) {
	for i := range a {
		a[i] = byte(words[i/8] >> (i % 8 * 8))
	}
	return a
}

// receive takes the record of the cycle before.
func (g *golden) receive(n *bench.Now, roomAnswers, roomResults bool) {
	switch g.record.Kind() {
	case model.Bad:
		n.Count(params.CountBad, true)
	case model.Probe:
		if !roomAnswers {
			n.Count(params.CountAnswerDropped, true)
			return
		}
		g.answers = append(g.answers, reply{g.record, g.delay})
	case model.Answer:
		switch pid := uint64(g.record.Path()); {
		case pid>>g.p.PidBits != 0:
			n.CountIllegal()
		case !roomResults:
			n.Count(params.CountResultDropped, true)
		default:
			g.results = append(g.results, result{pid, model.Cut(g.record.Time())})
			n.Count(params.CountResult, true)
		}
	}
}

// write is a destination's addresses.
func (g *golden) write(n *bench.Now) {
	if !n.Ready {
		return
	}
	e := g.tables.Of(n.In)
	if e == nil {
		return
	}
	g.f.Accepted++
	if !g.legal(e.Dst) {
		n.CountIllegal()
		return
	}
	g.table[e.Dst] = entry{e.Set, addresses(&e.Bytes)}
}

// show writes what the registers show.
func (g *golden) show(n *bench.Now) {
	if n.Ready {
		n.Raise(&g.ready)
	}
	if g.at == route {
		g.requests.EmitAfter(n, &params.Request{Pid: g.now.Pid}, 0)
	}
	if len(g.results) > 0 {
		r := &g.results[0]
		g.delays.EmitAfter(n, &params.Result{Pid: r.pid, Delay: uint64(uint32(r.delay))}, 0)
	}
	if g.leaves {
		var e params.Frame
		for i := range e.Data {
			e.Data[i] = binary.LittleEndian.Uint64(g.frame[8*i:])
		}
		g.frames.EmitAfter(n, &e, 0)
	}
}

// text describes what the unit keeps.
func (g *golden) text([]uint64) string {
	return fmt.Sprintf("\n%d probes wait, of path %d to destination %d: step %d, address %+v, anchors %x; "+
		"record before %t %+v; %d answers wait, %d delays; a frame leaves %t, the turn is an answer's %t: %x",
		len(g.wanted), g.now.Pid, g.now.Dst, g.at, g.found, g.anchors, g.came, g.record, len(g.answers), len(g.results), g.leaves, g.turn, g.frame)
}
