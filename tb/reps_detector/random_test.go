// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	bench "github.com/nicgen/nicgen/tb/reps_detector"
)

// run co-simulates a configuration and fails the test if anything is wrong.
func run(t *testing.T, b *bench.Bench, seed, cycles uint64) *cosim.Report {
	t.Helper()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "reps_detector", Seed: seed, Cycles: cycles})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Fatalf("seed %d: %s\n%s", seed, r.Outcome, summary(r))
	}
	return r
}

func summary(r *cosim.Report) string {
	if r.Failure != nil {
		return r.Failure.Summary() + "\n" + r.Failure.Explain
	}
	return ""
}

// A million cycles of the default configuration reach every coverage point.
func TestRandomDefault(t *testing.T) {
	for seed := range uint64(4) {
		r := run(t, &bench.Bench{P: params.Default()}, seed+1, 250_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
