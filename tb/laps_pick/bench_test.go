// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"testing"

	lapspick "github.com/nicgen/nicgen/tb/laps_pick"
)

// BenchmarkPredictor is the golden side of a cycle: a request in each.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, lapspick.Measure) }
