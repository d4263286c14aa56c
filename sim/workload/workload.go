// SPDX-License-Identifier: Apache-2.0

// Package workload makes the flows of a network: source, destination, size and start of
// each flow.
package workload

import (
	"fmt"
	"math/rand/v2"
)

// Flow is a message from a host to another, or with a Loop a connection for many of them.
type Flow struct {
	Src   int    `json:"src"`
	Dst   int    `json:"dst"`
	Bytes uint64 `json:"bytes"` // of a message
	Start uint64 `json:"start_ps"`
	Stop  uint64 `json:"stop_ps,omitempty"` // from then on nothing is sent for the first time; 0: never
	Loop  *Loop  `json:"loop,omitempty"`
	// After are flows of lower numbers: this one begins Start after its source has the last byte of those that end there, and the
	// last acknowledgement of those that begin there.
	After []int `json:"after,omitempty"`
}

// Loop is messages at random times on one connection: when a message is acknowledged, its sender thinks for a random time, exponentially
// distributed, and then sends the next one. The loop is closed, or Open: then that time counts from the message's beginning, and
// messages wait behind each other.
type Loop struct {
	Think uint64 `json:"think_ps"` // mean
	Until uint64 `json:"until_ps"` // no message begins later
	Seed  uint64 `json:"seed"`     // of this connection's times
	Open  bool   `json:"open,omitempty"`
}

// Gaps returns the times of a loop in ps, one a call.
func (l *Loop) Gaps() func() uint64 {
	rnd := rand.New(rand.NewPCG(l.Seed, 0x6c6f6f70))
	return func() uint64 { return uint64(rnd.ExpFloat64() * float64(l.Think)) }
}

// RPCs lets each of some clients, the hosts from 0 on, call each of as many servers, the hosts behind them, on a number of connections
// each: closed loops, whose first calls come after a time to think, too.
func RPCs(clients, each int, bytes uint64, think, until uint64, rnd *rand.Rand) ([]Flow, error) {
	if clients < 1 || each < 1 || bytes < 1 {
		return nil, fmt.Errorf("RPCs: found %d clients, %d connections, %d bytes, allowed: 1 or more of each", clients, each, bytes)
	}
	var flows []Flow
	for src := range clients {
		for dst := range clients {
			for range each {
				f := Flow{Src: src, Dst: clients + dst, Bytes: bytes, Loop: &Loop{Think: think, Until: until, Seed: rnd.Uint64()}}
				f.Start = uint64(rnd.ExpFloat64() * float64(think))
				flows = append(flows, f)
			}
		}
	}
	return flows, nil
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
