// SPDX-License-Identifier: Apache-2.0

// Package plb is the host of PLB in a simulated network: a window that it is given, and flow labels from the unit.
package plb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbplb "github.com/nicgen/nicgen/tb/plb"
)

// Transport implements transport.Maker: the host's window, and flow labels from PLB, as golden model, as RTL with the bench's
// assertions attached and the golden model in lockstep, or as RTL with its own clock. The EV of a packet is its label.
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
	if m == transport.Cycles {
		return newClockedPaths(ctx, p, h.Window(), h.Seed)
	}
	x, err := openGolden(p, h.Seed)
	if err != nil {
		return nil, err
	}
	golden := join(h, p, x)
	switch m {
	case transport.Golden:
		return golden, nil
	case transport.RTL:
		rtl, err := openRTL(ctx, p, h.Seed)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(join(h, p, rtl), "rtl", golden, "golden"), nil
	}
	return nil, fmt.Errorf("sim/host/plb: model: found %q, allowed: %s, %s or %s", m, transport.Golden, transport.RTL, transport.Cycles)
}

func join(h *transport.Host, p *params.Params, by *labels) transport.Transport {
	return transport.Join(h.Window(), &paths{by, 1<<p.RTTBits - 1, make([]conn, p.Connections)})
}

// paths is a host's side of the unit.
type paths struct {
	*labels
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

// ack returns the unit's event for an acknowledgement.
func (c *conn) ack(a *transport.Ack, longest uint64) *params.ACK {
	c.nxt = max(c.nxt, a.Next)
	c.flying = a.First != c.nxt
	e := params.ACK{Pkts: 1, ECE: a.Marked, RTT: min(a.RTT, longest), UNA: a.First, NXT: c.nxt}
	if a.Again {
		e.Pkts = 0
	}
	return &e
}

// Lost implements transport.Paths. A host has a timer for each packet, TCP one for a connection, which restarts with the
// retransmission: packets sent before that, with another label, are not separate RTOs.
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

// shapeOf is a configuration without its settings: they enter through the ports, so changing them compiles nothing.
func shapeOf(p *params.Params) *params.Params {
	shape, s := *p, params.Default()
	shape.Mode, shape.RTTDetector, shape.Fraction, shape.TargetNS = s.Mode, s.RTTDetector, s.Fraction, min(s.TargetNS, 1<<p.RTTBits-1)
	shape.IdleRounds, shape.ForcedRounds, shape.PauseNS = min(s.IdleRounds, 1<<p.RoundBits-1), min(s.ForcedRounds, 1<<p.RoundBits-1), min(s.PauseNS, 1<<p.PauseBits-1)
	return &shape
}

// labels are the unit: RTL, or the golden model.
type labels struct {
	p   *params.Params
	dev *bench.Device
	x   ports
}

func openGolden(p *params.Params, seed uint64) (*labels, error) {
	dev, err := bench.OpenGolden(tbplb.Unit.Bench(p), p.Ports(), sendCycles)
	if err != nil {
		return nil, err
	}
	return start(p, dev, seed)
}

func openRTL(ctx context.Context, p *params.Params, seed uint64) (*labels, error) {
	dev, err := bench.Open(ctx, tbplb.Unit.Bench(shapeOf(p)), sendCycles)
	if err != nil {
		return nil, err
	}
	return start(p, dev, seed)
}

// start sets the unit up.
func start(p *params.Params, dev *bench.Device, seed uint64) (_ *labels, err error) {
	x := &labels{p: p, dev: dev}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("module %s: %w", p.Top(), err), dev.Close())
		}
	}()
	if err := x.x.bind(p, dev.Layout); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, p)
	if err != nil {
		return nil, err
	}
	x.x.set.Drive(dev.Idle, &set)
	if err := dev.Reset(&x.x.rst, &x.x.ready, int(p.Connections)+3); err != nil {
		return nil, err
	}
	for _, w := range seedWords(seed) {
		if _, err := dev.Run(1, func(in []uint64) { x.x.seeds.Drive(in, &params.Seed{Word: w}) }); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (x *labels) send(conn int, idle bool, now uint64) (uint32, model.Cause, error) {
	x.x.time.Set(x.dev.Idle, &params.Time{Now: now})
	e := params.Send{Conn: uint32(conn), Idle: idle}
	out, err := x.dev.Run(sendCycles, func(in []uint64) { x.x.sends.Drive(in, &e) })
	if err != nil {
		return 0, 0, err
	}
	var a params.Label
	switch ok := x.x.labels.Read(out, &a); {
	case !ok:
		return 0, 0, fmt.Errorf("module %s: no answer %d cycles after a SEND", x.p.Top(), params.SendLatency)
	case a.Cause == uint8(model.Illegal):
		return 0, model.Illegal, fmt.Errorf("sim/host/plb: there is no connection %d", conn)
	}
	return a.Label, model.Cause(a.Cause), nil
}

func (x *labels) ack(conn int, a *params.ACK, now uint64) error {
	x.x.time.Set(x.dev.Idle, &params.Time{Now: now})
	a.Conn = uint32(conn)
	_, err := x.dev.Run(1, func(in []uint64) { x.x.acks.Drive(in, a) })
	return err
}

func (x *labels) rto(conn int, now uint64) error {
	x.x.time.Set(x.dev.Idle, &params.Time{Now: now})
	_, err := x.dev.Run(1, func(in []uint64) { x.x.rtos.Drive(in, &params.RTO{Conn: uint32(conn)}) })
	return err
}

// Close implements io.Closer. It returns an error if an event was illegal.
func (x *labels) Close() error {
	out, err := x.dev.Run(params.CountLatency+1, func([]uint64) {})
	if n := x.x.illegal.Get(out); err == nil && n != 0 {
		err = fmt.Errorf("module %s: %d illegal events", x.p.Top(), n)
	}
	return errors.Join(err, x.dev.Close())
}
