// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Size is a point of a distribution of message sizes: so many bytes or less, with a chance of that.
type Size struct {
	Bytes  float64
	Chance float64
}

// Sizes is a distribution of message sizes: between two points the chance grows evenly. The first has chance 0, the last 1.
type Sizes []Size

// Storage is Alibaba's cloud storage of 2019, published with HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019).
var Storage = Sizes{{0, 0}, {4000, 0.2293}, {8000, 0.6921}, {16_000, 0.8061}, {32_000, 0.9047}, {64_000, 0.9353}, {128_000, 0.9677}, {256_000, 0.9753}, {2_000_000, 1}}

// Mean is the mean size in bytes.
func (s Sizes) Mean() (sum float64) {
	for i := range s[1:] {
		sum += (s[i].Bytes + s[i+1].Bytes) / 2 * (s[i+1].Chance - s[i].Chance)
	}
	return sum
}

// At is the size that a chance of messages does not exceed.
func (s Sizes) At(chance float64) float64 {
	for i := range s[1:] {
		if a, b := s[i], s[i+1]; chance <= b.Chance {
			return a.Bytes + (b.Bytes-a.Bytes)*(chance-a.Chance)/(b.Chance-a.Chance)
		}
	}
	return s[len(s)-1].Bytes
}

// All2all lets each host send messages to all others, each time to one drawn at random, at random times (Poisson) up to an end in ps,
// so many bytes a ns of a host on average.
func All2all(hosts int, sizes Sizes, load float64, end uint64, rnd *rand.Rand) ([]Flow, error) {
	if hosts < 2 || !(load > 0) || math.IsInf(load, 0) || len(sizes) < 2 {
		return nil, fmt.Errorf("all to all: found %d hosts, %v bytes/ns, %d sizes, allowed: 2 or more, a number above 0, and 2 or more", hosts, load, len(sizes))
	}
	gap := sizes.Mean() / load * 1000 // ps
	var flows []Flow
	for src := range hosts {
		for at := rnd.ExpFloat64() * gap; at < float64(end); at += rnd.ExpFloat64() * gap {
			dst := (src + 1 + rnd.IntN(hosts-1)) % hosts
			flows = append(flows, Flow{Src: src, Dst: dst, Bytes: uint64(max(1, sizes.At(rnd.Float64()))), Start: uint64(at)})
		}
	}
	return flows, nil
}
