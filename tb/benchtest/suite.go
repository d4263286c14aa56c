// SPDX-License-Identifier: Apache-2.0

// Package benchtest are the tests that the bench of every unit has to pass, to be
// called from the tests in tb/<unit>: a unit brings lists of configurations and of
// mistakes, and its page names the tests.
//
//	var suite = benchtest.Suite[*params.Params]{Unit: reps.Unit, Fit: fit}
//
//	func TestCorners(t *testing.T)             { suite.Corners(t, corners) }
//	func TestCornersReachEveryEnd(t *testing.T) { suite.Ends(t, corners) }
//	func TestShortRunMisses(t *testing.T)      { suite.ShortRun(t, 540, "send/frozen/full") }
//	func TestOverride(t *testing.T)            { suite.Overrides(t, 600_000, overrides) }
//	func TestIllegalOverride(t *testing.T)     { suite.IllegalOverrides(t, illegal) }
//	func TestPlantedBugs(t *testing.T)         { suite.PlantedBugs(t, "# Planted bugs\n\n…", bugs) }
//	func TestWrongModel(t *testing.T)          { suite.WrongModels(t, models) }
//	func BenchmarkPredictor(b *testing.B)      { suite.BenchmarkPredictor(b, reps.Measure) }
//
// The package registers the test flag -update, with which generated files are
// written instead of compared: a unit's own tests read it by Updating.
package benchtest

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

var update = flag.Bool("update", false, "write the generated tables and golden files")

// Updating reports whether generated files are to be written instead of compared.
func Updating() bool { return *update }

// LeftOut tells whether a short test leaves entry i of a list out, see package sample.
func LeftOut(i int) bool { return sample.LeftOut(i, sample.Turns) }

// Suite tests the bench of one unit. Settings are text: one "key=value" a word, on
// top of the default configuration. Short tests (go test -short) take a part of its lists:
// corners, overrides, planted bugs and illegal overrides, see LeftOut.
type Suite[P bench.Params] struct {
	*bench.Unit[P]
	// Fit, if set, makes defaults that set does not mention agree with what it does:
	// rules over several parameters hold for the defaults of run-time settings too.
	Fit func(p P, set string)
}

// Configure is the default configuration with settings applied and fitted.
func (s Suite[P]) Configure(t testing.TB, set string) P {
	t.Helper()
	p := s.Default()
	if err := gen.SetAll(p, set); err != nil {
		t.Fatal(err)
	}
	if s.Fit != nil {
		s.Fit(p, set)
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Run co-simulates a bench, which need not be prepared, and fails the test if
// anything is wrong or a required coverage point is missed.
func (s Suite[P]) Run(t testing.TB, b *bench.Bench[P], seed, cycles uint64) *cosim.Report {
	t.Helper()
	r := s.run(t, b, b, cosim.RunOptions{Seed: seed, Cycles: cycles})
	if !r.OK() {
		t.Fatalf("seed %d: %s\n%s", seed, r.Outcome, Summary(r))
	}
	return r
}

// run prepares a bench and co-simulates it as it is seen through view.
func (s Suite[P]) run(t testing.TB, b *bench.Bench[P], view cosim.Bench, o cosim.RunOptions) *cosim.Report {
	t.Helper()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	o.Unit = s.Name
	r, err := cosim.Run(t.Context(), view, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Summary says what is wrong with a run: its failure, or the points it missed.
func Summary(r *cosim.Report) string {
	if r.Failure != nil {
		return r.Failure.Summary() + "\n" + r.Failure.Explain
	}
	return "never reached: " + strings.Join(r.Missed, " ")
}

// Texts are the files of a configuration, as the linter and synthesis take them.
func Texts(t testing.TB, cfg gen.Config) []synth.File {
	t.Helper()
	files, err := cfg.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out []synth.File
	for _, f := range files {
		out = append(out, synth.File(f))
	}
	return out
}

// Page compares docs/units/<unit>_<name>.md with a text that a test made, or writes
// it if -update is given.
func (s Suite[P]) Page(t *testing.T, name, text string) {
	t.Helper()
	file := "../../docs/units/" + s.Name + "_" + name + ".md"
	if Updating() {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(text)) {
		t.Errorf("%s is stale (-have +want), run: %s\n%s", file, s.command(t), cmp.Diff(string(want), text))
	}
}

// inPage demands that a page that Page writes has these lines among others.
func (s Suite[P]) inPage(t *testing.T, name string, lines []string) {
	t.Helper()
	file := "../../docs/units/" + s.Name + "_" + name + ".md"
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if !bytes.Contains(have, []byte(l)) {
			t.Errorf("%s is stale: it has no line %q, run: %s", file, l, s.command(t))
		}
	}
}

// command is what writes the pages that a test checks.
func (s Suite[P]) command(t *testing.T) string {
	return "go test ./tb/" + s.Name + " -run " + t.Name() + " -update"
}
