// SPDX-License-Identifier: Apache-2.0

// Package benchtest are the tests that the bench of every unit has to pass: a unit brings
// lists of configurations and of mistakes, and its page names the tests.
//
//	var suite = benchtest.Suite[*params.Params]{Unit: reps.Unit, Measure: reps.Measure, Corners: corners, …}
//
//	func TestBench(t *testing.T)          { suite.Test(t) }
//	func BenchmarkPredictor(b *testing.B) { suite.BenchmarkPredictor(b) }
//
// The package registers the test flag -update, with which generated files are
// written instead of compared: a unit's own tests read it by Updating.
package benchtest

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

var update = flag.Bool("update", false, "write the generated tables and golden files")

// Updating reports whether generated files are to be written instead of compared.
func Updating() bool { return *update }

// Suite tests the bench of one unit. Settings are text: one "key=value" a word, on
// top of the default configuration. Short tests (go test -short) take a part of its lists:
// corners, overrides, planted bugs and illegal overrides, see package sample.
type Suite[P bench.Params] struct {
	*bench.Unit[P]
	// Measure is the Measure of the unit's entry in the registry.
	Measure func(cfg gen.Config) cosim.MeasureOptions

	// Random holds runs in addition to the corners.
	Random Random
	// Corners are configurations, the first of them the default, that cover both ends of
	// every parameter, each choice, and both sides of what changes the structure. Empty: they
	// follow from the parameter table.
	Corners []Corner
	// Short is a run that misses a coverage point.
	Short Short
	// Overrides are configurations derived from other ones by overriding SystemVerilog
	// parameters at instantiation, each run for OverrideCycles. Empty: they follow from the
	// parameter table; 0 cycles: 300,000.
	Overrides      []Override
	OverrideCycles uint64
	// Illegal are overrides that break a rule over several parameters. Those out of the
	// range of one follow from the field table.
	Illegal []Illegal
	// Rules are configurations and what the rules over several parameters say of them.
	Rules []gentest.Rule
	// Planted introduces the section planted of docs/units/<unit>_evidence.md; empty: a general sentence.
	// Bugs are its rows, and Limit applies to bugs without a limit; 0 means a handful.
	Planted string
	Bugs    []Bug
	Limit   int
	// Sweep, if set, is the mistake of a reset that does not begin the sweep again, in a
	// unit whose place of the sweep is not named clear…_q or sweep…_q.
	Sweep *Bug
	// Models are wrong golden models.
	Models []WrongModel[P]
}

// Random is a number of runs: of each of Sets, or of the default configuration, with seeds
// from 1 to Seeds. They reach every coverage point in Cycles.
type Random struct {
	Sets          []string
	Seeds, Cycles uint64
}

// Short is a run of the default configuration which is cut short after some cycles and
// therefore misses a coverage point.
type Short struct {
	Cycles uint64
	Misses string
}

// Test runs all tests of the suite.
func (s Suite[P]) Test(t *testing.T) {
	s = s.complete(t)
	if len(s.Rules) > 0 {
		t.Run("Rules", func(t *testing.T) { gentest.Rules(t, s.Default, s.Rules) })
	}
	if s.Random.Seeds > 0 {
		t.Run("RandomDefault", s.random)
	}
	t.Run("Corners", s.corners)
	t.Run("CornersReachEveryEnd", s.ends)
	t.Run("CornersHaveOddValues", s.odd)
	t.Run("Contract", s.contract)
	t.Run("ShortRunMisses", s.shortRun)
	t.Run("Override", s.overrides)
	t.Run("IllegalOverride", s.illegalOverrides)
	t.Run("IllegalConfiguration", s.illegalConfigurations)
	t.Run("ResetInSweep", s.resetInSweep)
	t.Run("CountersWrap", s.countersWrap)
	t.Run("PlantedBugs", s.plantedBugs)
	t.Run("WrongModel", s.wrongModels)
}

// random demands that the random runs are equal and reach every coverage point.
func (s Suite[P]) random(t *testing.T) {
	sets := s.Random.Sets
	if sets == nil {
		sets = []string{""}
	}
	for _, set := range sets {
		for seed := range s.Random.Seeds {
			r := s.Run(t, s.Bench(s.Configure(t, set)), seed+1, s.Random.Cycles)
			t.Logf("%q, seed %d: %d events", set, seed+1, r.Events)
		}
	}
}

// Configure is the default configuration with settings applied.
func (s Suite[P]) Configure(t testing.TB, set string) P {
	t.Helper()
	p := s.Default()
	if err := gen.SetAll(p, set); err != nil {
		t.Fatal(err)
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Open powers up the RTL of a configuration, for a test that drives it. A failing assertion
// fails the test.
func (s Suite[P]) Open(t testing.TB, p P) *cosim.Sim {
	t.Helper()
	b := s.Bench(p)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	sim, err := cosim.Open(t.Context(), b.Source())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(sim.Err(), sim.Close()); err != nil {
			t.Error(err)
		}
	})
	return sim
}

// Bit returns the value of a one-bit port for b.
func Bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
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

// Summary returns the fault of a run: its failure, or the points it missed.
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

// Evidence does the same with a section of the unit's page of evidence: text is a page with a
// title, which becomes the heading of the section.
func (s Suite[P]) Evidence(t *testing.T, name, text string) { Evidence(t, s.Name, name, text) }

// Evidence is Suite.Evidence for a unit whose tests are no Suite.
func Evidence(t *testing.T, unit, name, text string) {
	t.Helper()
	evidencePages.Lock() // tests that run in parallel write sections of one page
	defer evidencePages.Unlock()
	file, have := evidencePage(t, unit, name)
	if have == nil {
		return
	}
	want, err := section.Replace(string(have), name, section.Lower(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if want == string(have) {
		return
	}
	if !Updating() {
		t.Errorf("%s is stale (-have +want), run: %s\n%s", file, command(t, unit), cmp.Diff(string(have), want))
		return
	}
	if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

var evidencePages sync.Mutex

// evidencePage reads a unit's page of evidence, of which a section is to be compared or written; text is
// nil if nothing was measured yet, and nothing is to be written.
func evidencePage(t *testing.T, unit, name string) (file string, text []byte) {
	t.Helper()
	file = "../../docs/" + section.File(unit)
	text, err := os.ReadFile(file)
	switch absent := errors.Is(err, fs.ErrNotExist); {
	case absent && Updating():
		t.Fatalf("%v: write the page with `go run . doc` in the module's folder", err)
	case absent:
		return file, nil
	case err != nil:
		t.Fatal(err)
	}
	if part, ok := section.Of(string(text), name); ok && !section.Written(part) && !Updating() {
		return file, nil
	}
	return file, text
}

// inEvidence demands that a section that Evidence writes has these lines among others.
func (s Suite[P]) inEvidence(t *testing.T, name string, lines []string) {
	t.Helper()
	file, page := evidencePage(t, s.Name, name)
	if page == nil {
		return
	}
	have, _ := section.Of(string(page), name)
	for _, l := range lines {
		if !strings.Contains(have, l) {
			t.Errorf("%s is stale: section %s has no line %q, run: %s", file, name, l, s.command(t))
		}
	}
}

// command returns the command that writes the pages checked by a test.
func (s Suite[P]) command(t *testing.T) string { return command(t, s.Name) }

func command(t *testing.T, unit string) string {
	return "go test ./tb/" + unit + " -run " + t.Name() + " -update"
}
