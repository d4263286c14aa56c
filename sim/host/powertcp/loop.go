// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// NewController makes what computes the windows of simulated senders: the float64 model of the
// paper, the golden model, or the RTL with the bench's assertions attached.
//
// The RTL is the default configuration of the variant, with more connections or
// hops if the settings ask for more; settings and link rates enter through the
// cfg_ ports and the link-rate table, so that changing them compiles nothing.
// Settings that the ports cannot express are refused.
//
// Telemetry is truncated to the widths and units of that configuration: times and bytes
// sent wrap; a queue length or round-trip time beyond its range saturates.
func NewController(ctx context.Context, m transport.Model, s Settings) (Controller, error) {
	if m == transport.Float {
		return newFloat(s)
	}
	shape, p, err := configure(s)
	if err != nil {
		return nil, err
	}
	switch m {
	case transport.Golden:
		return &modelled{conns: s.Connections, p: p, unit: model.New(p)}, nil
	case transport.RTL:
		return newRTL(ctx, shape, p, s.Connections)
	}
	return nil, fmt.Errorf("sim/host/powertcp: model: found %q, allowed: %s, %s or %s", m, transport.Float, transport.Golden, transport.RTL)
}

// configure returns the configuration of the hardware, and the same with the
// run-time settings.
func configure(s Settings) (shape, p *params.Params, err error) {
	shape = params.Default()
	switch s.Variant {
	case bottleneck.INT:
		shape.Variant = params.INT
		if s.ObservedBase {
			shape.BaseRTT = params.Observed
		}
	case bottleneck.Theta:
		shape.Variant = params.Theta
		if s.EveryAck {
			shape.ThetaUpdate = params.EveryAck
		}
	default:
		return nil, nil, fmt.Errorf("variant: found %q, allowed: %s or %s", s.Variant, bottleneck.INT, bottleneck.Theta)
	}
	shape.Connections = max(shape.Connections, int64(s.Connections))
	shape.Hops = max(shape.Hops, int64(s.Hops))

	with := *shape
	p = &with
	var errs []error
	whole := func(to *int64, name string, value, parts float64, allowed string) {
		x := math.Round(value * parts)
		if !(math.Abs(value*parts-x) <= 1e-6) || math.Abs(x) > 1<<53 {
			errs = append(errs, fmt.Errorf("%s: found %v, allowed: %s", name, value, allowed))
			return
		}
		*to = int64(x)
	}
	const million, bytes, millionths = 1e6, "a whole number of bytes", "a whole number of millionths"
	whole(&p.GammaPPM, "gamma", s.Gamma, million, millionths)
	whole(&p.BetaBytes, "beta", s.Beta, 1, bytes)
	whole(&p.TauNS, "tau", s.Tau, 1, "a whole number of ns")
	whole(&p.TargetPPM, "target utilisation", s.TargetUtil, million, millionths)
	whole(&p.FloorPPM, "lambda floor", s.LambdaFloor, million, millionths)
	whole(&p.MinWindowBytes, "minimum window", s.MinWindow, 1, bytes)
	whole(&p.MaxWindowBytes, "maximum window", s.MaxWindow, 1, bytes)
	clear(p.LinkRatesMbps[:])
	for code, rate := range fabric.LinkRates {
		whole(&p.LinkRatesMbps[code], fmt.Sprintf("link rate of code %d", code), rate, 8000, "a whole number of Mb/s")
	}
	if errs != nil {
		return nil, nil, errors.Join(errs...)
	}
	return shape, p, gen.Validate(p)
}

// checkAck refuses connections and hops beyond the settings.
func checkAck(a *tbpowertcp.Ack, conns, hops int) error {
	if uint64(a.Conn) >= uint64(conns) {
		return fmt.Errorf("connection: found %d, allowed: 0 to %d", a.Conn, conns-1)
	}
	if len(a.Hops) > hops {
		return fmt.Errorf("hops: found %d, allowed: 0 to %d", len(a.Hops), hops)
	}
	for i, h := range a.Hops {
		if h.Rate < 0 || h.Rate >= len(fabric.LinkRates) {
			return fmt.Errorf("hop %d: link-rate code: found %d, allowed: 0 to %d", i, h.Rate, len(fabric.LinkRates)-1)
		}
	}
	return nil
}

