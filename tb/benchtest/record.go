// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/synth"
)

// Records demands that reports of synthesis on record, docs/data/<name>.json, are of the
// SystemVerilog that the generator makes of their settings, by name.
func (s Suite[P]) Records(t *testing.T, settings map[string]string) {
	t.Helper()
	for name, set := range settings {
		text, err := os.ReadFile("../../docs/data/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var r synth.Report
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		p := s.Configure(t, set)
		files, err := emit.Sources(emit.Unit{Config: p, Default: s.Default()})
		if err != nil {
			t.Fatal(err)
		}
		q := synth.Request{Top: p.Top()}
		for _, f := range files {
			q.Files = append(q.Files, synth.File(f))
		}
		if sum := q.Fingerprint(); r.Design != sum && !s.due(t, "synth") {
			t.Errorf("docs/data/%s.json is a report of other SystemVerilog (fingerprint %.8s, want %.8s), run: make doc-data", name, r.Design, sum)
		}
	}
}

// A Design is what Synthesise gives to Yosys.
type Design struct {
	Name  string // of the subtest
	Top   string
	Files []synth.File
	Apart []string // as in synth.Options
}

// Synthesise runs the designs of a page, docs/units/<unit>_<page>.md or a section of the page of
// evidence, in parallel and
// returns their reports in order. Findings fail the test, and errors end it. A short
// test only demands that the page is of these designs, and is then left out; so is one of
// a page that is due again.
func (s Suite[P]) Synthesise(t *testing.T, page string, designs []Design) []*synth.Report {
	t.Helper()
	sums := ""
	for _, d := range designs {
		sums += (&synth.Request{Top: d.Top, Files: d.Files}).Fingerprint()
	}
	mark := fmt.Sprintf("%x", sha256.Sum256([]byte(sums)))
	measured, err := due.ReadMarks(".")
	if err != nil {
		t.Fatal(err)
	}
	if current := measured[page] == mark; !Updating() {
		switch listed := s.due(t, page); {
		case current && listed:
			t.Fatalf("docs/%s lists the page %s of %s, which is of the RTL of now: take it out", due.File, page, s.Name)
		case !current && listed:
			t.Skipf("what docs/units shows of %s, %s, is due again: docs/%s", s.Name, page, due.File)
		case !current:
			t.Fatalf("what docs/units shows of %s, %s, is of other SystemVerilog, run: %s, or, if it can wait, put %[2]q into docs/%[4]s", s.Name, page, s.command(t), due.File)
		}
	}
	if testing.Short() && !Updating() {
		t.Skip("the page is of this SystemVerilog: go test without -short measures it again")
	}
	reports := make([]*synth.Report, len(designs))
	ok := t.Run("synthesis", func(t *testing.T) {
		for i, d := range designs {
			t.Run(d.Name, func(t *testing.T) {
				t.Parallel()
				r, err := synth.Run(t.Context(), synth.Request{Top: d.Top, Files: d.Files, Options: synth.Options{Apart: d.Apart}})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range r.Findings {
					t.Error(f)
				}
				reports[i] = r
			})
		}
	})
	if !ok {
		t.FailNow()
	}
	if Updating() {
		measured[page] = mark
		if err := measured.Write("."); err != nil {
			t.Fatal(err)
		}
	}
	return reports
}

// due reports whether a kind of record of the unit is listed as one to be made again.
func (s Suite[P]) due(t *testing.T, kind string) bool {
	t.Helper()
	list, err := due.Read(os.DirFS("../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	return list.Has(s.Name, kind)
}
