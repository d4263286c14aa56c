// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/plant"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:       bench.NIC,
	New:         params.New,
	Bench:       func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:     Measure,
	Proofs:      proofs,
	Mutation:    mutation,
	Upset:       upset,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence: bench.Evidence{
		CoverageCycles:  3_200_000, // slots pass by slowly
		SimulatorSample: &bench.Mistake{File: topFile, Edits: plant.Edits{"COUNTER_BITS'(r1_rate_q);", "COUNTER_BITS'(r1_rate_q && !sts_rate_cnt[2]);"}},
	},
}

// Measure is a pacer at full load: a connection's turn is over in each cycle, and others want one.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{Idle: uint64(p.Sweep()) + 4, Fixed: map[string]uint64{
		"rst": 0, "s_done_valid": 1, "s_push_valid": 1, "s_rate_valid": 1, "m_due_ready": 1, "s_flush_valid": 0, "s_done_conn": 0, "s_push_conn": 0}}
}
