// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// The maximum estimated delay of a unit's longest path, in ns.
const (
	mostTypical     = 2.75
	mostPessimistic = 3.9
)

// tooSlow are the reports of units that take more, and the group that does. A unit that
// no longer does is to be taken out.
var tooSlow = map[string][]string{}

func TestTimingTargets(t *testing.T) {
	files, err := filepath.Glob("data/*.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var r synth.Report
		if err := json.Unmarshal(text, &r); err != nil || r.Top == "" {
			continue // a record of another kind
		}
		seen++
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if r.Timing == nil {
			t.Errorf("%s has no estimate of timing, run: make doc-data", file)
			continue
		}
		listed := map[string]bool{}
		for _, g := range tooSlow[name] {
			listed[g] = true
		}
		for _, g := range []struct {
			name string
			*timing.Group
		}{
			{"register to register", r.Timing.RegToReg}, {"input to register", r.Timing.InToReg},
			{"register to output", r.Timing.RegToOut}, {"input to output", r.Timing.InToOut},
		} {
			slow := g.Group != nil && (g.Ns[timing.Typical] > mostTypical || g.Ns[timing.Pessimistic] > mostPessimistic)
			if slow && !listed[g.name] {
				t.Errorf("%s, %s: %s ns, want at most %g typical and %g pessimistic; the path is %s → %s", name, g.name, g.Ns,
					mostTypical, mostPessimistic, g.Worst[0].From, g.Worst[0].To)
			}
			if !slow && listed[g.name] {
				t.Errorf("%s, %s: is listed as too slow and is not: take it out of the list in timing_test.go", name, g.name)
			}
			delete(listed, g.name)
		}
		for g := range listed {
			t.Errorf("%s: the list of slow units names an unknown group %q", name, g)
		}
	}
	for name := range tooSlow {
		if _, err := os.Stat("data/" + name + ".json"); err != nil {
			t.Errorf("the list of slow units names %s: %v", name, err)
		}
	}
	if seen == 0 {
		t.Error("no report of nicgen synth in docs/data")
	}
}
