// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
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

// Measure searches random keys on both ports in every cycle.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	return cosim.MeasureOptions{
		Idle:  uint64(cfg.(*params.Params).Rows) + 2,
		Fixed: map[string]uint64{"rst": 0, "s_a_valid": 1, "s_b_valid": 1, "s_write_valid": 0},
	}
}

// evidence are the runs behind the search's records.
var evidence = bench.Evidence{
	Configurations: []string{"table_memory=uram ways=3"},
	Small:          "rows=256 key_bits=56",
	SmallInIcarus:  true,
	Syntheses: []bench.Synthesis{
		{Name: "ipv4", Settings: "key_bits=56"}, {Name: "large", Settings: "rows=4096 connections=16384"},
	},
	NetlistCycles:   100_000,
	SimulatorCycles: 5_000,
}
