// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.Reservations,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Proofs:   proofs,
	Mutation: mutation,
	Upset:    upset,
}

// Measure is a host with a packet in every cycle, whose answers leave at once.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle, o.Mask["s_rx_flow"] = uint64(p.ReadyDelay())+1, 1<<(p.FlowIdxBits()-1)-1
	o.Fixed["s_rx_valid"], o.Fixed["s_rx_bytes"], o.Fixed["m_sim_ack_ready"], o.Fixed["m_data_ack_ready"] = 1, 64, 1, 1
	delete(o.Mask, "s_rx_port") // a source port: any
	return o
}
