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
	Group:    bench.NIC,
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
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle = 2
	o.Fixed["s_axis_tvalid"], o.Fixed["s_axis_tlast"], o.Fixed["s_axis_tkeep"] = 1, 1, ^uint64(0)
	return o
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
