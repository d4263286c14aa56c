// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/nicgen/nicgen/synth"
)

var measured = flag.Bool("measured", false, "with -update: the reports on record are of the SystemVerilog as it is; make doc-data says so")

// fingerprints is where a unit's tests keep those of the SystemVerilog that reports and
// pages of measurements are of.
const fingerprints = "testdata/measured.json"

// Records demands that reports of synthesis on record, docs/data/<name>.json, are of the
// SystemVerilog that the generator makes of their settings, by name. With -update and
// -measured it notes that they are.
func (s Suite[P]) Records(t *testing.T, settings map[string]string) {
	t.Helper()
	have := map[string]string{}
	for name, set := range settings {
		have[name] = fingerprint(Texts(t, s.Configure(t, set)))
	}
	if Updating() && *measured {
		note(t, have)
	}
	want := noted(t)
	for name, sum := range have {
		if want[name] != sum {
			t.Errorf("docs/data/%s.json is a report of other SystemVerilog (fingerprint %.8s, want %.8s), run: make doc-data", name, want[name], sum)
		}
	}
}

// A Design is what Synthesise gives to Yosys.
type Design struct {
	Name  string // of the subtest
	Top   string
	Files []synth.File
}

// Synthesise runs the designs of a page, docs/units/<unit>_<page>.md, in parallel and
// returns their reports in order. Findings fail the test, and errors end it. A short
// test only demands that the page is of these designs, and is then left out; so is one
// with -measured, after it noted with -update that the page is.
func (s Suite[P]) Synthesise(t *testing.T, page string, designs []Design) []*synth.Report {
	t.Helper()
	sums := ""
	for _, d := range designs {
		sums += d.Top + fingerprint(d.Files)
	}
	mark := map[string]string{page: fmt.Sprintf("%x", sha256.Sum256([]byte(sums)))}
	if Updating() && *measured {
		note(t, mark)
	}
	if testing.Short() || *measured {
		if noted(t)[page] != mark[page] {
			t.Fatalf("docs/units/%s_%s.md is of other SystemVerilog, run: %s", s.Name, page, s.command(t))
		}
		t.Skip("the page is of this SystemVerilog: go test without -short measures it again")
	}
	reports := make([]*synth.Report, len(designs))
	ok := t.Run("synthesis", func(t *testing.T) {
		for i, d := range designs {
			t.Run(d.Name, func(t *testing.T) {
				t.Parallel()
				r, err := synth.Run(t.Context(), synth.Request{Top: d.Top, Files: d.Files})
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
		note(t, mark)
	}
	return reports
}

// fingerprint is one of a design.
func fingerprint(files []synth.File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s\n%s", f.Name, f.Text)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// noted reads the fingerprints on record.
func noted(t *testing.T) map[string]string {
	t.Helper()
	marks := map[string]string{}
	text, err := os.ReadFile(fingerprints)
	if errors.Is(err, fs.ErrNotExist) {
		return marks
	}
	if err == nil {
		err = json.Unmarshal(text, &marks)
	}
	if err != nil {
		t.Fatal(err)
	}
	return marks
}

// note puts fingerprints on record.
func note(t *testing.T, marks map[string]string) {
	t.Helper()
	all := noted(t)
	for name, sum := range marks {
		all[name] = sum
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(fingerprints), 0o777)
	}
	if err == nil {
		err = os.WriteFile(fingerprints, append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
