// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	judgeparams "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbreps "github.com/nicgen/nicgen/tb/reps"
	tbdetector "github.com/nicgen/nicgen/tb/reps_detector"
)

// Ports that events come by.
const (
	laneSend = iota
	laneAck
	laneFail
	lanes
)

const (
	laneRTT = iota
	laneTimeout
)

// clockedPaths is the RTL of both units with their own clock: a verdict of the detector enters the buffer in the next cycle.
type clockedPaths struct {
	clocked.Choices
	p *params.Params
	d *judgeparams.Params
	x ports

	buffer, detector *clocked.Unit
	judge            judge
	libs             []*cosim.Library

	timeouts []timeout // that have no verdict yet
}

// timeout is one whose verdict is to come in a cycle.
type timeout struct {
	conn  int
	cycle uint64
}

func newClockedPaths(ctx context.Context, p *params.Params, d *judgeparams.Params, w transport.Window, seed uint64) (_ transport.Transport, err error) {
	x := &clockedPaths{p: p, d: d}
	x.Choices = clocked.Choices{Window: w, Name: p.Top(), Delay: uint64(p.SendLatency()), Read: x.read}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	lib, golden, err := bench.Build(ctx, tbreps.Unit.Bench(shapeOf(p)))
	if err != nil {
		return nil, err
	}
	x.libs = append(x.libs, lib)
	if err = x.x.bind(p, lib.Layout()); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, p)
	if err != nil {
		return nil, err
	}
	idle := make([]uint64, lib.Layout().InWords)
	x.x.set.Drive(idle, &set)
	if x.buffer, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: uint64(p.SendLatency()) + 2, See: x.See},
		lanes, "rst", "sts_ready", int(2*p.Rows())+4); err != nil {
		return nil, err
	}
	for _, w := range seedWords(seed) {
		if err = x.buffer.Setup("", 1, func(in []uint64) { x.x.seeds.Drive(in, &params.Seed{Word: w}) }); err != nil {
			return nil, err
		}
	}
	if lib, golden, err = bench.Build(ctx, tbdetector.Unit.Bench(judgeShape(d))); err != nil {
		return nil, err
	}
	x.libs = append(x.libs, lib)
	if err = x.judge.bind(d, lib.Layout()); err != nil {
		return nil, err
	}
	limits, err := bench.SettingsOf(judgeparams.SettingPorts, d)
	if err != nil {
		return nil, err
	}
	idle = make([]uint64, lib.Layout().InWords)
	x.judge.set.Drive(idle, &limits)
	x.detector, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: judgeparams.VerdictLatency + 2, See: x.verdict},
		2, "rst", "sts_ready", int(d.Connections)+4)
	return x, err
}

// Ask implements transport.Clocked.
func (x *clockedPaths) Ask(conn int, _ uint32, at fabric.Instant) error {
	x.Asked(conn, x.buffer.Drive(laneSend, at, func(in []uint64) { x.x.sends.Drive(in, &params.Send{Conn: uint32(conn)}) }))
	return nil
}

// Ack implements transport.Transport.
func (x *clockedPaths) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	x.detector.Drive(laneRTT, a.At, func(in []uint64) {
		x.judge.time.Drive(in, &judgeparams.Time{Now: a.Now})
		x.judge.rtt(in, x.d, conn, a.RTT)
	})
	x.buffer.Drive(laneAck, a.At, func(in []uint64) {
		x.x.acks.Drive(in, &params.ACK{Conn: uint32(conn), EV: a.EV, ECN: a.Marked})
	})
	return transport.Grant{Window: x.Window.Ack(conn, a)}, nil
}

// Lost implements transport.Transport.
func (x *clockedPaths) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	if !l.Trimmed {
		cycle := x.detector.Drive(laneTimeout, l.At, func(in []uint64) {
			x.judge.time.Drive(in, &judgeparams.Time{Now: l.Now})
			x.judge.timeouts.Drive(in, &judgeparams.Timeout{Conn: uint32(conn)})
		})
		x.timeouts = append(x.timeouts, timeout{conn, cycle + judgeparams.VerdictLatency})
	}
	return transport.Grant{Window: x.Window.Lost(conn, l)}, nil
}

// verdict sees a cycle of the detector.
func (x *clockedPaths) verdict(cycle uint64, out []uint64) error {
	if len(x.timeouts) == 0 || x.timeouts[0].cycle != cycle {
		return nil
	}
	conn := x.timeouts[0].conn
	x.timeouts = append(x.timeouts[:0], x.timeouts[1:]...)
	failed, err := x.judge.failed(x.d, out)
	if failed {
		x.buffer.Drive(laneFail, clocked.At(cycle+1), func(in []uint64) { x.x.fails.Drive(in, &params.Fail{Conn: uint32(conn)}) })
	}
	return err
}

// read reads an EV.
func (x *clockedPaths) read(_ int, out []uint64) (transport.Choice, bool) {
	var a params.Answer
	ok := x.x.answers.Read(out, &a)
	return transport.Choice{EV: a.EV, Note: a.Source}, ok
}

// Answers implements transport.Clocked.
func (x *clockedPaths) Answers(to fabric.Instant) ([]transport.Answer, error) {
	return x.Run(to, x.detector, x.buffer)
}

// Close implements io.Closer.
func (x *clockedPaths) Close() (err error) {
	for _, u := range []*clocked.Unit{x.buffer, x.detector} {
		if u != nil {
			err = errors.Join(err, u.Close())
		}
	}
	for _, l := range x.libs {
		err = errors.Join(err, l.Close())
	}
	return err
}
