// SPDX-License-Identifier: Apache-2.0

package nicfeedback_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicfeedback "github.com/nicgen/nicgen/tb/nic_feedback"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{
	Unit: nicfeedback.Unit, Measure: nicfeedback.Measure,
	Random:  benchtest.Random{Seeds: 2, Cycles: 400_000},
	Corners: corners,
	Short:   benchtest.Short{Cycles: 300, Misses: "received/full"},
}

func TestBench(t *testing.T) { suite.Test(t) }

// corners covers both ends of every parameter, and each choice.
var corners = []benchtest.Corner{
	{Name: "default", Cycles: 400_000},
}
