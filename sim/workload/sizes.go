// SPDX-License-Identifier: Apache-2.0

package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Size is a point of a cumulative distribution of message sizes: the probability of Bytes or less.
type Size struct {
	Bytes  float64
	Chance float64
}

// Sizes is a distribution of message sizes: between two points the chance grows evenly. The first has chance 0, the last 1.
type Sizes []Size

// Storage is Alibaba's cloud storage of 2019, published with HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019).
var Storage = Sizes{{0, 0}, {4000, 0.2293}, {8000, 0.6921}, {16_000, 0.8061}, {32_000, 0.9047}, {64_000, 0.9353}, {128_000, 0.9677}, {256_000, 0.9753}, {2_000_000, 1}}

// WebSearch is a web search's, published with DCTCP (Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, Fig. 4), with the points of HPCC's simulations.
var WebSearch = Sizes{{0, 0}, {10_000, .15}, {20_000, .2}, {30_000, .3}, {50_000, .4}, {80_000, .53}, {200_000, .6}, {1_000_000, .7}, {2_000_000, .8}, {5_000_000, .9},
	{10_000_000, .97}, {30_000_000, 1}}

// DataMining is a data mining cluster's, published with VL2 (Greenberg et al., "VL2: A Scalable and Flexible Data Center Network", SIGCOMM 2009, Fig. 2), with
// the points of HKUST's TrafficGenerator, which LAPS' authors have too.
var DataMining = Sizes{{0, 0}, {180, .1}, {216, .2}, {560, .3}, {900, .4}, {1100, .5}, {1870, .6}, {3160, .7}, {10_000, .8}, {400_000, .9}, {3_160_000, .95},
	{100_000_000, .98}, {1_000_000_000, 1}}

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
// at an average rate in bytes per ns and host.
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

// Across lets each host send messages to hosts of other racks, each time to one drawn at random, at random times (Poisson) up to an end
// in ps, at an average rate in bytes per ns and rack of the given number of hosts.
func Across(hosts, rack int, sizes Sizes, load float64, end uint64, rnd *rand.Rand) ([]Flow, error) {
	if rack < 1 || hosts <= rack || !(load > 0) || math.IsInf(load, 0) || len(sizes) < 2 {
		return nil, fmt.Errorf("across racks: found %d hosts, racks of %d, %v bytes/ns, %d sizes, allowed: more hosts than a rack has, a number above 0, and 2 or more", hosts, rack, load, len(sizes))
	}
	gap := sizes.Mean() / load * float64(rack) * 1000 // ps
	var flows []Flow
	for src := range hosts {
		first := src / rack * rack
		others := hosts - min(rack, hosts-first)
		for at := rnd.ExpFloat64() * gap; at < float64(end); at += rnd.ExpFloat64() * gap {
			dst := rnd.IntN(others)
			if dst >= first {
				dst += rack
			}
			flows = append(flows, Flow{Src: src, Dst: dst, Bytes: uint64(max(1, sizes.At(rnd.Float64()))), Start: uint64(at)})
		}
	}
	return flows, nil
}

// Requests returns queries at random times (Poisson) at a rate per second, up to an end in ps: a random host queries random hosts of
// other racks, each of which answers at once with its part of the bytes.
func Requests(hosts, rack, servers int, bytes uint64, rate float64, end uint64, rnd *rand.Rand) ([]Flow, error) {
	if rack < 1 || servers < 1 || hosts-rack < servers || bytes < uint64(servers) || !(rate > 0) || math.IsInf(rate, 0) {
		return nil, fmt.Errorf("requests: found %d hosts, racks of %d, %d servers, %d bytes, %v a second, allowed: 1 or more servers, as many hosts of other racks, a byte of each, and a number above 0", hosts, rack, servers, bytes, rate)
	}
	gap := 1e12 / rate // ps
	var flows []Flow
	for at := rnd.ExpFloat64() * gap; at < float64(end); at += rnd.ExpFloat64() * gap {
		to := rnd.IntN(hosts)
		first := to / rack * rack
		for _, src := range rnd.Perm(hosts - min(rack, hosts-first))[:servers] {
			if src >= first {
				src += rack
			}
			flows = append(flows, Flow{Src: src, Dst: to, Bytes: bytes / uint64(servers), Start: uint64(at)})
		}
	}
	return flows, nil
}
