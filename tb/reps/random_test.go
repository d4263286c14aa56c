// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/reps"
)

// Runs of the default configuration reach every coverage point, whatever the seed.
func TestRandomDefault(t *testing.T) {
	for seed := range uint64(3) {
		r := suite.Run(t, reps.Unit.Bench(params.Default()), seed+1, 200_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
