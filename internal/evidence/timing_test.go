// SPDX-License-Identifier: Apache-2.0

package evidence_test

import (
	"testing"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/synth/timing"
)

// A design without registers has a row too.
func TestTimingOfNothing(t *testing.T) {
	if row := evidence.Timing(&timing.Estimate{}); len(row) != len(evidence.TimingHead) || row[0].Text != "none" {
		t.Errorf("row %v of %d cells, want none and %d cells", row, len(row), len(evidence.TimingHead))
	}
}
