// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the source host's legal behaviour after a bit of its state changed: it may send
// other packets, or fewer; its offers are always for an existing flow.
var upset = &bench.Upset{
	Settings: []string{"flows=4 flow_bits=3 outstanding=16 port_bits=8 copies=16 repeats=4 tag_bits=6 seq_bits=8 want_bits=10 time_bits=12 token_bits=24 " +
		"data_timeout_ns=2000 rtt_ns=1000 hops=2 packet_bytes=256 rate_gbps=400 full_rate=false"},
	Lifetime: "**The bound.** A packet's entry is used once and gone within RTTmax or the DATA timeout. What counts stays wrong until the next reset: " +
		"a flow's n_DATA − n_SIM, with which it sends a SIM too many or too few; a place that is chained twice or not at all; a pointer of a queue. " +
		"The host sees it by its own counts of what was sent and acknowledged, and resets the unit.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that the unit becomes ready, and that offers are of flows that exist.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var x wires
	err := x.bind(p, l)
	return bench.Laws{
		&bench.Ready{Pin: x.ready, Max: uint64(p.ReadyDelay()) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var sim params.SIM
			var data params.Data
			return (!x.sims.Read(got, &sim) || sim.Flow < uint64(p.Flows)) && (!x.datas.Read(got, &data) || data.Flow < uint64(p.Flows))
		}),
	}, err
}
