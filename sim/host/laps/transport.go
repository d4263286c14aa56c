// SPDX-License-Identifier: Apache-2.0

// Package laps is the host of LAPS in a simulated network: paths, rates and losses from the unit.
package laps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/sim/transport"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// Transport implements transport.Maker: paths, rates and losses from the golden model of the pipeline, or from the RTL with the bench's
// assertions attached and the golden models of the parts in lockstep, once per event or once per cycle. A host's NIC has its own device, with the
// paths to its peers, placed and written as by nicgen place.
//
// Settings are the unit's, and three words for the host: softmax, the β′ of the paper's weights (1, as in the authors' simulator);
// window, which bounds the bytes in flight of a flow to a multiple of T at the rate of the host's link, T the longest baseline of
// its paths (0, none; 2 in the authors' simulator); and tick, the µs between timer ticks (1000).
func Transport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	own, rest, err := hostWords(h.Settings)
	if err != nil {
		return nil, err
	}
	p := params.Default()
	p.Rate.RateBits, p.Tables.LatBits, p.Detector.Depth = 28, 24, 1024
	p.Tables.Banks, p.Tables.Rows, p.Tables.Destinations, p.Rate.Flows = 8, 8, 16, 64
	p.Rate.MaxRate = int64(math.Round(h.Gbps * 1000 * 256))
	if err := gen.SetAll(p, rest); err != nil {
		return nil, err
	}
	t := &host{window: own["window"], every: uint64(own["tick"] * 1000)}
	net := t.routes(h)
	for _, x := range []struct {
		have *int64
		need int
	}{{&p.Tables.Destinations, net.Pairs}, {&p.Rate.Flows, net.Flows}} {
		for *x.have < int64(x.need) {
			*x.have *= 2
		}
	}
	// A destination's paths are in different banks, so that some rows stay free.
	for p.Tables.Paths() < int64(len(net.Paths))+p.Tables.Banks {
		p.Tables.Rows *= 2
	}
	if err := gen.Validate(p); err != nil {
		return nil, err
	}
	t.link = h.Gbps / 8
	switch m {
	case transport.Golden:
		t.by, err = newPipeline(p, net, own["softmax"], h.Seed)
	case transport.Float:
		t.by = newFloat(p, net, own["softmax"], h.Seed)
	case transport.RTL:
		var d *tblaps.Driver
		if d, err = openRTL(ctx, p, p, net, own["softmax"], h.Seed); err == nil {
			t.by = d
		}
	case transport.Cycles:
		return newClockedHost(ctx, t, p, net, own["softmax"], h.Seed)
	default:
		err = fmt.Errorf("sim/host/laps: model: found %q, allowed: %s, %s, %s or %s", m, transport.Golden, transport.Float, transport.RTL, transport.Cycles)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// shapeOf is a configuration without its settings, which enter through the ports: changing them compiles nothing.
func shapeOf(p *params.Params) *params.Params {
	hw, s := *p, params.Default()
	hw.Rate.MaxRate, hw.Rate.MinRate, hw.Rate.Stages, hw.Detector.RTOMinNS, hw.Tables.Beta = s.Rate.MaxRate, s.Rate.MinRate, s.Rate.Stages, s.Detector.RTOMinNS, s.Tables.Beta
	return &hw
}

// openRTL makes the RTL of a configuration, in lockstep with the golden models of one with the same ports.
func openRTL(ctx context.Context, p, golden *params.Params, net *tblaps.Routes, beta float64, seed uint64) (*tblaps.Driver, error) {
	t, err := tblaps.NewTables(p, net, beta)
	if err != nil {
		return nil, err
	}
	dev, err := newRTL(ctx, shapeOf(p), golden)
	if err != nil {
		return nil, err
	}
	d, err := tblaps.NewDriver(p, t, dev, seed)
	if err != nil {
		return nil, errors.Join(err, dev.Close())
	}
	d.Backed = true
	return d, nil
}

// differ tells a run of a difference between RTL and golden models in its words.
func differ(conn int, now uint64, err error) error {
	var d *tblaps.Difference
	if !errors.As(err, &d) {
		return err
	}
	return &transport.Difference{Events: d.Events, Event: d.Event, Conn: conn, Now: now, Names: [2]string{"rtl", "golden"},
		Said: [2]any{fmt.Sprintf("%s on %s %d cycles later", d.RTL, d.Port, d.Cycles), d.Golden}}
}

// hostWords takes the words of the host out of settings.
func hostWords(settings string) (own map[string]float64, rest string, err error) {
	own = map[string]float64{"softmax": 1, "window": 0, "tick": 1000}
	most := map[string]float64{"softmax": 64, "window": 1000, "tick": 1e6}
	least := map[string]float64{"tick": 1}
	var others []string
	for _, w := range strings.Fields(settings) {
		key, value, _ := strings.Cut(w, "=")
		if _, ok := own[key]; !ok {
			others = append(others, w)
			continue
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= least[key] && x <= most[key]) {
			return nil, "", fmt.Errorf("%s: found %q, allowed: a number from %g to %g", key, value, least[key], most[key])
		}
		own[key] = x
	}
	return own, strings.Join(others, " "), nil
}

// host is a NIC with a device, whose flows are its connections.
type host struct {
	by     algorithms
	window float64   // times T
	link   float64   // bytes a ns
	every  uint64    // ns
	pair   []int     // of each connection
	first  []int     // path 0 of each pair
	paths  []int     // of each pair
	of     []int     // number of a path in its pair
	most   []uint64  // T of each pair, ns
	rate   []float64 // of each connection, bytes a ns
	lost   []transport.Segment
}

// routes are the paths and flows of a host as a device takes them.
func (t *host) routes(h *transport.Host) *tblaps.Routes {
	net := &tblaps.Routes{Flows: len(h.Peers)}
	pairs := map[int]int{}
	for _, dst := range h.Peers {
		k, ok := pairs[dst]
		if !ok {
			k = net.Pairs
			pairs[dst] = k
			net.Pairs++
			t.first = append(t.first, len(net.Paths))
			var T uint64
			list := h.Paths(dst)
			for i, p := range list {
				T = max(T, p.Base)
				t.of = append(t.of, i)
				net.Paths = append(net.Paths, tblaps.Path{Pair: k, Anchors: p.Anchors, Base: uint32(p.Base)})
			}
			t.paths, t.most = append(t.paths, len(list)), append(t.most, T)
		}
		t.pair, t.rate = append(t.pair, k), append(t.rate, 0)
	}
	return net
}

// grant returns the Grant of a connection at a rate from now on.
func (t *host) grant(conn int, rate float64, note tblaps.Cause) transport.Grant {
	t.rate[conn] = rate
	g := transport.Grant{Window: 1 << 40, Rate: rate, Note: uint8(note)}
	if t.window > 0 {
		g.Window = t.window * float64(t.most[t.pair[conn]]) * t.link
	}
	return g
}

// found keeps lost segments for Missing.
func (t *host) found(list []tblaps.Lost) {
	t.lost = t.lost[:0]
	for _, l := range list {
		t.lost = append(t.lost, transport.Segment{Conn: int(l.Flow), Seq: uint32(l.Seq), Timer: l.Timer})
	}
}

// Open implements transport.Transport.
func (t *host) Open(conn int, now uint64) (transport.Grant, error) {
	rate, err := t.by.Open(conn, now)
	t.found(nil)
	return t.grant(conn, rate, 0), differ(conn, now, err)
}

// Send implements transport.Transport; a host that tells segments apart is not asked.
func (t *host) Send(conn int, now uint64) (transport.Choice, error) {
	return transport.Choice{}, errors.New("a packet without a number")
}

// Segment implements transport.Tracker.
func (t *host) Segment(conn int, seq uint32, now uint64) (transport.Choice, error) {
	k := t.pair[conn]
	c, err := t.by.Packet(&tblaps.Packet{Segment: model.Segment{Flow: uint32(conn), Seq: uint64(seq)}, Pair: k, Track: true, Now: now})
	if err != nil {
		return transport.Choice{}, differ(conn, now, err)
	}
	if c.Path < 0 {
		return transport.Choice{}, fmt.Errorf("segment %d of connection %d: no path, want one", seq, conn)
	}
	t.found(c.Lost)
	out := transport.Choice{EV: uint32(t.of[c.Path])}
	if c.Probe >= 0 {
		out.Probe, out.On = true, uint32(t.of[c.Probe])
	}
	return out, nil
}

// Ack implements transport.Transport.
func (t *host) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	k := t.pair[conn]
	r, err := t.by.Ack(&tblaps.Feedback{Segment: model.Segment{Flow: uint32(conn), Seq: uint64(a.Seq)}, Path: t.first[k] + int(a.EV), Delay: a.Delay, Now: a.Now})
	t.found(r.Lost)
	return t.grant(conn, r.Rate, r.Cause), differ(conn, a.Now, err)
}

