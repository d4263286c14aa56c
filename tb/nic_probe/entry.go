// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.NIC,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Mutation: mutation,
	Proofs:   proofs,
	Upset:    upset,
}

// Measure is a NIC that is probed in every cycle, and wants to probe: nothing is held.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{Idle: uint64(p.Destinations) + 4, Fixed: map[string]uint64{
		"rst": 0, "s_probe_valid": 1, "s_probe_dst": 0, "m_route_ready": 1, "s_route_valid": 1,
		"s_shim_valid": 1, "s_shim_bad": 0, "s_shim_subtype": 1, "m_answer_ready": 1, "m_frame_ready": 1}}
}
