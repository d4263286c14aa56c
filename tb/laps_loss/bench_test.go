// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	lapsloss "github.com/nicgen/nicgen/tb/laps_loss"
)

// BenchmarkPredictor is the golden side of a cycle: sends and ACKs with even chances,
// over all paths.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, lapsloss.Measure) }
