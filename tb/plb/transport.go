// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// Transport implements transport.Maker: the window that the host brings, and flow labels from PLB, by golden model, or by RTL with
// the bench's assertions attached and the golden model in lockstep, or by RTL with a clock of its own. The EV of a packet is its label.
//
// Settings are of the unit. Numbers of packets take the place of sequence numbers.
func Transport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	p := params.Default()
	if err := gen.SetAll(p, h.Settings); err != nil {
		return nil, err
	}
	p.Connections = max(p.Connections, int64(h.Connections))
	if err := gen.Validate(p); err != nil {
		return nil, err
	}
	golden := join(h, p, newGoldenLabels(p, h.Seed))
	switch m {
	case transport.Golden:
		return golden, nil
	case transport.RTL:
		rtl, err := newRTLLabels(ctx, p, h.Seed)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(join(h, p, rtl), "rtl", golden, "golden"), nil
	case transport.Cycles:
		return newClockedPaths(ctx, p, h.Window(), h.Seed)
	}
	return nil, fmt.Errorf("tb/%s: model: found %q, allowed: %s, %s or %s", unitName, m, transport.Golden, transport.RTL, transport.Cycles)
}

func join(h *transport.Host, p *params.Params, by labels) transport.Transport {
	return transport.Join(h.Window(), &paths{by, 1<<p.RTTBits - 1, make([]conn, p.Connections)})
}

// labels are the unit.
type labels interface {
	send(conn int, idle bool, now uint64) (label uint32, why model.Cause, err error)
	ack(conn int, a *model.ACK, now uint64) error
	rto(conn int, now uint64) error
	Close() error
}

// paths is a host's side of the unit.
type paths struct {
	labels
	longest uint64 // RTT that fits the port, ns
	conns   []conn
}

type conn struct {
	flying bool   // packets are under way
	ev     uint32 // of the last packet
	nxt    uint32
}

// Send implements transport.Paths.
func (x *paths) Send(conn int, now uint64) (transport.Choice, error) {
	c := &x.conns[conn]
	label, why, err := x.send(conn, !c.flying, now)
	c.flying, c.ev = true, label
	return transport.Choice{EV: label, Note: uint8(why)}, err
}

// Ack implements transport.Paths.
func (x *paths) Ack(conn int, a *transport.Ack) (uint8, error) {
	return 0, x.ack(conn, x.conns[conn].ack(a, x.longest), a.Now)
}

// ack is what an acknowledgement is for the unit.
func (c *conn) ack(a *transport.Ack, longest uint64) *model.ACK {
	c.nxt = max(c.nxt, a.Next)
	c.flying = a.First != c.nxt
	e := model.ACK{Pkts: 1, ECE: a.Marked, RTT: min(a.RTT, longest), UNA: a.First, NXT: c.nxt}
	if a.Again {
		e.Pkts = 0
	}
	return &e
}

// Lost implements transport.Paths. A host has a timer for each packet, TCP one for a connection, which starts anew with the
// retransmission: packets that were sent before that, with another label, are no RTOs of their own.
func (x *paths) Lost(conn int, l *transport.Loss) (note uint8, err error) {
	if l.Trimmed || l.EV != x.conns[conn].ev {
		return 0, nil
	}
	return 1, x.rto(conn, l.Now)
}

// seedWords set all of the generator's state.
func seedWords(seed uint64) (words [8]uint32) {
	rnd := rand.New(rand.NewPCG(seed, 0x706c62))
	for i := range words {
		words[i] = rnd.Uint32() & (1<<params.WordBits - 1)
	}
	return words
}

// sendCycles are the cycles that the unit's clock makes for a SEND; an ACK and an RTO have one. The unit draws a word in each.
const sendCycles = params.SendLatency + 1

// goldenLabels are the golden model with the random words of the cycles that the RTL would run.
type goldenLabels struct {
	m     *model.PLB
	words reps.Random
}

func newGoldenLabels(p *params.Params, seed uint64) *goldenLabels {
	g := &goldenLabels{model.New(p), reps.NewRandom(params.WordBits, uint64(p.RandomSeed))}
	for _, w := range seedWords(seed) {
		g.words.Load(w)
	}
	return g
}

func (g *goldenLabels) send(conn int, idle bool, now uint64) (uint32, model.Cause, error) {
	g.m.Tick(now)
	for range params.WordLatency {
		g.words.Next()
	}
	why, ok := g.m.Send(uint32(conn), idle)
	if !ok {
		return 0, why, fmt.Errorf("tb/%s: there is no connection %d", unitName, conn)
	}
	if why != model.None {
		g.m.Relabel(uint32(conn), g.words.Last())
	}
	for range sendCycles - params.WordLatency {
		g.words.Next()
	}
	return g.m.Label(uint32(conn)), why, nil
}

func (g *goldenLabels) ack(conn int, a *model.ACK, now uint64) error {
	g.words.Next()
	g.m.Tick(now)
	if _, ok := g.m.ACK(uint32(conn), *a, now); !ok {
		return fmt.Errorf("tb/%s: illegal acknowledgement of connection %d: %+v", unitName, conn, *a)
	}
	return nil
}

