// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_shim"
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

// Measure is a NIC at full load both ways: a beat in every cycle, frames of several beats.
func Measure(gen.Config) cosim.MeasureOptions {
	return cosim.MeasureOptions{Idle: 2, Fixed: map[string]uint64{"rst": 0, "s_axis_tx_tvalid": 1, "m_axis_tx_tready": 1, "s_axis_rx_tvalid": 1, "s_shim_subtype": 2}}
}

// evidence are the runs behind the shims' records.
var evidence = bench.Evidence{
	Configurations:  []string{"formats=laps", "formats=int"},
	Syntheses:       []bench.Synthesis{{Name: "laps", Settings: "formats=laps"}, {Name: "int", Settings: "formats=int"}},
	NetlistCycles:   200_000,
	SimulatorCycles: 5_000,
}
