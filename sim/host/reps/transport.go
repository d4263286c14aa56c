// SPDX-License-Identifier: Apache-2.0

// Package reps is the host of REPS in a simulated network: a window that it is given, EVs from the buffer, and failures as the
// detector judges them.
package reps

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	judgeparams "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps"
	judgemodel "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbreps "github.com/nicgen/nicgen/tb/reps"
	tbdetector "github.com/nicgen/nicgen/tb/reps_detector"
)

// Transport implements transport.Maker: the window that the host brings, EVs from the REPS buffer, and
// failures as the REPS detector judges time-outs; both by golden models, or by RTL with the benches' assertions
// attached and the golden models in lockstep, once an event or once a cycle.
//
// Settings are of the buffer. The detector has those that the authors' simulator takes: 1.65 times the round trip of an
// empty network, and a window of two retransmission time-outs.
func Transport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	p, d := params.Default(), judgeparams.Default()
	if err := gen.SetAll(p, h.Settings); err != nil {
		return nil, err
	}
	p.Connections = max(p.Connections, int64(h.Connections))
	d.Connections = max(d.Connections, int64(h.Connections))
	d.Trimming, d.RTTThresholdNS, d.WindowNS = h.Trimming, int64(1.65*float64(h.BaseRTT)), 2*int64(h.RTO)
	if err := errors.Join(gen.Validate(p), gen.Validate(d)); err != nil {
		return nil, err
	}
	if p.Coalescing == params.Carry || p.NICPorts != 1 {
		return nil, fmt.Errorf("sim/host/reps: found coalescing %s with %d NIC ports, allowed: an EV in each acknowledgement, 1 NIC port", p.Coalescing, p.NICPorts)
	}
	if m == transport.Cycles {
		return newClockedPaths(ctx, p, d, h.Window(), h.Seed)
	}
	golden := newGoldenPaths(p, d, h.Seed)
	switch m {
	case transport.Golden:
		return transport.Join(h.Window(), golden), nil
	case transport.RTL:
		rtl, err := openRTL(ctx, p, d, h.Seed)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(transport.Join(h.Window(), rtl), "rtl", transport.Join(h.Window(), golden), "golden"), nil
	}
	return nil, fmt.Errorf("sim/host/reps: model: found %q, allowed: %s, %s or %s", m, transport.Golden, transport.RTL, transport.Cycles)
}

// seedWords returns the words that set all of the generator's state.
func seedWords(seed uint64) (words [8]uint32) {
	hi, lo := model.ExpandSeed(seed)
	for i := range words {
		words[i] = uint32(lo)
		lo = lo>>16 | hi<<48
		hi >>= 16
	}
	return words
}

// Verdicts on a time-out, for the notes that lockstep compares.
const (
	timedOut = 1 << iota
	failed   // the detector says that a path failed
	froze    // and the buffer froze
)

// goldenPaths are the golden models of both units, driven by events: cycles of a bench.Device would take a fifth more of
// a simulation's time.
type goldenPaths struct {
	buffer   *model.Buffer
	detector *judgemodel.Detector
}

func newGoldenPaths(p *params.Params, d *judgeparams.Params, seed uint64) *goldenPaths {
	g := &goldenPaths{model.New(p), judgemodel.New(d)}
	for _, w := range seedWords(seed) {
		g.buffer.Random.Load(w)
	}
	return g
}

// Send implements transport.Paths.
func (g *goldenPaths) Send(conn int, _ uint64) (transport.Choice, error) {
	ev, source := g.buffer.Send(uint32(conn), 0, g.buffer.Random.Next())
	return transport.Choice{EV: ev, Note: uint8(source)}, nil
}

// Ack implements transport.Paths.
func (g *goldenPaths) Ack(conn int, a *transport.Ack) (uint8, error) {
	g.detector.RTT(uint32(conn), a.RTT, a.Now)
	g.buffer.Ack(uint32(conn), 0, a.EV, a.Marked, a.Now)
	return 0, nil
}

// Lost implements transport.Paths. REPS ignores packets that were trimmed: a full queue is no failure.
func (g *goldenPaths) Lost(conn int, l *transport.Loss) (note uint8, err error) {
	if l.Trimmed {
		return 0, nil
	}
	note = timedOut
	if g.detector.Timeout(uint32(conn), l.Now) == judgemodel.Failure {
		note |= failed
		if g.buffer.Fail(uint32(conn), 0, l.Now)&model.EvFreeze != 0 {
			note |= froze
		}
	}
	return note, nil
}

// judge are the ports of the detector that a host drives.
type judge struct {
	rst, ready bench.Pin
	time       bench.Wires[judgeparams.Time]
	set        bench.Wires[judgeparams.Settings]
	rtts       bench.Wires[judgeparams.RTT]
	timeouts   bench.Wires[judgeparams.Timeout]
	verdicts   bench.Wires[judgeparams.Verdict]
	fails      bench.Wires[judgeparams.Fail]
}

func (x *judge) bind(d *judgeparams.Params, l *cosim.Layout) error {
	return bench.Wire("reps_detector", l, d.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WireGroup(judgeparams.TimePorts, &x.time), bench.WireGroup(judgeparams.SettingPorts, &x.set),
		bench.WireIn(judgeparams.RTTs, &x.rtts), bench.WireIn(judgeparams.Timeouts, &x.timeouts),
		bench.WireOut(judgeparams.Verdicts, &x.verdicts), bench.WireOut(judgeparams.Fails, &x.fails))
}

// rtt is a sample of a host.
func (x *judge) rtt(in []uint64, d *judgeparams.Params, conn int, rtt uint64) {
	x.rtts.Drive(in, &judgeparams.RTT{Conn: uint32(conn), NS: min(rtt, 1<<d.RTTBits-1)})
}

