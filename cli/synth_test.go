// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/registry"
)

// A unit composed of other units is left out; naming only such units is the user's mistake.
func TestNoComposites(t *testing.T) {
	var out, errs bytes.Buffer
	code := Run(context.Background(), []string{"nicgen", "synth", "--no-composites", "--unit", "laps"}, Env{&out, &errs, registry.Units})
	if code != WrongUse {
		t.Errorf("exit code %d, want %d", code, WrongUse)
	}
	if want := "laps: left out, as it is composed of other units; run it alone with: nicgen synth --unit laps\n\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if !strings.Contains(errs.String(), "--no-composites: every named unit is composed of other units") {
		t.Errorf("message: %s", errs.String())
	}
}

// The parts of a unit are mapped by themselves, or as one design with it.
func TestWhole(t *testing.T) {
	if got := apart(laps.New(), false); len(got) == 0 {
		t.Error("laps: no part is mapped by itself")
	}
	if got := apart(laps.New(), true); got != nil {
		t.Errorf("laps as a whole: %v are mapped by themselves, want none", got)
	}
}
