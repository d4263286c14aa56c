// SPDX-License-Identifier: Apache-2.0

// Package rail has the closed loops of nicgen sim for transports that spray the packets of a flow over routes of unequal length: LAPS'
// Rail network, in which cables lose packets, fail and are repaired. The network is a topo.Mesh, and the hosts come from package
// transport.
//
// A run depends only on its scenario, its settings and the transports in its hosts.
package rail

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

const ps = 1000 // in a ns

type instant = fabric.Instant

// Run simulates a scenario. make makes the transport of a host, which is under test or not. progress, which may be nil, is
// called now and then with the ns simulated and their total. When the context ends, the run returns its error.
func Run(ctx context.Context, sc *Scenario, s *Settings, make func(h *transport.Host, underTest bool) (transport.Transport, error), progress func(done, total uint64)) (*Result, error) {
	wrong := func(err error) (*Result, error) { return nil, fmt.Errorf("scenario %s: %w", sc.Name, err) }
	if err := sc.Check(); err != nil {
		return wrong(err)
	}
	if err := s.Check(); err != nil {
		return wrong(err)
	}
	mesh, err := topo.Rail(clusters, gpus, &sc.Cables, sc.Seed)
	if err == nil {
		err = sc.fail(mesh)
	}
	if err != nil {
		return wrong(err)
	}
	m := newMeter(sc, mesh)
	mesh.Tell(instant(sc.End)*ps, progress)
	flows := sc.workload()
	own := map[int][]int{} // flows of a host, by connection
	for i, f := range flows {
		own[f.Src] = append(own[f.Src], i)
	}
	hosts := transport.Settings{Payload: int(sc.Segment), RTO: sc.End, Deadline: sc.End, Until: sc.End}
	_, err = transport.Run(ctx, mesh, flows, &hosts, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Gbps: sc.Cables.Host.Gbps, Seed: rand.New(rand.NewPCG(s.Seed, uint64(host))).Uint64(), RTO: hosts.RTO, Settings: s.Words(),
			Paths: func(dst int) []transport.Path { return mesh.Paths(host, dst, int32(sc.Segment)) }}
		for _, i := range own[host] {
			h.Peers = append(h.Peers, flows[i].Dst)
		}
		t, err := make(h, sc.underTest(host))
		if err != nil {
			return nil, err
		}
		by, ok := t.(transport.Tracker)
		if !ok {
			return nil, errors.Join(fmt.Errorf("found %T, allowed: a transport that chooses routes and finds losses", t), transport.Close(t))
		}
		if !sc.underTest(host) {
			return t, nil
		}
		return &watched{by, m, mesh.Network, own[host]}, nil
	})
	if err == nil {
		err = mesh.Check()
	}
	if err != nil {
		return wrong(err)
	}
	m.advance(instant(sc.End) * ps)
	return m.result(), nil
}

// fail plans the faults of cables.
func (sc *Scenario) fail(m *topo.Mesh) error {
	for i, f := range sc.Faults {
		p := m.Cable(f.From, f.To)
		if p == nil {
			return fmt.Errorf("fault %d: found from %q to %q, allowed: two switches with a cable", i, f.From, f.To)
		}
		p.SetLoss(f.Loss)
		if f.Fails == f.Repaired {
			continue
		}
		for _, end := range []*fabric.Port{p, p.Peer()} {
			m.At(instant(f.Fails)*ps, end.Fail)
			m.At(instant(f.Repaired)*ps, end.Repair)
		}
	}
	return nil
}

// workload is the flows as hosts send them.
func (sc *Scenario) workload() []workload.Flow {
	rnd := rand.New(rand.NewPCG(sc.Seed, 2))
	var flows []workload.Flow
	for _, f := range sc.Flows {
		w := workload.Flow{Src: f.Src, Dst: f.Dst, Start: f.Start * ps}
		if f.Gbps == 0 {
			w.Stop = f.Stop * ps
			// More than the sender's cable carries until it stops, so that there always is something to send.
			w.Bytes = uint64(float64(f.Stop-f.Start)*sc.Cables.Host.Gbps/8) + 2*sc.Segment
		} else {
			w.Bytes = sc.Message * sc.Segment
			mean := float64(8*w.Bytes) / f.Gbps * ps
			w.Loop = &workload.Loop{Think: uint64(mean), Until: f.Stop * ps, Seed: rnd.Uint64(), Open: true}
			w.Start += uint64(rnd.ExpFloat64() * mean)
		}
		flows = append(flows, w)
	}
	return flows
}

// watched is a transport under test.
type watched struct {
	transport.Tracker
	meter *meter
	net   *fabric.Network
	flows []int // by connection
}

func (w *watched) note(conn int, g transport.Grant, err error) (transport.Grant, error) {
	if err == nil {
		w.meter.granted(w.flows[conn], g.Rate, w.net.Now())
	}
	return g, err
}

// Open implements transport.Transport.
func (w *watched) Open(conn int, now uint64) (transport.Grant, error) {
	g, err := w.Tracker.Open(conn, now)
	return w.note(conn, g, err)
}

// Segment implements transport.Tracker.
func (w *watched) Segment(conn int, seq uint32, now uint64) (transport.Choice, error) {
	c, err := w.Tracker.Segment(conn, seq, now)
	if err == nil {
		w.meter.sent(w.flows[conn], seq, c.EV, w.net.Now())
		if c.Probe {
			w.meter.probed(w.flows[conn], c.On, w.net.Now())
		}
	}
	return c, err
}

// Ack implements transport.Transport.
func (w *watched) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	w.meter.res.Acks++
	w.meter.measured(w.flows[conn], a, w.net.Now())
	g, err := w.Tracker.Ack(conn, a)
	return w.note(conn, g, err)
}

// Answer implements transport.Tracker.
func (w *watched) Answer(conn int, a *transport.Ack) error {
	w.meter.res.Answers++
	w.meter.measured(w.flows[conn], a, w.net.Now())
	return w.Tracker.Answer(conn, a)
}

// Lost implements transport.Transport.
func (w *watched) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	g, err := w.Tracker.Lost(conn, l)
	return w.note(conn, g, err)
}

// Missing implements transport.Tracker.
func (w *watched) Missing() []transport.Segment {
	list := w.Tracker.Missing()
	for _, s := range list {
		w.meter.found(w.flows[s.Conn], s, w.net.Now())
	}
	return list
}

// Close implements io.Closer.
func (w *watched) Close() error { return transport.Close(w.Tracker) }
