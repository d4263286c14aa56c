// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"fmt"
	"math/rand/v2"
)

// AllToAllV lets each of some hosts send packets to the others: packets for each of them on average, each one to another host drawn at
// random. Flows without packets are left out.
func AllToAllV(hosts []int, packets int, bytes uint64, rnd *rand.Rand) ([]Flow, error) {
	if len(hosts) < 2 || packets < 1 || bytes < 1 {
		return nil, fmt.Errorf("all-to-all-v: found %d hosts, %d packets of %d bytes, allowed: 2 or more, and 1 or more", len(hosts), packets, bytes)
	}
	var flows []Flow
	others := len(hosts) - 1
	for i, src := range hosts {
		count := make([]uint64, others)
		for range packets * others {
			count[rnd.IntN(others)]++
		}
		for k, n := range count {
			if n > 0 {
				flows = append(flows, Flow{Src: src, Dst: hosts[(i+1+k)%len(hosts)], Bytes: n * bytes})
			}
		}
	}
	return flows, nil
}

// Ring returns the flows of an AllReduce of bytes per host with the ring algorithm (Patarasuk and Yuan, "Bandwidth Optimal All-reduce
// Algorithms for Clusters of Workstations", JPDC 2009): in each of 2(n-1) steps a host sends an n-th of them to the next host, once
// it has received the previous host's part of the previous step.
func Ring(hosts []int, bytes uint64) ([]Flow, error) {
	n := len(hosts)
	if n < 2 || bytes < uint64(n) {
		return nil, fmt.Errorf("ring AllReduce: found %d hosts and %d bytes, allowed: 2 hosts or more, and a byte or more for each", n, bytes)
	}
	var flows []Flow
	for step := range 2 * (n - 1) {
		for i, src := range hosts {
			f := Flow{Src: src, Dst: hosts[(i+1)%n], Bytes: (bytes + uint64(n) - 1) / uint64(n)}
			if step > 0 {
				f.After = []int{(step-1)*n + (i+n-1)%n}
			}
			flows = append(flows, f)
		}
	}
	return flows, nil
}

// Butterfly returns the flows of an AllReduce of bytes per host with recursive halving and doubling (Thakur, Rabenseifner and Gropp,
// "Optimization of Collective Communication Operations in MPICH", IJHPCA 2005), for a power of two of hosts: a host exchanges with
// its partners at distances n/2, n/4, … 1 half of the bytes that it still has to reduce, and then, in reverse order, the results. A
// step begins when the host has its partner's part of the previous step.
func Butterfly(hosts []int, bytes uint64) ([]Flow, error) {
	n := len(hosts)
	if n < 2 || n&(n-1) != 0 || bytes < uint64(n) {
		return nil, fmt.Errorf("butterfly AllReduce: found %d hosts and %d bytes, allowed: a power of two of hosts from 2 on, and a byte or more for each", n, bytes)
	}
	var distances []int
	for d := n / 2; d > 0; d /= 2 {
		distances = append(distances, d)
	}
	for i := len(distances) - 1; i >= 0; i-- {
		distances = append(distances, distances[i])
	}
	var flows []Flow
	for step, d := range distances {
		part := uint64(n / d) // of the bytes
		for i, src := range hosts {
			f := Flow{Src: src, Dst: hosts[i^d], Bytes: (bytes + part - 1) / part}
			if step > 0 {
				f.After = []int{(step-1)*n + (i ^ distances[step-1])}
			}
			flows = append(flows, f)
		}
	}
	return flows, nil
}

// AllToAll makes each host send the given number of bytes to every other host, nearest numbers first, on a number of concurrent
// connections: the next one begins when the oldest of them is acknowledged.
func AllToAll(hosts []int, connections int, bytes uint64) ([]Flow, error) {
	n := len(hosts)
	if n < 2 || connections < 1 || bytes < 1 {
		return nil, fmt.Errorf("all-to-all: found %d hosts, %d connections at a time, %d bytes, allowed: 2 or more, 1 or more, 1 or more", n, connections, bytes)
	}
	var flows []Flow
	for k := range n - 1 {
		for i, src := range hosts {
			f := Flow{Src: src, Dst: hosts[(i+1+k)%n], Bytes: bytes}
			if k >= connections {
				f.After = []int{(k-connections)*n + i}
			}
			flows = append(flows, f)
		}
	}
	return flows, nil
}
