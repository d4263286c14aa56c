// SPDX-License-Identifier: Apache-2.0

package reproduce

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// unitPLB is the unit that these figures need.
const unitPLB = "plb"

// Test bed of PLB §5.1: two ToRs of 12 hosts and 4 uplinks, all of 40 Gb/s. The hosts of one call those of the other.
const (
	bedGbps    = 40
	bedHosts   = 12
	bedUplinks = 4
	bedHeaders = 110 // Ethernet with preamble and gap, IPv6, TCP with time stamps
	smallRPC   = 16_000
	largeRPC   = 1_000_000
	smallEach  = 10 // connections between two hosts: 1440 in all
	largeEach  = 1  // 144
)

const ms = 1_000_000_000 // ps

// bed is a run of the test bed, but for its seed.
type bed struct {
	setup, scheme string
	weights       []int // of the client ToR's uplinks
	set           string
	think         [2]uint64 // mean times between RPCs of a connection, small and large, ps
	warm, until   uint64    // what begins between these counts, ps
	rto           uint64    // ns
	stack         fabric.Instant
	mark          int64
	fails         *cableFailure
}

// cableFailure is a cable to the server ToR that fails for a time, in ps.
type cableFailure struct {
	from, to fabric.Instant
	both     bool // also the way back
}

// bedRun is what came out.
type bedRun struct {
	small, large []float64 // µs, sorted
	repaths      repaths
	up           []float64 // share of time that each uplink was busy
	*transport.Result
}

// repaths are the changes of EVs by what came before.
type repaths struct {
	first        uint64 // of a connection
	idle, flying uint64 // with nothing under way, and with something
	loss         uint64
}

// observed counts how a transport moves its connections.
type observed struct {
	transport.Transport
	*repaths
	from, to uint64 // ns
	conns    []seen
}

type seen struct {
	sent, flying, lost bool
	ev                 uint32
}

// Send implements transport.Transport.
func (o *observed) Send(conn int, now uint64) (transport.Choice, error) {
	c, err := o.Transport.Send(conn, now)
	s := &o.conns[conn]
	if now >= o.from && now < o.to {
		switch {
		case !s.sent:
			o.first++
		case s.ev == c.EV:
		case s.lost:
			o.loss++
		case s.flying:
			o.repaths.flying++
		default:
			o.idle++
		}
	}
	*s = seen{sent: true, flying: true, ev: c.EV}
	return c, err
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

// Close implements io.Closer.
func (o *observed) Close() error {
	if c, ok := o.Transport.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// bed runs a run.
func (l *Lab) bed(ctx context.Context, b *bed, seed uint64) (*bedRun, error) {
	shape := topo.Shape{Tiers: 2, Leaves: 2, Hosts: bedHosts, Spines: bedUplinks,
		Host: fabric.Link{Gbps: bedGbps, Delay: b.stack}, Fabric: fabric.Link{Gbps: bedGbps, Delay: us},
		Queue: fabric.Queueing{Bytes: 4 << 20, Marking: fabric.Marking{Min: b.mark, Max: b.mark}}}
	tree, err := topo.New(&shape, seed)
	if err != nil {
		return nil, err
	}
	up := tree.Leaves[0].Up
	if b.weights != nil {
		if err := tree.Leaves[0].Weigh(b.weights); err != nil {
			return nil, err
		}
	}
	rnd := rand.New(rand.NewPCG(seed, 3))
	small, err := workload.RPCs(bedHosts, smallEach, smallRPC, b.think[0], b.until, rnd)
	if err != nil {
		return nil, err
	}
	large, err := workload.RPCs(bedHosts, largeEach, largeRPC, b.think[1], b.until, rnd)
	if err != nil {
		return nil, err
	}
	if x := b.fails; x != nil {
		cable := []*fabric.Port{tree.Spines[0].Down[1]}
		if x.both {
			cable = append(cable, cable[0].Peer())
		}
		for _, p := range cable {
			tree.At(x.from, p.Fail)
			tree.At(x.to, p.Repair)
		}
	}
	r := &bedRun{}
	bytes := make([]uint64, len(up))
	tree.At(fabric.Instant(b.warm), func() {
		for i, p := range up {
			bytes[i] = p.Bytes
		}
	})
	tree.At(fabric.Instant(b.until), func() {
		for i, p := range up {
			r.up = append(r.up, 8000*float64(p.Bytes-bytes[i])/float64(b.until-b.warm)/bedGbps)
		}
	})
	const mtu = payload + bedHeaders
	hosts := transport.Settings{Payload: payload, Headers: bedHeaders, RTO: b.rto, Deadline: b.until/1000 + 10_000_000_000}
	var maker transport.Maker
	if b.set != "" {
		if maker, err = l.Unit(unitPLB); err != nil {
			return nil, err
		}
	}
	res, err := transport.Run(ctx, tree, slices.Concat(small, large), &hosts, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Gbps: bedGbps, Seed: seed<<20 | uint64(host), RTO: b.rto, Settings: b.set,
			Window: func() transport.Window {
				return &transport.WindowDCTCP{MTU: mtu, First: 10 * mtu, Most: 256 * mtu, Least: 2 * mtu, Gain: 1. / 16}
			}}
		o := &observed{repaths: &r.repaths, from: b.warm / 1000, to: b.until / 1000, conns: make([]seen, conns)}
		if maker == nil {
			o.Transport = transport.Join(h.Window(), transport.ECMP(h))
			return o, nil
		}
		o.Transport, err = maker(ctx, l.Model, h)
		return o, err
	})
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s, seed %d: %w", b.setup, b.scheme, seed, err)
	}
	r.Result = res
	r.small, r.large = latencies(res.Flows[:len(small)], b.warm, b.until), latencies(res.Flows[len(small):], b.warm, b.until)
	return r, nil
}

// latencies are those of calls that begin within a time, in µs, sorted.
func latencies(flows []transport.Done, from, to uint64) (all []float64) {
	for i := range flows {
		for _, c := range flows[i].Calls {
			if uint64(c.Start) >= from && uint64(c.Start) < to {
				all = append(all, float64(c.Acked-c.Start)/1e6)
			}
		}
	}
	slices.Sort(all)
	return all
}

// percentile is that of sorted numbers.
func percentile(sorted []float64, p float64) float64 {
	return sorted[max(0, int(math.Ceil(p/100*float64(len(sorted))))-1)]
}
