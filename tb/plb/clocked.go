// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// Ports that events come by.
const (
	laneSend = iota
	laneAck
	laneRTO
	lanes
)

// clockedPaths are the RTL by a clock of its own.
type clockedPaths struct {
	transport.Window
	p     *params.Params
	pins  *pins
	lib   *cosim.Library
	unit  *clocked.Unit
	conns []conn

	sends   []ask // that have no label yet
	answers []transport.Answer
}

// ask is a SEND whose label is to come in a cycle.
type ask struct {
	conn  int
	cycle uint64
}

func newClockedPaths(ctx context.Context, p *params.Params, w transport.Window, seed uint64) (_ transport.Transport, err error) {
	x := &clockedPaths{Window: w, p: p, conns: make([]conn, p.Connections)}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	lib, golden, err := bench.Build(ctx, Unit.Bench(shapeOf(p)))
	if err != nil {
		return nil, err
	}
	x.lib = lib
	if x.pins, err = newPins(lib.Layout()); err != nil {
		return nil, err
	}
	idle := make([]uint64, lib.Layout().InWords)
	x.pins.set(idle, p)
	if x.unit, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: params.SendLatency + 2, See: x.see},
		lanes, "rst", "sts_ready", int(p.Connections)+3); err != nil {
		return nil, err
	}
	for _, w := range seedWords(seed) {
		if err = x.unit.Setup("", 1, func(in []uint64) { x.pins.seed(in, w) }); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Open implements transport.Transport.
func (x *clockedPaths) Open(conn int, _ uint64) (transport.Grant, error) {
	return transport.Grant{Window: x.Window.Open(conn)}, nil
}

// Send is not asked.
func (x *clockedPaths) Send(int, uint64) (transport.Choice, error) {
	return transport.Choice{}, errors.New("tb/plb: a label takes some cycles")
}

// Ask implements transport.Clocked.
func (x *clockedPaths) Ask(conn int, at fabric.Instant) error {
	c := &x.conns[conn]
	idle := !c.flying
	c.flying = true
	cycle := x.unit.Drive(laneSend, at, func(in []uint64) { x.pins.send(in, conn, idle) })
	x.sends = append(x.sends, ask{conn, cycle + params.SendLatency})
	return nil
}

// Ack implements transport.Transport.
func (x *clockedPaths) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	e := x.conns[conn].ack(a, 1<<x.p.RTTBits-1)
	x.unit.Drive(laneAck, a.At, func(in []uint64) { x.pins.ack(in, conn, e) })
	return transport.Grant{Window: x.Window.Ack(conn, a)}, nil
}

// Lost implements transport.Transport; see paths.Lost.
func (x *clockedPaths) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	if !l.Trimmed && l.EV == x.conns[conn].ev {
		x.unit.Drive(laneRTO, l.At, func(in []uint64) { x.pins.rto(in, conn) })
	}
	return transport.Grant{Window: x.Window.Lost(conn, l)}, nil
}

// see sees a cycle of the unit.
func (x *clockedPaths) see(cycle uint64, out []uint64) error {
	if len(x.sends) == 0 || x.sends[0].cycle != cycle {
		return nil
	}
	n, conn := x.pins, x.sends[0].conn
	if !n.valid.On(out) {
		return fmt.Errorf("module %s: no label %d cycles after a SEND", x.p.Top(), params.SendLatency)
	}
	label := uint32(n.label.Get(out))
	x.conns[conn].ev = label
	x.answers = append(x.answers, transport.Answer{Conn: conn, Choice: transport.Choice{EV: label, Note: uint8(n.cause.Get(out))}})
	x.sends = append(x.sends[:0], x.sends[1:]...)
	return nil
}

// Answers implements transport.Clocked.
func (x *clockedPaths) Answers(to fabric.Instant) ([]transport.Answer, error) {
	x.answers = x.answers[:0]
	err := x.unit.Run(to)
	return x.answers, err
}

// Due implements transport.Clocked: the window is the host's.
func (x *clockedPaths) Due() (fabric.Instant, bool) { return 0, false }

// Latency implements transport.Clocked, with the cycle in which a SEND waits for the clock.
func (x *clockedPaths) Latency() fabric.Instant { return clocked.At(params.SendLatency + 1) }

// Close implements io.Closer.
func (x *clockedPaths) Close() (err error) {
	if x.unit != nil {
		err = x.unit.Close()
	}
	if x.lib != nil {
		err = errors.Join(err, x.lib.Close())
	}
	return err
}
