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
	fixed := map[string]uint64{"rst": 0, "s_data_valid": 1, "m_sim_ready": 1, "m_data_ready": 1, "s_sim_ack_valid": 1, "s_data_ack_valid": 1, "s_seed_valid": 0}
	for port, v := range p.PortValues() {
		fixed[port] = v
	}
	return cosim.MeasureOptions{
		Idle: uint64(p.ReadyDelay()) + 1, Fixed: fixed,
		Mask: map[string]uint64{"s_data_flow": 1<<(p.FlowIdxBits()-1) - 1},
	}
}
