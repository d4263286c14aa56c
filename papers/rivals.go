// SPDX-License-Identifier: Apache-2.0

package papers

import "github.com/nicgen/nicgen/sim/transport"

// Mbps is a rate in bytes a ns.
const Mbps = 1. / 8000

// DCQCN is DCQCN with the settings of HPCC's simulations, which the authors of LAPS and PowerTCP have too.
func DCQCN(h *transport.Host, window float64, by transport.Paths) transport.Transport {
	return transport.Pace(&transport.DCQCN{Line: h.Gbps / 8, Least: 100 * Mbps, Alpha: 1000, Decrease: 4000, Timer: 300_000,
		Gain: 1. / 256, Fast: 1, Additive: 5 * Mbps, Hyper: 50 * Mbps, Window: window}, by)
}