// windowOf converts a window and a pacing rate from the unit's formats.
func windowOf(w *params.Window) Window {
	return Window{Bytes: float64(w.Bytes) / (1 << model.WindowFrac), Rate: float64(w.Rate) / (1 << model.RateFrac)}
}

// modelled is the golden model as a controller.
type modelled struct {
	conns int
	p     *params.Params
	unit  *model.Unit
	hops  [params.MaxHops]model.Hop
}

// Ack implements Controller.
func (g *modelled) Ack(a *tbpowertcp.Ack) (Window, error) {
	if err := checkAck(a, g.conns, int(g.p.Hops)); err != nil {
		return Window{}, err
	}
	x := model.Ack{Conn: a.Conn, Seq: a.Seq, SndNxt: a.SndNxt, Path: uint32(a.Path)}
	if g.p.HasTheta() {
		x.Theta, x.RTTValid, x.RTT, x.Now = true, a.RTT > 0, a.PortRTT(g.p), a.Now
	} else {
		x.HopCnt, x.Hops = len(a.Hops), g.hops[:len(a.Hops)]
		x.RTTValid, x.RTT = a.RTT > 0, a.PortRTT(g.p)
		for i := range a.Hops {
			h, rate := a.Hops[i].Port(g.p)
			h.Link = g.unit.Links[rate]
			x.Hops[i] = h
		}
	}
	r := g.unit.Ack(&x)
	return windowOf(&params.Window{Bytes: r.Window, Rate: r.Rate}), nil
}

// rtl is the RTL as a controller. An ACK is driven as soon as the previous one is answered:
// the clock is stopped between ACKs, and they carry the time.
type rtl struct {
	conns int
	p     *params.Params
	dev   *bench.Device
	x     ports
}

// newRTL powers the RTL up, resets it, and gives it its settings.
func newRTL(ctx context.Context, shape, p *params.Params, conns int) (*rtl, error) {
	dev, err := bench.Open(ctx, tbpowertcp.Unit.Bench(shape), p.WindowLatency())
	if err != nil {
		return nil, err
	}
	r := &rtl{conns: conns, p: p, dev: dev}
	if err = r.start(); err != nil {
		return nil, errors.Join(fmt.Errorf("module %s: %w", p.Top(), err), r.Close())
	}
	return r, nil
}

// start gives the device its settings, resets it and writes its link-rate table.
func (r *rtl) start() error {
	x := &r.x
	if err := x.bind(r.p, r.dev.Layout); err != nil {
		return err
	}
	set, err := bench.SettingsOf(params.SettingPorts, r.p)
	if err != nil {
		return err
	}
	x.set.Drive(r.dev.Idle, &set)
	if err := r.dev.Reset(&x.rst, &x.ready, int(r.p.ReadyLatency())); err != nil {
		return err
	}
	if !r.p.HasINT() {
		return nil
	}
	for code := range 1 << r.p.RateBits {
		e := params.Write{Code: uint8(code), Entry: r.p.Rate(code).Entry()}
		if err := r.dev.Offer(&x.rateReady, r.p.RateHold()+1, func(in []uint64) { x.writes.Drive(in, &e) }); err != nil {
			return fmt.Errorf("link-rate code %d: %w", code, err)
		}
	}
	return nil
}

// Ack implements Controller.
func (r *rtl) Ack(a *tbpowertcp.Ack) (Window, error) {
	if err := checkAck(a, r.conns, int(r.p.Hops)); err != nil {
		return Window{}, err
	}
	x := &r.x
	for beat := range a.Beats(r.p) {
		if err := r.dev.Offer(&x.ackReady, r.p.Distance()+1, func(in []uint64) { x.offer(r.p, a, beat, in) }); err != nil {
			return Window{}, fmt.Errorf("module %s: %w", r.p.Top(), err)
		}
	}
	out, err := r.dev.Await(r.p.WindowLatency(), &x.winValid)
	var w params.Window
	switch {
	case err != nil:
		return Window{}, err
	case out == nil:
		return Window{}, fmt.Errorf("module %s: no answer within %d cycles", r.p.Top(), r.p.WindowLatency())
	}
	if x.windows.Read(out, &w); w.Conn != a.Conn {
		return Window{}, fmt.Errorf("module %s: answer for connection %d, want %d", r.p.Top(), w.Conn, a.Conn)
	}
	return windowOf(&w), nil
}

// Close frees the device.
func (r *rtl) Close() error { return r.dev.Close() }