// failed reads the verdict on a time-out: whether a path failed.
func (x *judge) failed(d *judgeparams.Params, out []uint64) (failed bool, err error) {
	var v judgeparams.Verdict
	var f judgeparams.Fail
	if !x.verdicts.Read(out, &v) {
		return false, fmt.Errorf("module %s: no verdict %d cycles after a time-out", d.Top(), judgeparams.VerdictLatency)
	}
	return x.fails.Read(out, &f), nil
}

// rtlPaths are the RTL of both units.
type rtlPaths struct {
	p      *params.Params
	buffer *bench.Device
	x      ports

	d        *judgeparams.Params
	detector *bench.Device
	judge    judge
}

// shapeOf is a configuration without its settings, which enter through the ports: changing them compiles nothing.
func shapeOf(p *params.Params) *params.Params {
	shape, s := *p, params.Default()
	shape.Mode, shape.Freezing, shape.FreezingTimeoutNS = s.Mode, s.Freezing, s.FreezingTimeoutNS
	shape.NumPktsCwnd, shape.EVBase = s.NumPktsCwnd, s.EVBase
	return &shape
}

// judgeShape is the same of a detector.
func judgeShape(d *judgeparams.Params) *judgeparams.Params {
	shape := judgeparams.Default()
	shape.Connections = d.Connections
	return shape
}

func openRTL(ctx context.Context, p *params.Params, d *judgeparams.Params, seed uint64) (_ *rtlPaths, err error) {
	x := &rtlPaths{p: p, d: d}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	if x.buffer, err = bench.Open(ctx, tbreps.Unit.Bench(shapeOf(p)), p.SendLatency()+1); err != nil {
		return nil, err
	}
	if x.detector, err = bench.Open(ctx, tbdetector.Unit.Bench(judgeShape(d)), judgeparams.VerdictLatency+1); err != nil {
		return nil, err
	}
	if err := errors.Join(x.x.bind(x.p, x.buffer.Layout), x.judge.bind(x.d, x.detector.Layout)); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, x.p)
	if err != nil {
		return nil, err
	}
	x.x.set.Drive(x.buffer.Idle, &set)
	if err := x.buffer.Reset(&x.x.rst, &x.x.ready, int(2*x.p.Rows())+2); err != nil {
		return nil, fmt.Errorf("module %s: %w", x.p.Top(), err)
	}
	for _, w := range seedWords(seed) {
		if _, err := x.buffer.Run(1, func(in []uint64) { x.x.seeds.Drive(in, &params.Seed{Word: w}) }); err != nil {
			return nil, err
		}
	}
	limits, err := bench.SettingsOf(judgeparams.SettingPorts, x.d)
	if err != nil {
		return nil, err
	}
	x.judge.set.Drive(x.detector.Idle, &limits)
	if err := x.detector.Reset(&x.judge.rst, &x.judge.ready, int(x.d.Connections)+2); err != nil {
		return nil, fmt.Errorf("module %s: %w", x.d.Top(), err)
	}
	return x, nil
}

// Send implements transport.Paths.
func (x *rtlPaths) Send(conn int, now uint64) (transport.Choice, error) {
	out, err := x.buffer.Run(x.p.SendLatency()+1, func(in []uint64) {
		x.x.time.Drive(in, &params.Time{Now: now})
		x.x.sends.Drive(in, &params.Send{Conn: uint32(conn)})
	})
	if err != nil {
		return transport.Choice{}, err
	}
	var a params.Answer
	if !x.x.answers.Read(out, &a) {
		return transport.Choice{}, fmt.Errorf("module %s: no EV %d cycles after a SEND", x.p.Top(), x.p.SendLatency())
	}
	return transport.Choice{EV: a.EV, Note: a.Source}, nil
}

// Ack implements transport.Paths.
func (x *rtlPaths) Ack(conn int, a *transport.Ack) (uint8, error) {
	if _, err := x.detector.Run(1, func(in []uint64) {
		x.judge.time.Drive(in, &judgeparams.Time{Now: a.Now})
		x.judge.rtt(in, x.d, conn, a.RTT)
	}); err != nil {
		return 0, err
	}
	_, err := x.buffer.Run(1, func(in []uint64) {
		x.x.time.Drive(in, &params.Time{Now: a.Now})
		x.x.acks.Drive(in, &params.ACK{Conn: uint32(conn), EV: a.EV, ECN: a.Marked})
	})
	return 0, err
}

// Lost implements transport.Paths.
func (x *rtlPaths) Lost(conn int, l *transport.Loss) (note uint8, err error) {
	if l.Trimmed {
		return 0, nil
	}
	note = timedOut
	out, err := x.detector.Run(judgeparams.VerdictLatency+1, func(in []uint64) {
		x.judge.time.Drive(in, &judgeparams.Time{Now: l.Now})
		x.judge.timeouts.Drive(in, &judgeparams.Timeout{Conn: uint32(conn)})
	})
	if err != nil {
		return 0, err
	}
	if fails, err := x.judge.failed(x.d, out); err != nil || !fails {
		return note, err
	}
	note |= failed
	out, err = x.buffer.Run(params.EventLatency+1, func(in []uint64) {
		x.x.time.Drive(in, &params.Time{Now: l.Now})
		x.x.fails.Drive(in, &params.Fail{Conn: uint32(conn)})
	})
	if err == nil && x.x.frozen.On(out) {
		note |= froze
	}
	return note, err
}

// Close implements io.Closer.
func (x *rtlPaths) Close() (err error) {
	for _, d := range []*bench.Device{x.buffer, x.detector} {
		if d != nil {
			err = errors.Join(err, d.Close())
		}
	}
	return err
}
