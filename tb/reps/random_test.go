// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"context"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/reps"
)

// run co-simulates a configuration and fails the test if anything is wrong.
func run(t *testing.T, b *reps.Bench, seed, cycles uint64) *cosim.Report {
	t.Helper()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(context.Background(), b, cosim.RunOptions{Unit: "reps", Seed: seed, Cycles: cycles, NoShrink: false})
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
		return r.Failure.Summary()
	}
	s := "never reached:"
	for _, m := range r.Missed {
		s += " " + m
	}
	return s
}

func TestRandomDefault(t *testing.T) {
	for seed := range uint64(3) {
		r := run(t, &reps.Bench{P: params.Default()}, seed+1, 200_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