func (g *goldenLabels) rto(conn int, now uint64) error {
	word := g.words.Next()
	g.m.Tick(now)
	if !g.m.RTO(uint32(conn), false, word, now) {
		return fmt.Errorf("tb/%s: there is no connection %d", unitName, conn)
	}
	return nil
}

// Close implements io.Closer.
func (*goldenLabels) Close() error { return nil }

// set sets the settings of a cycle.
func (n *pins) set(in []uint64, p *params.Params) {
	n.mode.Put(in, uint64(p.Mode))
	if p.RTTDetector {
		n.detector.Raise(in)
	}
	n.fraction.Put(in, uint64(p.Fraction))
	n.target.Put(in, uint64(p.TargetNS))
	n.idles.Put(in, uint64(p.IdleRounds))
	n.forced.Put(in, uint64(p.ForcedRounds))
	n.pause.Put(in, uint64(p.PauseNS))
}

func (n *pins) seed(in []uint64, word uint32) {
	n.seedValid.Raise(in)
	n.seedWord.Put(in, uint64(word))
}

func (n *pins) send(in []uint64, conn int, idle bool) {
	n.sendValid.Raise(in)
	n.sendConn.Put(in, uint64(conn))
	if idle {
		n.idle.Raise(in)
	}
}

func (n *pins) ack(in []uint64, conn int, a *model.ACK) {
	n.ackValid.Raise(in)
	n.ackConn.Put(in, uint64(conn))
	n.ackPkts.Put(in, a.Pkts)
	if a.ECE {
		n.ackECE.Raise(in)
	}
	n.ackRTT.Put(in, a.RTT)
	n.ackUNA.Put(in, uint64(a.UNA))
	n.ackNXT.Put(in, uint64(a.NXT))
}

func (n *pins) rto(in []uint64, conn int) {
	n.rtoValid.Raise(in)
	n.rtoConn.Put(in, uint64(conn))
}

// rtlLabels are the RTL.
type rtlLabels struct {
	p    *params.Params
	dev  *bench.Device
	pins *pins
}

// shapeOf is a configuration without its settings: they enter through the ports, so changing them compiles nothing.
func shapeOf(p *params.Params) *params.Params {
	shape, s := *p, params.Default()
	shape.Mode, shape.RTTDetector, shape.Fraction, shape.TargetNS = s.Mode, s.RTTDetector, s.Fraction, min(s.TargetNS, 1<<p.RTTBits-1)
	shape.IdleRounds, shape.ForcedRounds, shape.PauseNS = min(s.IdleRounds, 1<<p.RoundBits-1), min(s.ForcedRounds, 1<<p.RoundBits-1), min(s.PauseNS, 1<<p.PauseBits-1)
	return &shape
}

func newRTLLabels(ctx context.Context, p *params.Params, seed uint64) (*rtlLabels, error) {
	dev, err := bench.Open(ctx, Unit.Bench(shapeOf(p)), sendCycles)
	if err != nil {
		return nil, err
	}
	x := &rtlLabels{p: p, dev: dev}
	if x.pins, err = newPins(dev.Layout); err == nil {
		err = x.start(seed)
	}
	if err != nil {
		_ = dev.Close()
		return nil, err
	}
	return x, nil
}

func (x *rtlLabels) start(seed uint64) error {
	p, n := x.p, x.pins
	n.set(x.dev.Idle, p)
	if err := x.dev.Reset(&n.rst, &n.ready, int(p.Connections)+3); err != nil {
		return fmt.Errorf("module %s: %w", p.Top(), err)
	}
	for _, w := range seedWords(seed) {
		if _, err := x.dev.Run(1, func(in []uint64) { n.seed(in, w) }); err != nil {
			return err
		}
	}
	return nil
}

func (x *rtlLabels) send(conn int, idle bool, now uint64) (uint32, model.Cause, error) {
	n := x.pins
	x.dev.Set(&n.now, now)
	out, err := x.dev.Run(sendCycles, func(in []uint64) { n.send(in, conn, idle) })
	if err == nil && !n.valid.On(out) {
		err = fmt.Errorf("module %s: no answer %d cycles after a SEND", x.p.Top(), params.SendLatency)
	}
	if err != nil {
		return 0, 0, err
	}
	return uint32(n.label.Get(out)), model.Cause(n.cause.Get(out)), nil
}

func (x *rtlLabels) ack(conn int, a *model.ACK, now uint64) error {
	n := x.pins
	x.dev.Set(&n.now, now)
	_, err := x.dev.Run(1, func(in []uint64) { n.ack(in, conn, a) })
	return err
}

func (x *rtlLabels) rto(conn int, now uint64) error {
	n := x.pins
	x.dev.Set(&n.now, now)
	_, err := x.dev.Run(1, func(in []uint64) { n.rto(in, conn) })
	return err
}

// Close implements io.Closer.
func (x *rtlLabels) Close() error { return x.dev.Close() }
