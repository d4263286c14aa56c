// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// unit is the unit that these figures need.
const unit = "plb"

// Test bed of PLB §5.1: two ToRs of 12 hosts and 4 uplinks, all of 40 Gb/s. The hosts of one ToR call the hosts of
// the other.
const (
	bedGbps    = 40
	bedHosts   = 12
	bedUplinks = 4
	bedHeaders = 110 // Ethernet with preamble and gap, IPv6, TCP with time stamps
	smallRPC   = 16_000
	largeRPC   = 1_000_000
	smallEach  = 10 // connections between two hosts: 1440 in all
	largeEach  = 1  // 144
	bedQueue   = 4 << 20
)

// lab has the runs of these figures.
type lab struct{ *papers.Lab }

const (
	payload = 4096      // bytes
	rate    = 400       // Gb/s, of all cables
	us      = 1_000_000 // ps
	ms      = 1000 * us
)

// bed is a run of the test bed without its seed.
type bed struct {
	setup, scheme string
	weights       []int  // of the client ToR's uplinks; nil: 1 each
	set           string // settings of PLB; empty: one path a connection
	think         [2]uint64
	rto           uint64 // ns
	stack         fabric.Instant
	mark          int64 // bytes in a queue from which on packets are marked
	fails         *cableFailure
	spans         []span // that are measured, in order; the last one ends the run
}

// span is a part of a run, in ps.
type span struct{ from, to uint64 }

// cableFailure is a cable to the server ToR that fails for a time.
type cableFailure struct {
	span
	back bool // its other way, too
}

// spent counts the events in a span.
type spent struct {
	small, large []float64 // times of RPCs that began in it, µs
	up           []float64 // shares of it that the client ToR's uplinks were busy
	repaths      repaths
}

// repaths are the changes of EVs by what came before.
type repaths struct {
	idle   uint64 // nothing was under way
	flying uint64
	loss   uint64 // a packet was lost
}

func (r *repaths) all() float64 { return float64(r.idle + r.flying + r.loss) }

// observed counts how a transport moves its connections.
type observed struct {
	transport.Transport
	spans []span
	spent []spent
	conns []seen
}

type seen struct {
	sent, flying, lost bool
	ev                 uint32
}

// Send implements transport.Transport.
func (o *observed) Send(conn int, now uint64) (transport.Choice, error) {
	was := o.asks(conn)
	c, err := o.Transport.Send(conn, now)
	o.sent(conn, now, was, c.EV)
	return c, err
}

// asks records a packet that asks for an EV, and returns the previous state of its connection.
func (o *observed) asks(conn int) seen {
	was := o.conns[conn]
	o.conns[conn].flying, o.conns[conn].lost = true, false
	return was
}

// sent notes the EV of a packet that asked for one.
func (o *observed) sent(conn int, now uint64, was seen, ev uint32) {
	if before := &o.conns[conn]; before.sent && before.ev != ev {
		for i, x := range o.spans {
			if now*1000 < x.from || now*1000 >= x.to {
				continue
			}
			switch r := &o.spent[i].repaths; {
			case was.lost:
				r.loss++
			case was.flying:
				r.flying++
			default:
				r.idle++
			}
		}
	}
	o.conns[conn].sent, o.conns[conn].ev = true, ev
}

// Ack implements transport.Transport.
func (o *observed) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	o.conns[conn].flying = a.First != a.Next
	return o.Transport.Ack(conn, a)
}

// Lost implements transport.Transport.
func (o *observed) Lost(conn int, l *transport.Loss) (transport.Grant, error) {
	o.conns[conn].lost = true
	return o.Transport.Lost(conn, l)
}

// observedClocked is the same of a transport with a clock, whose choices come later.
type observedClocked struct {
	observed
	by    transport.Clocked
	asked []askedFor
}

// askedFor is a packet without a choice.
type askedFor struct {
	now uint64
	was seen
}

// Ask implements transport.Clocked.
func (o *observedClocked) Ask(conn int, seq uint32, at fabric.Instant) error {
	o.asked = append(o.asked, askedFor{at.NS(), o.asks(conn)})
	return o.by.Ask(conn, seq, at)
}

// Answers implements transport.Clocked.
func (o *observedClocked) Answers(to fabric.Instant) ([]transport.Answer, error) {
	list, err := o.by.Answers(to)
	for i := range list {
		if a := &list[i]; !a.Grants {
			o.sent(a.Conn, o.asked[0].now, o.asked[0].was, a.Choice.EV)
			o.asked = append(o.asked[:0], o.asked[1:]...)
		}
	}
	return list, err
}

