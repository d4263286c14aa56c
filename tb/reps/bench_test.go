// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/reps"
)

// BenchmarkPredictor is the golden side of a cycle: events on all ports with
// even chances, over all connections.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, reps.Measure) }
