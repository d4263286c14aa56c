// SPDX-License-Identifier: Apache-2.0

package reps

import (
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:   bench.PathChoice,
	New:     params.New,
	Bench:   New,
	Trace:   NewTrace,
	Measure: Measure,
	// The figures of the paper's FPGA prototype: 256 connections of 8 EVs of 16 bits.
	Published: &synth.Published{
		Source: "REPS-FPGA (REPS §4.1)",
		Figures: []synth.Figure{
			{Resource: "LUT", Value: "< 0.04 % of the device"},
			{Resource: "EV memory", Value: "4 KB"},
		},
	},
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence:    bench.Evidence{Tour: tour, NetlistSample: true},
}

// tour plays what the authors' simulator recorded, each recording with its settings.
var tour = []bench.TourStep{
	recorded("symmetric", "freezing_timeout_ns=10000000 --set explore_stride=8"),
	recorded("asymmetric", "freezing_timeout_ns=10000000 --set explore_stride=8"),
	recorded("failures", "freezing_timeout_ns=100000 --set explore_stride=8"),
	recorded("failures-stride1", "freezing_timeout_ns=100000 --set explore_stride=1"),
}

// recorded plays one of the recordings.
func recorded(name, set string) bench.TourStep {
	return bench.TourStep{
		Title: "REPS: recorded traffic, " + name,
		Run: "cosim --unit reps --trace tb/reps/testdata/" + name + ".csv.gz --evs-bits 16 --set num_pkts_cwnd=150 " +
			"--json REPORT/reps-" + name + ".json --set " + set,
	}
}
