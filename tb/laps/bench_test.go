// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/laps"
)

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all destinations, paths and flows, while the sets are empty.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, laps.Measure) }