// Due implements transport.Clocked.
func (o *observedClocked) Due() (fabric.Instant, bool) { return o.by.Due() }

// Latency implements transport.Clocked.
func (o *observedClocked) Latency() fabric.Instant { return o.by.Latency() }

// Close implements io.Closer.
func (o *observed) Close() error {
	if c, ok := o.Transport.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// bed runs a run.
func (l lab) bed(ctx context.Context, b *bed, seed uint64) (*transport.Result, []spent, error) {
	shape := topo.Shape{Tiers: 2, Leaves: 2, Hosts: bedHosts, Spines: bedUplinks,
		Host: fabric.Link{Gbps: bedGbps, Delay: b.stack}, Fabric: fabric.Link{Gbps: bedGbps, Delay: us},
		Queue: fabric.Queueing{Bytes: bedQueue, Marking: fabric.Marking{Min: b.mark, Max: b.mark}}}
	tree, err := topo.New(&shape, seed)
	if err != nil {
		return nil, nil, err
	}
	up := tree.Leaves[0].Up
	if b.weights != nil {
		if err := tree.Leaves[0].Weigh(b.weights); err != nil {
			return nil, nil, err
		}
	}
	if x := b.fails; x != nil {
		cable := []*fabric.Port{tree.Spines[0].Down[1]}
		if x.back {
			cable = append(cable, cable[0].Peer())
		}
		for _, p := range cable {
			tree.At(fabric.Instant(x.from), p.Fail)
			tree.At(fabric.Instant(x.to), p.Repair)
		}
	}
	until := b.spans[len(b.spans)-1].to
	rnd := rand.New(rand.NewPCG(seed, 3))
	small, err := workload.RPCs(bedHosts, smallEach, smallRPC, b.think[0], until, rnd)
	if err != nil {
		return nil, nil, err
	}
	large, err := workload.RPCs(bedHosts, largeEach, largeRPC, b.think[1], until, rnd)
	if err != nil {
		return nil, nil, err
	}
	out := make([]spent, len(b.spans))
	for i, x := range b.spans {
		before := make([]uint64, len(up))
		tree.At(fabric.Instant(x.from), func() {
			for k, p := range up {
				before[k] = p.Bytes
			}
		})
		tree.At(fabric.Instant(x.to), func() {
			for k, p := range up {
				out[i].up = append(out[i].up, 8000*float64(p.Bytes-before[k])/float64(x.to-x.from)/bedGbps)
			}
		})
	}
	var maker func(h *transport.Host) (transport.Transport, error)
	if b.set != "" {
		if maker, err = l.Hosts(ctx, unit, 0); err != nil {
			return nil, nil, err
		}
	}
	const mtu = payload + bedHeaders
	hosts := transport.Settings{Payload: payload, Headers: bedHeaders, RTO: b.rto, Deadline: until/1000 + 10_000_000_000}
	res, err := transport.Run(ctx, tree, slices.Concat(small, large), &hosts, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Gbps: bedGbps, Seed: seed<<20 | uint64(host), RTO: b.rto, Settings: b.set,
			Window: func() transport.Window {
				return &transport.WindowDCTCP{MTU: mtu, First: 10 * mtu, Most: 256 * mtu, Least: 2 * mtu, Gain: 1. / 16}
			}}
		if maker == nil {
			return transport.Join(h.Window(), transport.ECMP(h)), nil
		}
		by, err := maker(h)
		o := observed{Transport: by, spans: b.spans, spent: out, conns: make([]seen, conns)}
		if c, ok := by.(transport.Clocked); ok {
			return &observedClocked{observed: o, by: c}, err
		}
		return &o, err
	})
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s, %s, seed %d: %w", b.setup, b.scheme, seed, err)
	}
	for i, x := range b.spans {
		out[i].small, out[i].large = latencies(res.Flows[:len(small)], x), latencies(res.Flows[len(small):], x)
	}
	return res, out, nil
}

// latencies returns the latencies of calls that begin in a span, in µs.
func latencies(flows []transport.Done, x span) (all []float64) {
	for i := range flows {
		for _, c := range flows[i].Calls {
			if uint64(c.Start) >= x.from && uint64(c.Start) < x.to {
				all = append(all, float64(c.Acked-c.Start)/1e6)
			}
		}
	}
	return all
}
