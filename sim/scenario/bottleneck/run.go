// SPDX-License-Identifier: Apache-2.0

// Package bottleneck has the closed loops of nicgen sim for transports with windows: senders with a host each, one switch, and a
// receiver behind a cable that they share. The network is a topo.Tree of one switch, and the hosts come from package transport.
//
// A run depends only on its scenario, its settings and the transports in its hosts.
package bottleneck

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

const ps = 1000 // in a ns

// Run simulates a scenario. make makes the transport of a host by a Maker, with the settings in words. progress, which may be nil, is
// called now and then with the ns simulated and their total. When the context ends, the run returns its error.
func Run(ctx context.Context, sc *Scenario, words string, make func(h *transport.Host) (transport.Transport, error), progress func(done, total uint64)) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	tree, err := sc.network()
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	m := newMeter(sc)
	to := len(sc.Flows)
	tree.Hosts[to].Peer().Watch = m
	var flows []workload.Flow
	for i, f := range sc.Flows {
		start := f.Start + f.Jitter
		// More than the sender's cable carries until it stops, so that there always is something to send.
		bytes := uint64(float64(min(f.Stop, sc.End)-min(start, sc.End))*sc.Gbps/8) + 2*sc.Segment
		flows = append(flows, workload.Flow{Src: i, Dst: to, Bytes: bytes, Start: start * ps, Stop: f.Stop * ps})
	}
	tree.Tell(instant(sc.End)*ps, progress)
	set := transport.Settings{Payload: int(sc.Segment), RTO: sc.End, Deadline: sc.End, Until: sc.End, Telemetry: true}
	rtt := tree.RoundTrip(0, to, int32(sc.Segment), fabric.HeaderSize)
	_, err = transport.Run(ctx, tree, flows, &set, func(host, conns int) (transport.Transport, error) {
		t, err := make(&transport.Host{Number: host, Connections: conns, Peers: []int{to}, Gbps: sc.Gbps, BaseRTT: rtt.NS(), RTO: set.RTO, Settings: words})
		if err != nil {
			return nil, err
		}
		switch t.(type) {
		case transport.Clocked, transport.Tracker:
			return nil, errors.Join(fmt.Errorf("found %T, allowed: a transport without a clock or routes of its own", t), transport.Close(t))
		}
		return &watched{t, m, tree.Network, host}, nil
	})
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	m.advance(instant(sc.End) * ps)
	return m.result(), nil
}

type instant = fabric.Instant

// network is the switch with a host for each flow, and the receiver.
func (sc *Scenario) network() (*topo.Tree, error) {
	return topo.New(&topo.Shape{Tiers: 1, Hosts: len(sc.Flows) + 1, Host: fabric.Link{Gbps: sc.Gbps, Delay: sc.Delay}}, 1)
}

// watched is a transport whose windows are measured.
type watched struct {
	transport.Transport
	meter *meter
	net   *fabric.Network
	flow  int
}

func (w *watched) note(g transport.Grant, err error) (transport.Grant, error) {
	if err == nil {
		w.meter.granted(w.net.Now(), w.flow, g)
	}
	return g, err
}

// Open implements transport.Transport.
func (w *watched) Open(conn int, now uint64) (transport.Grant, error) {
	return w.note(w.Transport.Open(conn, now))
}

// Ack implements transport.Transport.
func (w *watched) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	w.meter.res.Acks++
	return w.note(w.Transport.Ack(conn, a))
}

// Lost implements transport.Transport.
func (w *watched) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	return w.note(w.Transport.Lost(conn, l))
}

// Close implements io.Closer.
func (w *watched) Close() error { return transport.Close(w.Transport) }
