// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbplb "github.com/nicgen/nicgen/tb/plb"
)

// Ports that events come by.
const (
	laneSend = iota
	laneAck
	laneRTO
	lanes
)

// clockedPaths is the RTL with its own clock.
type clockedPaths struct {
	clocked.Choices
	p     *params.Params
	x     ports
	lib   *cosim.Library
	unit  *clocked.Unit
	conns []conn
}

func newClockedPaths(ctx context.Context, p *params.Params, w transport.Window, seed uint64) (_ transport.Transport, err error) {
	x := &clockedPaths{p: p, conns: make([]conn, p.Connections)}
	x.Choices = clocked.Choices{Window: w, Name: p.Top(), Delay: params.SendLatency, Read: x.read}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	lib, golden, err := bench.Build(ctx, tbplb.Unit.Bench(shapeOf(p)))
	if err != nil {
		return nil, err
	}
	x.lib = lib
	if err = x.x.bind(p, lib.Layout()); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, p)
	if err != nil {
		return nil, err
	}
	idle := make([]uint64, lib.Layout().InWords)
	x.x.set.Drive(idle, &set)
	if x.unit, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: params.SendLatency + 2, See: x.See},
		lanes, "rst", "sts_ready", int(p.Connections)+3); err != nil {
		return nil, err
	}
	for _, w := range seedWords(seed) {
		if err = x.unit.Setup("", 1, func(in []uint64) { x.x.seeds.Drive(in, &params.Seed{Word: w}) }); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Ask implements transport.Clocked.
func (x *clockedPaths) Ask(conn int, _ uint32, at fabric.Instant) error {
	c := &x.conns[conn]
	idle := !c.flying
	c.flying = true
	x.Asked(conn, x.unit.Drive(laneSend, at, func(in []uint64) {
		x.x.sends.Drive(in, &params.Send{Conn: uint32(conn), Idle: idle})
	}))
	return nil
}

// Ack implements transport.Transport.
func (x *clockedPaths) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	e := x.conns[conn].ack(a, 1<<x.p.RTTBits-1)
	e.Conn = uint32(conn)
	x.unit.Drive(laneAck, a.At, func(in []uint64) { x.x.acks.Drive(in, e) })
	return transport.Grant{Window: x.Window.Ack(conn, a)}, nil
}

// Lost implements transport.Transport; see paths.Lost. Choices up to now count, taken or not: else a retransmission would have the label of the
// packet that was lost until it has left the host's cable.
func (x *clockedPaths) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	if err := x.unit.Run(l.At); err != nil {
		return transport.Grant{}, err
	}
	if !l.Trimmed && l.EV == x.conns[conn].ev {
		x.unit.Drive(laneRTO, l.At, func(in []uint64) { x.x.rtos.Drive(in, &params.RTO{Conn: uint32(conn)}) })
	}
	return transport.Grant{Window: x.Window.Lost(conn, l)}, nil
}

// read reads a label.
func (x *clockedPaths) read(conn int, out []uint64) (transport.Choice, bool) {
	var a params.Label
	ok := x.x.labels.Read(out, &a)
	if ok {
		x.conns[conn].ev = a.Label
	}
	return transport.Choice{EV: a.Label, Note: a.Cause}, ok
}

// Answers implements transport.Clocked.
func (x *clockedPaths) Answers(to fabric.Instant) ([]transport.Answer, error) {
	return x.Run(to, x.unit)
}

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
