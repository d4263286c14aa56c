// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
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

// Measure is a port at full load: a descriptor in every cycle, and a line that never pauses.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	fixed := map[string]uint64{"rst": 0, "s_frame_valid": 1, "m_frame_ready": 1, "s_frame_len": 64}
	for port, v := range p.PortValues() {
		fixed[port] = v
	}
	return cosim.MeasureOptions{Idle: 2, Fixed: fixed, Mask: map[string]uint64{"s_frame_class": 3}}
}
