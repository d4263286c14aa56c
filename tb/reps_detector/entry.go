// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/plant"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.PathChoice,
	New:      params.New,
	Bench:    New,
	Trace:    NewTrace,
	Measure:  Measure,
	Mutation: Mutation,
	Proofs:   Proofs,
	Upset:    Upset,
	Evidence: bench.Evidence{SimulatorSample: &bench.Mistake{
		File: "nic_reps_detector.sv", Edits: plant.Edits{"p0_rtt_ns_q >= p0_threshold_q", "p0_rtt_ns_q > p0_threshold_q"},
	}},
}
