// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
	rate "github.com/nicgen/nicgen/tb/laps_rate"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{Unit: rate.Unit, Fit: fit}

// fit makes the defaults of run-time settings fit their ports.
func fit(p *params.Params, set string) {
	if !strings.Contains(set, "max_rate") {
		p.MaxRate = min(p.MaxRate, 1<<p.RateBits-1)
	}
	if !strings.Contains(set, "min_rate") {
		p.MinRate = min(p.MinRate, p.MaxRate)
	}
}

// A million cycles of the default configuration reach every coverage point.
func TestRandomDefault(t *testing.T) {
	for seed := range uint64(4) {
		r := suite.Run(t, rate.Unit.Bench(params.Default()), seed+1, 250_000)
		t.Logf("seed %d: %d events", seed+1, r.Events)
	}
}
