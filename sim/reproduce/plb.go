// SPDX-License-Identifier: Apache-2.0

package reproduce

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
)

// plb are the figures of Qureshi et al., "PLB: Congestion Signals are Simple and Effective for Network Load Balancing", SIGCOMM 2022.
var plb = []Figure{
	{"plb-2.3", "How many of 32 flows a hash gives to each of 8 uplinks", "PLB §2.3", nil, plb23},
}

// plb23 lets a leaf's hash place flows with random ports and labels, again and again.
func plb23(_ context.Context, l *Lab, o *Outcome) error {
	const flows, uplinks, trials = 32, 8, 20_000
	t, err := topo.New(&topo.Shape{Tiers: 2, Leaves: 2, Hosts: flows, Spines: uplinks, Host: fabric.Link{Gbps: rate}, Fabric: fabric.Link{Gbps: rate}}, l.Seed)
	if err != nil {
		return err
	}
	number := map[*fabric.Port]int{}
	for i, p := range t.Leaves[0].Up {
		number[p] = i
	}
	rnd := rand.New(rand.NewPCG(l.Seed, 3))
	var links [flows + 1]int // with so many flows
	p := &fabric.Packet{}
	for range trials {
		var load [uplinks]int
		for f := range flows {
			p.Src, p.Dst = int32(f), int32(flows+f)
			p.SetEV(rnd.Uint32())
			load[number[t.Leaves[0].Route(p)]]++
		}
		for _, n := range load {
			links[n]++
		}
	}
	o.Head = []string{"flows on an uplink", "uplinks, %"}
	var few, many float64
	for n, k := range links {
		share := 100 * float64(k) / (trials * uplinks)
		switch {
		case n <= 2:
			few += share
		case n >= 6:
			many += share
		}
		if n <= 12 {
			o.Rows = append(o.Rows, []string{fmt.Sprint(n), fmt.Sprintf("%.2f", share)})
		}
	}
	o.claim("8 uplinks, 32 flows", "uplinks with 2 flows or fewer", About, 20, 2, "%", few)
	o.claim("8 uplinks, 32 flows", "uplinks with 6 flows or more", About, 20, 2, "%", many)
	return nil
}
