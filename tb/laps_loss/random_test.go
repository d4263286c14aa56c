// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_loss"
	lapsloss "github.com/nicgen/nicgen/tb/laps_loss"
)

// A million cycles of the default configuration reach every coverage point.
func TestRandomDefault(t *testing.T) {
	for seed := range uint64(4) {
		r := suite.Run(t, lapsloss.Unit.Bench(params.Default()), seed+1, 250_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
