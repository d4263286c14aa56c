// SPDX-License-Identifier: Apache-2.0

// Package workload makes the flows of a network: who sends how much to whom, and when it
// begins.
package workload

import (
	"fmt"
	"math/rand/v2"
)

// Flow is a message from a host to another.
type Flow struct {
	Src   int    `json:"src"`
	Dst   int    `json:"dst"`
	Bytes uint64 `json:"bytes"`
	Start uint64 `json:"start_ps"`
}

// Tornado lets each of a tree's hosts send to its twin in the other half, from the first host on, as many of
// them as there are senders.
func Tornado(hosts, senders int, bytes uint64) ([]Flow, error) {
	if hosts < 2 || hosts%2 != 0 || senders < 1 || senders > hosts {
		return nil, fmt.Errorf("tornado: found %d senders of %d hosts, allowed: an even number of hosts, and 1 sender to all", senders, hosts)
	}
	flows := make([]Flow, senders)
	for i := range flows {
		flows[i] = Flow{Src: i, Dst: (i + hosts/2) % hosts, Bytes: bytes}
	}
	return flows, nil
}

// Permutation lets each host send to one other host, and receive from one: a random cycle.
func Permutation(hosts int, bytes uint64, rnd *rand.Rand) ([]Flow, error) {
	if hosts < 2 {
		return nil, fmt.Errorf("permutation: found %d hosts, allowed: 2 or more", hosts)
	}
	order := rnd.Perm(hosts)
	flows := make([]Flow, hosts)
	for i, h := range order {
		flows[h] = Flow{Src: h, Dst: order[(i+1)%hosts], Bytes: bytes}
	}
	return flows, nil
}

// Incast lets other hosts send to one, the next ones in order.
func Incast(hosts, to, senders int, bytes uint64) ([]Flow, error) {
	if to < 0 || to >= hosts || senders < 1 || senders >= hosts {
		return nil, fmt.Errorf("incast: found %d senders to host %d of %d, allowed: a host, and fewer senders than hosts", senders, to, hosts)
	}
	flows := make([]Flow, senders)
	for i := range flows {
		flows[i] = Flow{Src: (to + 1 + i) % hosts, Dst: to, Bytes: bytes}
	}
	return flows, nil
}

// Spread lets flows begin at random within a time in ps.
func Spread(flows []Flow, within uint64, rnd *rand.Rand) {
	for i := range flows {
		flows[i].Start += rnd.Uint64N(max(1, within))
	}
}
