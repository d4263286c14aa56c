// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// small is a configuration that is soon ready, for simulators that take long.
const small = "connections=8 ring=16"

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.NIC,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Proofs:   proofs,
	Mutation: mutation,
	Upset:    upset,
	Unreachable: []bench.Unreachable{lib.SecondStep, {
		File: "nic_gate_flush.sv", Line: "default: begin (case)", Chance: true,
		Reason: "A flush is in one of the states that have a name: only an upset takes it to another.",
	}},
	// A quarter of the cycles is for each random configuration, and clearing 1,024 rings takes 131,072 of them.
	Evidence: bench.Evidence{Small: small, SmallInIcarus: true, CoverageCycles: 12_800_000},
}

// Measure is a gate at full load: events of all kinds in each cycle.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{Idle: uint64(p.Sweep()) + 4, Fixed: map[string]uint64{
		"rst": 0, "s_enter_valid": 1, "s_release_valid": 1, "s_done_valid": 1, "s_ack_valid": 1, "s_window_valid": 1, "s_due_valid": 1,
		"s_done_discard": 0, "m_push_ready": 1, "m_pop_ready": 1, "s_flush_valid": 0}}
}
