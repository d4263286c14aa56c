// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/failure"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/plant"
)

// A Bug is a mistake in the RTL: edits of one emitted file.
type Bug struct {
	Name, File, Set string
	Edits           plant.Edits
	// Limit is the number of cycles with events that its shrunk stimulus may have; 0 means
	// the suite's limit.
	Limit int
	Seed  uint64 // of the stimulus; 0 means 1
}

const handful = 12

// searchCycles is the number of cycles searched for a mistake.
const searchCycles = 1_000_000

// plantedBugs demands that every bug is noticed, shrinks to a handful of events, is explained, and leaves a replay file that
// fails again in the same way but passes without the bug; the first of those that run leaves a waveform too. The table of them
// is a section of docs/units/<unit>_evidence.md. A predictor's Explain must include whether the unit is ready.
func (s Suite[P]) plantedBugs(t *testing.T) {
	rows := make([]string, len(s.Bugs))
	// A short test leaves out most bugs; a text that is no longer there must not wait for its turn.
	for i := range s.Bugs {
		s.withBug(t, &s.Bugs[i])
	}
	t.Run("bugs", func(t *testing.T) {
		drawn := false
		runs := sample.Chosen(s.Bugs, func(b Bug) string { return s.Name + "/" + b.Name })
		for i := range s.Bugs {
			if !runs[i] {
				continue
			}
			b, wave := &s.Bugs[i], !drawn
			drawn = true
			t.Run(b.Name, func(t *testing.T) {
				t.Parallel()
				rows[i] = s.planted(t, b, wave)
			})
		}
	})
	if t.Failed() {
		return
	}
	planted := cmp.Or(s.Planted, "# Planted bugs\n\nMistakes planted in the RTL by hand, and how the bench noticed each.")
	if testing.Short() {
		s.inEvidence(t, "planted", rows)
		return
	}
	s.Evidence(t, "planted", planted+"\n\nWritten by `"+s.command(t)+"`, which also checks it.\n\n"+
		"| bug | file | noticed by | in cycle | shrunk to |\n|---|---|---|---:|---:|\n"+strings.Join(rows, ""))
}

