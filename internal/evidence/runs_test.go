// SPDX-License-Identifier: Apache-2.0

package evidence_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/registry"
	markrun "github.com/nicgen/nicgen/starter/module/tb/mark_run"
)

// outside are the units of the program of a module from outside.
var outside = registry.With(markrun.Entry)

// The records of a module from outside are of its own units, and each is made by a run.
func TestRunsOutside(t *testing.T) {
	if d := cmp.Diff([]string{"prove mark_run --json docs/data/prove/mark_run.json"}, evidence.Runs("prove", outside)); d != "" {
		t.Errorf("runs (-want +got):\n%s", d)
	}
	if n := len(evidence.Runs("papers", outside)); n > 0 {
		t.Errorf("%d runs of papers' figures", n)
	}
	for _, c := range []struct{ kind, outside, nicgen string }{
		{"mutate", "go run . mutate mark_run --json docs/data/mutate/mark_run.json", "make mutate"},
		{"simulators", "go run . list --runs simulators", "make simulators"},
		{"synth", "go run . synth --unit mark_run --record docs/data/mark_run.json", "make doc-data"},
	} {
		if got := evidence.Command(c.kind, outside); got != c.outside {
			t.Errorf("%s: %q, want %q", c.kind, got, c.outside)
		}
		if got := evidence.Command(c.kind, registry.With()); got != c.nicgen {
			t.Errorf("%s of nicgen: %q, want %q", c.kind, got, c.nicgen)
		}
	}
	for file, want := range map[string]string{
		"docs/data/upset/mark_run.json":  "upset mark_run --json build/upset/mark_run.json --record docs/data/upset/mark_run.json",
		"docs/data/upset/mark_runs.json": "",
		"docs/data/upset/reps.json":      "",
	} {
		if run, _ := evidence.Maker(file, outside); run != want {
			t.Errorf("%s is made by %q, want %q", file, run, want)
		}
	}
}

// A module without a list of due records has the stale ones in its place.
func TestDueOutside(t *testing.T) {
	old := `{"unit": "mark_run", "configurations": [{"settings": "", "text": "0"}]}`
	docs := fstest.MapFS{"data/mutate/mark_run.json": {Data: []byte(old)}}
	list, err := evidence.Due(docs, registry.Own(outside))
	if err != nil || !slices.Equal(list["mark_run"], []string{"mutate"}) || len(list) != 1 {
		t.Errorf("due: %v, %v, want mutate of mark_run", list, err)
	}
	docs[due.File] = &fstest.MapFile{Data: []byte("{}")}
	if list, err := evidence.Due(docs, registry.Own(outside)); err != nil || len(list) > 0 {
		t.Errorf("due: %v, %v, want what the list says: nothing", list, err)
	}
}