// Answer implements transport.Tracker.
func (t *host) Answer(conn int, a *transport.Ack) error {
	t.found(nil)
	return differ(conn, a.Now, t.by.Answer(&tblaps.Answer{Path: t.first[t.pair[conn]] + int(a.EV), Delay: a.Delay, Now: a.Now}))
}

// Lost implements transport.Transport: the unit has no such event, and the rate stays.
func (t *host) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	t.found(nil)
	return t.grant(conn, t.rate[conn], 0), nil
}

// Tick implements transport.Tracker. In which order timers are looked at is the device's.
func (t *host) Tick(now uint64) error {
	list, err := t.by.Tick(now)
	slices.SortStableFunc(list, func(a, b tblaps.Lost) int { return cmp.Compare(a.Path, b.Path) })
	t.found(list)
	return differ(-1, now, err)
}

// Every implements transport.Tracker.
func (t *host) Every() uint64 { return t.every }

// Missing implements transport.Tracker.
func (t *host) Missing() []transport.Segment { return t.lost }

// Close implements io.Closer.
func (t *host) Close() error {
	if c, ok := t.by.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// pipeline is the golden model of the whole unit.
type pipeline struct {
	t     *tblaps.Tables
	m     *model.Pipeline
	found []tblaps.Lost
}

func newPipeline(p *params.Params, net *tblaps.Routes, beta float64, seed uint64) (*pipeline, error) {
	t, err := tblaps.NewTables(p, net, beta)
	if err != nil {
		return nil, err
	}
	x := &pipeline{t: t, m: model.New(p)}
	for _, w := range tblaps.SeedWords(p, seed) {
		x.m.Pick.Random.Load(w)
	}
	for _, c := range t.Changes {
		if o := x.m.Change(c, 0); o != modelpaths.Done {
			return nil, fmt.Errorf("%+v: outcome %d, want %d", c, o, modelpaths.Done)
		}
	}
	return x, nil
}

// Open implements algorithms.
func (x *pipeline) Open(flow int, now uint64) (float64, error) {
	return float64(x.m.Rate.Open(uint32(flow), now).Current) / tblaps.PerByte, nil
}

// Packet implements algorithms.
func (x *pipeline) Packet(p *tblaps.Packet) (tblaps.Choice, error) {
	r := x.m.Packet(x.t.Dst[p.Pair], &p.Segment, p.Now)
	c := tblaps.Choice{Path: -1, Probe: -1}
	if !r.None {
		c.Path = x.t.Path[r.Pid]
	}
	if r.Probe >= 0 {
		c.Probe = x.t.Path[r.Probe]
	}
	return c, nil
}

// Ack implements algorithms.
func (x *pipeline) Ack(a *tblaps.Feedback) (tblaps.Reaction, error) {
	r := x.m.Ack(x.t.PID[a.Path], a.Segment, int64(a.Delay), a.Now)
	x.found = x.found[:0]
	x.gone(r.Lost, a.Path, false)
	return tblaps.Reaction{Rate: float64(r.Rate.Current) / tblaps.PerByte, Cause: tblaps.Cause(r.Rate.Cause), Lost: x.found}, nil
}

// gone keeps segments that the model found lost.
func (x *pipeline) gone(list []model.Segment, path int, timer bool) {
	for _, s := range list {
		x.found = append(x.found, tblaps.Lost{Segment: s, Path: path, Timer: timer})
	}
}

// Answer implements algorithms.
func (x *pipeline) Answer(a *tblaps.Answer) error {
	x.m.Answer(x.t.PID[a.Path], int64(a.Delay), a.Now)
	return nil
}

// Tick implements algorithms.
func (x *pipeline) Tick(now uint64) ([]tblaps.Lost, error) {
	x.found = x.found[:0]
	for path, pid := range x.t.PID {
		x.gone(x.m.Expire(pid, now), path, true)
	}
	return x.found, nil
}
