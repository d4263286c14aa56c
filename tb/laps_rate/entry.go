// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable,
	Evidence:    bench.Evidence{Small: "paths=2 flows=64"},
}

// unreachable are lines that are decided before there is a stimulus.
var unreachable = []bench.Unreachable{
	{
		File:   "nic_laps_rate_extreme.sv",
		Line:   "if (l < level) begin (else)",
		Reason: "The function has its values at elaboration: the widths of the levels of a tree. Verilator counts none of its lines that go another way.",
	},
	lib.SecondStep,
}
