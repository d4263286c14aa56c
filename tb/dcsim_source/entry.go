// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
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

// Measure is a host at line rate: DATAs come in every other cycle, all that is offered is sent
// at once.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle, o.Mask["s_data_flow"] = uint64(p.ReadyDelay())+1, 1<<(p.FlowIdxBits()-1)-1
	for _, port := range []string{"s_data_valid", "m_sim_ready", "m_data_ready", "s_sim_ack_valid", "s_data_ack_valid"} {
		o.Fixed[port] = 1
	}
	delete(o.Mask, "s_sim_ack_port") // a source port: any
	return o
}
