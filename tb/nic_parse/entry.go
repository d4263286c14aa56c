// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Mutation: mutation,
	Proofs:   proofs,
	Upset:    upset,
	Evidence: evidence,
}

// Measure is a frame of one beat in every cycle.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	fixed := map[string]uint64{"rst": 0, "s_axis_tvalid": 1, "s_axis_tlast": 1, "s_axis_tkeep": ^uint64(0)}
	for _, port := range p.Ports() {
		if v, ok := p.PortValues()[port.Name]; ok {
			fixed[port.Name] = v
		}
	}
	return cosim.MeasureOptions{Idle: 2, Fixed: fixed}
}

// evidence are the runs behind the parser's records.
var evidence = bench.Evidence{
	Configurations:  []string{"profile=both ip_checksum=true"},
	Small:           "tags=1 ipv6=false",
	Syntheses:       []bench.Synthesis{{Name: "both", Settings: "profile=both ip_checksum=true"}, {Name: "ipv4", Settings: "tags=1 ipv6=false"}},
	NetlistCycles:   200_000,
	SimulatorCycles: 5_000,
	CoverageCycles:  2_400_000, // a frame of 65,536 bytes is seldom
}
