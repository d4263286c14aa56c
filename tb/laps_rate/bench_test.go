// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"testing"

	rate "github.com/nicgen/nicgen/tb/laps_rate"
)

// BenchmarkPredictor is the golden side of a cycle: an ACK with random latencies, over
// all flows.
func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b, rate.Measure) }
