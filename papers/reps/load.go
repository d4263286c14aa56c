// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"fmt"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/workload"
)

// hopsOfPacket is the number of ports that a packet and its acknowledgement leave between two leaves of a two-tier tree.
const hopsOfPacket = 8

// Load is a run for measurements of speed: every host of a two-tier fat tree, with equal numbers of leaves, spines and
// hosts per leaf, sends to another one, and REPS chooses paths in all of them. Links are as in the REPS paper.
type Load struct {
	Side int    // leaves, spines, and hosts of a leaf: Side² hosts
	Hops uint64 // packet-hops of the run, at least
}

// Carried counts the traffic of a Load.
type Carried struct {
	Hosts   int     `json:"hosts"`
	Packets uint64  `json:"packets"` // with payload
	Hops    uint64  `json:"packet_hops"`
	Last    float64 `json:"completion_us"` // simulated

	Flows []workload.Flow `json:"-"`
}

// Check returns an error for a load that cannot be run.
func (x *Load) Check() error {
	const most = 64
	if x.Side < 2 || x.Side > most {
		return fmt.Errorf("hosts: found %d, allowed: squares from 4 to %d", x.Side*x.Side, most*most)
	}
	if x.Hops < 1 || x.Hops > 1e12 {
		return fmt.Errorf("packet-hops: found %d, allowed: 1 to 10^12", x.Hops)
	}
	return nil
}

// Carry runs a load.
func (x *Load) Carry(ctx context.Context, with *papers.Lab) (*Carried, error) {
	if err := x.Check(); err != nil {
		return nil, err
	}
	hosts := uint64(x.Side * x.Side)
	packets := (x.Hops + hopsOfPacket*hosts - 1) / (hopsOfPacket * hosts)
	// Some hosts are of the same leaf, and their packets have half as many hops.
	packets += (packets + uint64(x.Side) - 1) / uint64(x.Side)
	t := setup(text, topo.Shape{Tiers: 2, Leaves: x.Side, Hosts: x.Side, Spines: x.Side})
	t.hosts.Deadline = 1e13
	t.flows = permutation(packets * payload)
	r, err := lab{with}.run(ctx, t.reps("REPS", ""), with.Seed)
	if err != nil {
		return nil, err
	}
	c := &Carried{Hosts: int(hosts), Packets: r.Packets, Hops: r.Counts.Hops, Last: r.Last()}
	for i := range r.Flows {
		c.Flows = append(c.Flows, r.Flows[i].Flow)
	}
	return c, nil
}
