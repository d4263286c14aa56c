// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"testing"

	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all connections.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, detector.Measure) }
