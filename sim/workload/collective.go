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
