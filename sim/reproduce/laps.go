// SPDX-License-Identifier: Apache-2.0

package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

const unitLAPS = "laps"

// meshRun is a simulated run in a network whose sources choose routes, but for its seed.
type meshRun struct {
	setup, scheme string
	cables        topo.Cables
	dragonfly     bool // else Rail
	loss          float64
	hosts         transport.Settings
	flows         []workload.Flow
	set           string                                                  // settings of LAPS
	by            func(h *transport.Host, r *meshRun) transport.Transport // nil: LAPS
	bdp           float64
}

const (
	lapsPayload = 1000 // bytes, as in the authors' files
	lapsHeaders = 48
	queueMargin = 5 // packets at each switch that baseVal includes, §III-F
	linkDelay   = us
)

// network makes the network.
func (r *meshRun) network(seed uint64) (*topo.Mesh, error) {
	if r.dragonfly {
		return topo.Dragonfly(9, 4, 4, &r.cables, seed)
	}
	return topo.Rail(8, 8, &r.cables, seed)
}

// mesh runs a run.
func (l *Lab) mesh(ctx context.Context, r *meshRun, seed uint64) (*transport.Result, *topo.Mesh, error) {
	m, err := r.network(seed)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range m.Ports() {
		p.SetLoss(r.loss)
	}
	mtu := int32(r.hosts.Payload + r.hosts.Headers)
	peers := make([][]int, len(m.Hosts))
	for _, f := range r.flows {
		peers[f.Src] = append(peers[f.Src], f.Dst)
	}
	var maker transport.Maker
	if r.by == nil {
		if maker, err = l.Unit(unitLAPS); err != nil {
			return nil, nil, err
		}
	}
	res, err := transport.Run(ctx, m, r.flows, &r.hosts, func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Peers: peers[host], Gbps: r.cables.Host.Gbps, Seed: seed<<20 | uint64(host),
			RTO: r.hosts.RTO, Settings: r.set, Paths: func(dst int) (list []transport.Path) {
				ways, routes := m.Ways(host, dst), m.Routes(host, dst)
				for i := range routes {
					p := transport.Path{Cables: len(routes[i].Ports), Base: topo.Empty(&routes[i], mtu, queueMargin).NS()}
					// An anchor tells it from the others: the node in its middle.
					p.Anchors = []uint32{uint32(ways[i][len(ways[i])/2])}
					list = append(list, p)
				}
				return list
			}}
		if maker != nil {
			return maker(ctx, l.Model, h)
		}
		return r.by(h, r), nil
	})
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s, %s, seed %d: %w", r.setup, r.scheme, seed, err)
	}
	return res, m, nil
}

// times are the completion times of flows in ms: the mean and the 99th percentile.
func times(res *transport.Result) (mean, p99 float64) {
	var all []float64
	for i := range res.Flows {
		f := &res.Flows[i]
		all = append(all, float64(f.Received-fabric.Instant(f.Flow.Start))/1e9)
		mean += all[i] / float64(len(res.Flows))
	}
	slices.SortFunc(all, cmp.Compare)
	return mean, all[max(0, int(math.Ceil(0.99*float64(len(all))))-1)]
}