// planted looks for one bug and returns its row of the table; wave is set if the failure is
// also drawn.
func (s Suite[P]) planted(t *testing.T, b *Bug, wave bool) string {
	bad := s.withBug(t, b)
	r, err := failure.Run(t.Context(), bad, failure.Options{NoWave: !wave,
		RunOptions: cosim.RunOptions{Unit: s.Name, Seed: max(b.Seed, 1), Cycles: searchCycles, OutDir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != cosim.Mismatch && r.Outcome != cosim.Fault {
		t.Fatalf("outcome %s after %d cycles: the bug went unnoticed", r.Outcome, r.Cycles)
	}
	f := r.Failure
	if f.Shrunk == nil || f.Replay == "" || wave != (f.Wave != "") || wave != (f.Save != "") {
		t.Fatalf("%s: shrunk %v, replay file %q, waveform %q, save file %q; notes %v", f.Summary(), f.Shrunk, f.Replay, f.Wave, f.Save, r.Notes)
	}
	if f.Kind == cosim.Mismatch && (f.Want == f.Got || !strings.Contains(f.Explain, "ready") || f.Shrunk.Explain == "") {
		t.Errorf("%s: want %q, got %q, explained as %q and %q", f.Summary(), f.Want, f.Got, f.Explain, f.Shrunk.Explain)
	}
	n, limit := eventful(f.Shrunk), cmp.Or(b.Limit, s.Limit, handful)
	if n > limit {
		t.Errorf("%s: shrunk to %d cycles with events, want at most %d: %v", f.Summary(), n, limit, f.Shrunk.Inputs)
	}
	s.again(t, bad, f)
	cycle := fmt.Sprint(f.Cycle)
	if b.Seed > 1 {
		cycle += fmt.Sprintf(" of seed %d", b.Seed)
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %d |\n", b.Name, b.File, where(f), cycle, n)
}

// withBug returns a prepared bench whose RTL has a bug.
func (s Suite[P]) withBug(t *testing.T, b *Bug) *bench.Bench[P] {
	t.Helper()
	bad := s.Bench(s.Configure(t, b.Set))
	found := false
	bad.Edit = func(name, text string) string {
		if name == b.File {
			found = true
			return b.Plant(t, text)
		}
		return text
	}
	if err := bad.Prepare(); err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatalf("%s: the configuration has no file %s", b.Name, b.File)
	}
	return bad
}

// Plant edits the text of File.
func (b *Bug) Plant(t *testing.T, text string) string {
	t.Helper()
	text, err := b.Edits.Apply(b.File, text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// eventful counts the cycles of a stimulus in which something happens: a port that
// ends in valid is high. Resets and waiting do not count.
func eventful(s *cosim.Shrunk) int {
	n := 0
	for _, c := range s.Inputs {
		for port := range c.Ports {
			if strings.HasSuffix(port, "valid") {
				n += int(c.Last - c.Cycle + 1)
				break
			}
		}
	}
	return n
}

// The result names the detector of a failure: an output port, or an assertion's sentence.
func where(f *cosim.Failure) string {
	if f.Kind == cosim.Fault {
		message, _, _ := strings.Cut(f.Message, "\n")
		if i := strings.LastIndex(message, ": "); i >= 0 {
			message = message[i+2:]
		}
		return "assertion: " + message
	}
	return "`" + f.Port + "`"
}

// again replays a failure's file: it must fail as it did, and pass without the bug.
func (s Suite[P]) again(t *testing.T, bad *bench.Bench[P], f *cosim.Failure) {
	t.Helper()
	rec, err := failure.ReadReplay(f.Replay)
	if err != nil {
		t.Fatal(err)
	}
	r, err := failure.Replay(t.Context(), rec, bad, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Kind != f.Kind || len(r.Notes) > 0 || r.Failure.Cycle != f.Shrunk.Cycle {
		t.Errorf("the replay file gives %s (%v) with notes %v, want %s in cycle %d", r.Outcome, r.Failure, r.Notes, f.Kind, f.Shrunk.Cycle)
	}
	good := s.Bench(bad.P)
	if err := good.Prepare(); err != nil {
		t.Fatal(err)
	}
	if r, err = failure.Replay(t.Context(), rec, good, cosim.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if !r.OK() {
		t.Errorf("the replay file gives %s without the bug, want %s", r.Outcome, cosim.Pass)
	}
}

// A WrongModel is a golden model at fault: given other parameters than the RTL, or
// seeing other inputs, or bending its answer. What is nil changes nothing.
type WrongModel[P bench.Params] struct {
	Name, Set string
	Params    func(p P)
	Inputs    func(l *cosim.Layout, in []uint64)
	Answer    func(l *cosim.Layout, want, care []uint64)
}

// Flip is a golden model that has another value at an output, in one answer and all behind it.
type Flip struct {
	cosim.Predictor
	Port, Valid cosim.Slot
	Good        int // answers before it
}

// Step implements cosim.Predictor.
func (f *Flip) Step(in, want, care []uint64) {
	f.Predictor.Step(in, want, care)
	if f.Valid.Get(want) == 1 {
		if f.Good--; f.Good < 0 {
			f.Port.Set(want, f.Port.Get(want)^1)
		}
	}
}

// SetInput makes a wrong model see v at a port.
func SetInput(port string, v uint64) func(*cosim.Layout, []uint64) {
	return func(l *cosim.Layout, in []uint64) { l.MustSlot(port).Set(in, v) }
}

// AddInput makes a wrong model see n more at a port than there is.
func AddInput(port string, n uint64) func(*cosim.Layout, []uint64) {
	return func(l *cosim.Layout, in []uint64) {
		s := l.MustSlot(port)
		s.Set(in, s.Get(in)+n)
	}
}

// wrongModels demands that a wrong golden model is noticed: the comparison goes both
// ways.
func (s Suite[P]) wrongModels(t *testing.T) {
	for i := range s.Models {
		m := &s.Models[i]
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			b := s.Bench(s.Configure(t, m.Set))
			b.Emitted = s.Configure(t, m.Set)
			if m.Params != nil {
				m.Params(b.P)
			}
			r := s.run(t, b, &wrong[P]{b, m}, cosim.RunOptions{Seed: 1, Cycles: searchCycles})
			if r.Outcome != cosim.Mismatch {
				t.Errorf("outcome %s after %d cycles: the fault of the model went unnoticed", r.Outcome, r.Cycles)
			}
		})
	}
}

// wrong is a bench with a wrong golden model.
type wrong[P bench.Params] struct {
	*bench.Bench[P]
	m *WrongModel[P]
}

// NewPredictor implements cosim.Bench.
func (w *wrong[P]) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := w.Bench.NewPredictor(l, bare)
	return &wrongPredictor[P]{p, w.m, l, make([]uint64, l.InWords)}, err
}

type wrongPredictor[P bench.Params] struct {
	cosim.Predictor
	m  *WrongModel[P]
	l  *cosim.Layout
	in []uint64
}

// Step implements cosim.Predictor.
func (p *wrongPredictor[P]) Step(in, want, care []uint64) {
	copy(p.in, in)
	if p.m.Inputs != nil {
		p.m.Inputs(p.l, p.in)
	}
	p.Predictor.Step(p.in, want, care)
	if p.m.Answer != nil {
		p.m.Answer(p.l, want, care)
	}
}
