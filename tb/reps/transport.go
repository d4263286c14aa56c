// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	judgeparams "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps"
	judgemodel "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	judge "github.com/nicgen/nicgen/tb/reps_detector"
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
		return nil, fmt.Errorf("tb/%s: found coalescing %s with %d NIC ports, allowed: an EV in each acknowledgement, 1 NIC port", unitName, p.Coalescing, p.NICPorts)
	}
	golden := newGoldenPaths(p, d, h.Seed)
	switch m {
	case transport.Cycles:
		return newClockedPaths(ctx, p, d, h.Window(), h.Seed)
	case transport.Golden:
		return transport.Join(h.Window(), golden), nil
	case transport.RTL:
		rtl, err := newRTLPaths(ctx, p, d, h.Seed)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(transport.Join(h.Window(), rtl), "rtl", transport.Join(h.Window(), golden), "golden"), nil
	}
	return nil, fmt.Errorf("tb/%s: model: found %q, allowed: %s, %s or %s", unitName, m, transport.Golden, transport.RTL, transport.Cycles)
}

// seedWords are those that set all of the generator's state.
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

// goldenPaths are the golden models of both units.
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

// rtlPaths are the RTL of both units.
type rtlPaths struct {
	p      *params.Params
	buffer *bench.Device
	pins   *pins

	d        *judgeparams.Params
	detector *bench.Device
	judge    *judge.Timeouts
}

// shapeOf is a configuration without its settings, which enter through the ports: changing them compiles nothing.
func shapeOf(p *params.Params) *params.Params {
	shape, s := *p, params.Default()
	shape.Mode, shape.Freezing, shape.FreezingTimeoutNS = s.Mode, s.Freezing, s.FreezingTimeoutNS
	shape.NumPktsCwnd, shape.EVBase = s.NumPktsCwnd, s.EVBase
	return &shape
}

// set puts the settings of a configuration into the inputs of a cycle.
func (x *pins) set(in []uint64, p *params.Params) {
	x.mode.Put(in, map[string]uint64{"reps": uint64(model.REPS), "ops": uint64(model.OPS), "ecmp": uint64(model.ECMP)}[p.Mode])
	if p.Freezing {
		x.freezing.Raise(in)
	}
	x.timeout.Put(in, uint64(p.FreezingTimeoutNS))
	x.num.Put(in, uint64(p.NumPktsCwnd))
	x.base.Put(in, uint64(p.EVBase))
}

// seed drives a word of the generator's state.
func (x *pins) seed(in []uint64, word uint32) {
	x.seedValid.Raise(in)
	x.seedWord.Put(in, uint64(word))
}

// send drives a SEND.
func (x *pins) send(in []uint64, conn int) {
	x.sendValid.Raise(in)
	x.sendConn.Put(in, uint64(conn))
}

// ack drives an ACK.
func (x *pins) ack(in []uint64, conn int, a *transport.Ack) {
	x.ackValid.Raise(in)
	x.ackConn.Put(in, uint64(conn))
	x.ackEV.Put(in, uint64(a.EV))
	if a.Marked {
		x.ackECN.Raise(in)
	}
}

// fail drives a failure.
func (x *pins) fail(in []uint64, conn int) {
	x.failValid.Raise(in)
	x.failConn.Put(in, uint64(conn))
}

func newRTLPaths(ctx context.Context, p *params.Params, d *judgeparams.Params, seed uint64) (_ *rtlPaths, err error) {
	x := &rtlPaths{p: p, d: d}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	if x.buffer, err = bench.Open(ctx, Unit.Bench(shapeOf(p)), p.SendLatency()+1); err != nil {
		return nil, err
	}
	if x.pins, err = newPins(x.buffer.Layout); err != nil {
		return nil, err
	}
	x.pins.set(x.buffer.Idle, p)
	if err := x.buffer.Reset(&x.pins.rst.Pin, &x.pins.ready, int(2*p.Rows())+2); err != nil {
		return nil, fmt.Errorf("module %s: %w", p.Top(), err)
	}
	for _, w := range seedWords(seed) {
		if _, err := x.buffer.Run(1, func(in []uint64) {
			x.pins.seed(in, w)
		}); err != nil {
			return nil, err
		}
	}
	common := *judgeparams.Default()
	common.Connections = d.Connections
	if x.detector, err = bench.Open(ctx, judge.Unit.Bench(&common), judgeparams.VerdictLatency+1); err != nil {
		return nil, err
	}
	if x.judge, err = judge.NewTimeouts(x.detector.Layout); err != nil {
		return nil, err
	}
	x.judge.Set(x.detector.Idle, d)
	if err := x.detector.Reset(x.judge.Reset(), x.judge.Ready(), int(d.Connections)+2); err != nil {
		return nil, fmt.Errorf("module %s: %w", d.Top(), err)
	}
	return x, nil
}

// Send implements transport.Paths.
func (x *rtlPaths) Send(conn int, now uint64) (transport.Choice, error) {
	out, err := x.buffer.Run(x.p.SendLatency()+1, func(in []uint64) {
		x.pins.now.Put(in, now)
		x.pins.send(in, conn)
	})
	if err == nil && !x.pins.evValid.On(out) {
		err = fmt.Errorf("module %s: no EV %d cycles after a SEND", x.p.Top(), x.p.SendLatency())
	}
	if err != nil {
		return transport.Choice{}, err
	}
	return transport.Choice{EV: uint32(x.pins.ev.Get(out)), Note: uint8(x.pins.evSource.Get(out))}, nil
}

// Ack implements transport.Paths.
func (x *rtlPaths) Ack(conn int, a *transport.Ack) (uint8, error) {
	if _, err := x.detector.Run(1, func(in []uint64) { x.judge.RTT(in, conn, min(a.RTT, 1<<x.d.RTTBits-1), a.Now) }); err != nil {
		return 0, err
	}
	_, err := x.buffer.Run(1, func(in []uint64) {
		x.pins.now.Put(in, a.Now)
		x.pins.ack(in, conn, a)
	})
	return 0, err
}

// Lost implements transport.Paths.
func (x *rtlPaths) Lost(conn int, l *transport.Loss) (note uint8, err error) {
	if l.Trimmed {
		return 0, nil
	}
	note = timedOut
	out, err := x.detector.Run(judgeparams.VerdictLatency+1, func(in []uint64) { x.judge.Timeout(in, conn, l.Now) })
	if err != nil {
		return 0, err
	}
	fails, answered := x.judge.Failed(out)
	if !answered {
		return 0, fmt.Errorf("module %s: no verdict %d cycles after a time-out", x.d.Top(), judgeparams.VerdictLatency)
	}
	if !fails {
		return note, nil
	}
	note |= failed
	out, err = x.buffer.Run(params.EventLatency+1, func(in []uint64) {
		x.pins.now.Put(in, l.Now)
		x.pins.fail(in, conn)
	})
	if err == nil && x.pins.evtFreeze.On(out) {
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
