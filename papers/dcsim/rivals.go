// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"context"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// rival is one of those that DCSIM is compared with.
type rival struct {
	name   string
	claims bool // of the paper
	whole  bool // with all cores too
	ranked bool // queues
	run    func(ctx context.Context, t *topo.Tree, flows []workload.Flow, seed uint64) (*transport.EndpointResult, error)
}

const (
	baselineDeadline = 50_000_000 // ns, as DCSIM's
	threeRTT         = 3 * dcsimRTT
)

// pHost returns pHost as a rival, with the number of a flow's free tokens and the time in ns until
// lost packets get new tokens.
func pHost(name string, claims, whole bool, free int, again uint64) rival {
	return rival{name, claims, whole, false, func(ctx context.Context, t *topo.Tree, flows []workload.Flow, seed uint64) (*transport.EndpointResult, error) {
		return transport.RunPHost(ctx, t, flows, &transport.PHost{PacketBytes: jumbo, ControlBytes: dcsimProbe, Free: free, Expiry: 1.5, Window: dcsimBDP, Pause: threeRTT,
			Again: again, Seed: seed, Deadline: baselineDeadline})
	}}
}

// pFabric is with an RTO in ns.
func pFabric(name string, claims, whole bool, rto uint64) rival {
	return rival{name, claims, whole, true, func(ctx context.Context, t *topo.Tree, flows []workload.Flow, seed uint64) (*transport.EndpointResult, error) {
		return transport.RunPFabric(ctx, t, flows, &transport.PFabric{PacketBytes: jumbo, ControlBytes: dcsimProbe, Window: dcsimBDP, RTO: rto, Timeouts: 5, Seed: seed, Deadline: baselineDeadline})
	}}
}

// rivals are the compared schemes; those without claims are alternatives that could have
// been chosen.
var rivals = []rival{
	pHost("pHost", true, true, dcsimBDP, threeRTT),
	pHost("pHost without free tokens", false, true, 0, threeRTT),
	pHost("pHost, tokens again after 1 RTT", false, false, dcsimBDP, dcsimRTT),
	pFabric("pFabric", true, true, threeRTT),
	pFabric("pFabric, RTO of 1.5 RTT", false, false, threeRTT/2),
}

// rivals runs them where DCSIM ran, and compares.
func (l lab) rivals(ctx context.Context, o *papers.Outcome, c *collectives, dcsim []*dcsimRan) error {
	for _, s := range rivals {
		for _, whole := range []bool{false, true} {
			if whole && !s.whole {
				continue
			}
			setup := c.setup + ", " + s.name
			change := c.change
			if whole {
				setup, change = "all cores, "+s.name, nil
			}
			var list []*dcsimRan
			for i := range dcsim {
				r, err := runRival(ctx, c, &s, change, l.Seed+uint64(i))
				if err != nil {
					return fmt.Errorf("%s: %w", setup, err)
				}
				list = append(list, r)
			}
			dcsimRow(o, setup, list)
			if s.claims && !whole {
				o.Claim(c.setup, "CCT of DCSIM, of that of "+s.name, papers.About, 45, 5, "%", 100*meanCCT(dcsim)/meanCCT(list))
				o.Claim(c.setup, "packets lost, "+s.name, papers.AtLeast, 10, 0, "%", lossOf(list))
			}
		}
	}
	return nil
}

// runRival is a run in the network of a run with DCSIM, with its flows.
func runRival(ctx context.Context, c *collectives, s *rival, change func(*topo.Tree, fabric.Instant), seed uint64) (*dcsimRan, error) {
	shape := c.shape()
	// A host has no units in it, and control packets have the highest priority, no bound and no bucket.
	shape.Host.Delay = shape.Fabric.Delay
	data := shape.Queue.Packets[classDATA]
	shape.Queue = fabric.Queueing{Packets: [fabric.Classes]int{fabric.Bulk: data, classDATA: data}, Ranked: s.ranked}
	tree, groups, err := c.open(&shape, seed)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(tree, 0)
	}
	flows := slices.Concat(groups...)
	res, err := s.run(ctx, tree, flows, seed)
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, err
	}
	return ranOf(tree, groups, res), nil
}
