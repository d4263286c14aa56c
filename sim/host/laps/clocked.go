// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// clockedHost is a NIC whose RTL has its own clock. ACKs, answers of probes and openings wait at their ports while packets use the cycles; a rate
// holds from the cycle in which it appears. Timers are checked while the clock runs, and for a lap at each tick: their findings come up to lookAt
// cycles late.
type clockedHost struct {
	host
	t    *tblaps.Tables
	x    ports
	p    *params.Params
	lib  *cosim.Library
	unit *clocked.Unit

	toPath, toProbe, toRate, toAck, lap uint64 // cycles

	packets []asked  // that have no path yet
	rates   []uint64 // the cycle of each that is to come, if nothing waits
	acks    []uint64 // of the detector's reports, likewise
	losses  uint64   // the cycle up to which lost segments may come
	looks   uint64   // that up to which the lap of timers takes
	answers []transport.Answer
	found   []transport.Segment
}

// asked is a packet that entered the unit in a cycle.
type asked struct {
	conn  int
	cycle uint64
	probe int // path; -1: none
}

// lookAt is the interval, in cycles, at which findings of timers are collected.
const lookAt = 64

func newClockedHost(ctx context.Context, t *host, p *params.Params, net *tblaps.Routes, beta float64, seed uint64) (_ transport.Transport, err error) {
	hw := shapeOf(p)
	lib, golden, err := bench.Build(ctx, tblaps.Unit.Bench(hw))
	if err != nil {
		return nil, err
	}
	d := p.Delays()
	x := &clockedHost{host: *t, p: p, lib: lib,
		toPath: uint64(p.PacketLatency()), toProbe: uint64(d.Cand), toRate: uint64(p.RateLatency()), toAck: uint64(d.InOrder), lap: uint64(tblaps.TimerLap(p))}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	if x.t, err = tblaps.NewTables(p, net, beta); err != nil {
		return nil, err
	}
	if err = x.x.bind(p, lib.Layout()); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, p)
	if err != nil {
		return nil, err
	}
	idle := make([]uint64, lib.Layout().InWords)
	x.x.set.Drive(idle, &set)
	x.x.lostReady.Raise(idle)
	calm := max(p.PacketLatency()+d.Send, p.RateLatency(), d.InOrder, d.Window) + 2
	if x.unit, err = clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: uint64(calm), See: x.see},
		1, "rst", "sts_ready", int(p.ReadyDelay())+4); err != nil {
		return nil, err
	}
	for _, w := range tblaps.SeedWords(p, seed) {
		if err = x.unit.Setup("", 1, func(in []uint64) { x.x.seeds.Drive(in, &lapspick.Seed{Word: w}) }); err != nil {
			return nil, err
		}
	}
	for i := range x.t.Changes {
		change := tblaps.PortChange(&x.t.Changes[i])
		if err = x.unit.Setup("s_cfg_ready", tblaps.Patience(p), func(in []uint64) { x.x.changes.Drive(in, &change) }); err != nil {
			return nil, err
		}
	}
	for range d.Window + 1 {
		if err = x.unit.Setup("", 1, func([]uint64) {}); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Open implements transport.Transport: a flow begins with the rate that its opening will say.
func (x *clockedHost) Open(conn int, now uint64) (transport.Grant, error) {
	cycle := x.unit.Hold("s_open_ready", fabric.Instant(now)*1000, func(in []uint64) { x.x.opens.Drive(in, &lapsrate.Open{Flow: uint32(conn)}) })
	x.rates = append(x.rates, cycle+uint64(x.p.Delays().Rate))
	return x.grant(conn, float64(x.p.Rate.MaxRate)/tblaps.PerByte, 0), nil
}

// Ask implements transport.Clocked.
func (x *clockedHost) Ask(conn int, seq uint32, at fabric.Instant) error {
	p := x.t.Packet(&tblaps.Packet{Segment: model.Segment{Flow: uint32(conn), Seq: uint64(seq)}, Pair: x.pair[conn], Track: true, Now: at.NS()})
	cycle := x.unit.Drive(0, at, func(in []uint64) { x.x.packets.Drive(in, &p) })
	x.packets = append(x.packets, asked{conn, cycle, -1})
	return nil
}

// Segment is not asked.
func (x *clockedHost) Segment(int, uint32, uint64) (transport.Choice, error) {
	return transport.Choice{}, errors.New("a path takes some cycles")
}

// Ack implements transport.Transport.
func (x *clockedHost) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	f := x.t.ACK(&tblaps.Feedback{Segment: model.Segment{Flow: uint32(conn), Seq: uint64(a.Seq)}, Path: x.first[x.pair[conn]] + int(a.EV), Delay: a.Delay, Now: a.Now})
	cycle := x.unit.Hold("s_ack_ready", a.At, func(in []uint64) { x.x.acks.Drive(in, &f) })
	x.rates = append(x.rates, cycle+x.toRate)
	if x.p.Loss {
		x.acks = append(x.acks, cycle+x.toAck)
	}
	return x.grant(conn, x.rate[conn], 0), nil
}

