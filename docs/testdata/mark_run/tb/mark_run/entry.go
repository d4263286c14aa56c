// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/gen/sv"
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
}

// Measure keeps the setting still and the traffic legal while the speed of the unit is
// measured.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{
		Idle:  uint64(p.Connections) + 2,
		Fixed: map[string]uint64{"cfg_threshold": uint64(p.Threshold), "rst": 0},
		Mask:  map[string]uint64{"s_ack_conn": 1<<(sv.CntW(p.Connections)-1) - 1}, // a power of two of them
	}
}
