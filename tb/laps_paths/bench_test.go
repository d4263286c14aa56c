// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"testing"

	paths "github.com/nicgen/nicgen/tb/laps_paths"
)

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all destinations and paths, while the sets are empty.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, paths.Measure) }