// Answer implements transport.Tracker.
func (x *clockedHost) Answer(conn int, a *transport.Ack) error {
	e := x.t.Answer(&tblaps.Answer{Path: x.first[x.pair[conn]] + int(a.EV), Delay: a.Delay, Now: a.Now})
	x.unit.Hold("s_answer_ready", a.At, func(in []uint64) { x.x.answers.Drive(in, &e) })
	return nil
}

// Tick implements transport.Tracker.
func (x *clockedHost) Tick(now uint64) error {
	if err := x.unit.Run(fabric.Instant(now) * 1000); err != nil {
		return err
	}
	x.looks = x.unit.Cycle() + x.lap
	x.unit.Keep(x.looks)
	return nil
}

// see sees a cycle.
func (x *clockedHost) see(cycle uint64, out []uint64) error {
	n := &x.x
	var (
		probe lapspaths.Probe
		path  lapspaths.Path
		rate  lapsrate.Rate
		acked lapsloss.Done
		l     lapsloss.Lost
	)
	if n.probes.Read(out, &probe) {
		i := slices.IndexFunc(x.packets, func(p asked) bool { return p.cycle+x.toProbe == cycle })
		if i < 0 {
			return fmt.Errorf("module %s: a probe without a packet %d cycles before", x.p.Top(), x.toProbe)
		}
		x.packets[i].probe = x.t.Path[probe.PID]
	}
	if len(x.packets) > 0 && x.packets[0].cycle+x.toPath == cycle {
		p := x.packets[0]
		x.packets = append(x.packets[:0], x.packets[1:]...)
		if !n.paths.Read(out, &path) || path.None {
			return fmt.Errorf("module %s: no path %d cycles after a packet of connection %d", x.p.Top(), x.toPath, p.conn)
		}
		choice := transport.Choice{EV: uint32(x.of[x.t.Path[path.PID]])}
		if p.probe >= 0 {
			choice.Probe, choice.On = true, uint32(x.of[p.probe])
		}
		x.answers = append(x.answers, transport.Answer{Conn: p.conn, Choice: choice})
	}
	if n.rates.Read(out, &rate) {
		conn, why := int(rate.Flow), rate.Cause
		if tblaps.Cause(why) > tblaps.Opened {
			return fmt.Errorf("module %s: a rate with cause %d, want 0 to %d", x.p.Top(), why, tblaps.Opened)
		}
		if len(x.rates) == 0 {
			return fmt.Errorf("module %s: a rate that nothing asked for", x.p.Top())
		}
		x.rates = append(x.rates[:0], x.rates[1:]...)
		x.answers = append(x.answers, transport.Answer{Conn: conn, Grants: true, Grant: x.grant(conn, float64(rate.Current)/tblaps.PerByte, tblaps.Cause(why))})
	}
	if !x.p.Loss {
		return nil
	}
	if n.acked.Read(out, &acked) {
		if len(x.acks) == 0 {
			return fmt.Errorf("module %s: an answer of the detector that nothing asked for", x.p.Top())
		}
		x.acks = append(x.acks[:0], x.acks[1:]...)
		if acked.Cause == tblaps.Skipped {
			x.losses = cycle + x.toAck
		}
	}
	if n.losses.Read(out, &l) {
		x.losses = cycle + x.toAck
		x.found = append(x.found, transport.Segment{Conn: int(l.Flow), Seq: uint32(l.Seq), Timer: l.Timeout})
	}
	if len(x.acks) > 0 || cycle < x.losses {
		x.unit.Keep(cycle)
	}
	return nil
}

// Answers implements transport.Clocked.
func (x *clockedHost) Answers(to fabric.Instant) (list []transport.Answer, err error) {
	err = x.unit.Run(to)
	list, x.answers = x.answers, nil
	return list, err
}

// Due implements transport.Clocked.
func (x *clockedHost) Due() (fabric.Instant, bool) {
	const never = ^uint64(0)
	next, cycle := uint64(never), x.unit.Cycle()
	if len(x.packets) > 0 { // it may have a probe sent
		next = x.packets[0].cycle + x.toPath
	}
	for _, list := range [][]uint64{x.rates, x.acks} {
		if len(list) > 0 {
			next = min(next, list[0])
		}
	}
	if cycle <= x.losses {
		next = min(next, cycle)
	}
	if cycle < x.looks {
		next = min(next, cycle+lookAt)
	}
	return clocked.At(max(next, cycle)), next != never
}

// Latency implements transport.Clocked, with the cycle in which a packet waits for the clock.
func (x *clockedHost) Latency() fabric.Instant { return clocked.At(x.toPath + 1) }

// Missing implements transport.Tracker.
func (x *clockedHost) Missing() (list []transport.Segment) {
	list, x.found = x.found, nil
	return list
}

// Close implements io.Closer.
func (x *clockedHost) Close() (err error) {
	if x.unit != nil {
		err = x.unit.Close()
	}
	return errors.Join(err, x.lib.Close())
}
