// SPDX-License-Identifier: Apache-2.0

package mutate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/equiv"
	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

// unitJob returns the job of a full run for a configuration of a unit.
func unitJob(t *testing.T, u registry.Unit, x bench.Target) mutate.Job {
	t.Helper()
	j, err := mutate.NewJob(u.New(), u.Bench, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// known returns the list of survivors of a unit.
func known(t *testing.T, u registry.Unit) []mutate.Survivor {
	t.Helper()
	list, err := mutate.ReadSurvivors("tb/"+u.New().Unit()+"/survivors.yaml", []byte(u.Mutation.Survivors))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The first mutants of the full runs, as many as each unit says: each is killed, shown
// equivalent, or listed. A short test takes some of the units.
func TestSample(t *testing.T) {
	runs := sample.Chosen(registry.Units, func(u registry.Unit) string { return t.Name() + "/" + u.New().Unit() })
	for i, u := range registry.Units {
		switch unit := u.New().Unit(); {
		case u.Mutation == nil:
			t.Errorf("%s does not say how it is mutated", unit)
		case !slices.ContainsFunc(u.Mutation.Targets, func(x bench.Target) bool { return x.Sample > 0 }):
			t.Errorf("%s has no configuration of which test runs judge some mutants", unit)
		case runs[i]:
			sampled(t, u)
		}
	}
}

// The same for blocks, each of which takes minutes.
func TestSampleBlocks(t *testing.T) {
	for _, u := range registry.Blocks {
		if u.Mutation != nil && !sample.LeftOut(t.Name()+"/"+u.New().Unit()) {
			sampled(t, u)
		}
	}
}

// sampled judges the first mutants of a unit.
func sampled(t *testing.T, u registry.Unit) {
	t.Helper()
	unit := u.New().Unit()
	for _, x := range u.Mutation.Targets {
		if x.Sample == 0 {
			continue
		}
		t.Run(unit+"/"+x.Name, func(t *testing.T) {
			j := unitJob(t, u, x)
			j.Mutants = x.Sample
			r, err := mutate.Run(t.Context(), j, mutate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := r.Summarise(x, known(t, u))
			for _, f := range s.Open {
				if again(t, unit) && f.Status == mutate.Survived {
					t.Logf("%d survives, and is to be explained: %s", f.Number, f.Mutant)
					continue
				}
				t.Errorf("%s %d: %s, from %s; see: nicgen mutate %s --only %s", f.Status, f.Number, f.Mutant, f.Source, unit, x.Name)
			}
			if s.Mutants != x.Sample || s.Killed < x.Sample/2 {
				t.Errorf("%d of %d mutants killed, want %d mutants and most of them killed", s.Killed, s.Mutants, x.Sample)
			}
		})
	}
}

// again reports whether the mutation run of a unit is listed as due. Until it is repeated, its
// survivors belong to other RTL.
func again(t *testing.T, unit string) bool {
	t.Helper()
	list, err := due.Read(os.DirFS("../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	return list.Has(unit, "mutate")
}

// Every entry of the lists of survivors names a mutant that the full run draws, and it
// still lives. A short test takes some of the configurations.
func TestListed(t *testing.T) {
	for _, u := range registry.Units {
		unit, list := u.New().Unit(), known(t, u)
		for _, x := range u.Mutation.Targets {
			var only []string
			for _, s := range list {
				if s.Configuration == x.Name {
					only = append(only, s.Mutant)
				}
			}
			if len(only) == 0 {
				continue
			}
			if sample.LeftOut(t.Name() + "/" + unit + "/" + x.Name) {
				continue
			}
			t.Run(unit+"/"+x.Name, func(t *testing.T) {
				j := unitJob(t, u, x)
				j.Steps, j.Long = j.Steps[:3], nil
				r, err := mutate.Run(t.Context(), j, mutate.Options{Only: only, Brief: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range r.Stale(x.Name, list) {
					if again(t, unit) {
						t.Logf("%s was of other RTL", s.Mutant)
						continue
					}
					t.Errorf("%s is not drawn any more, or killed: run nicgen mutate %s and take the entry away", s.Mutant, unit)
				}
			})
		}
		for _, s := range list {
			known := slices.ContainsFunc(u.Mutation.Targets, func(x bench.Target) bool { return x.Name == s.Configuration })
			if !known && s.Configuration != mutate.ModelConfiguration {
				t.Errorf("%s: %s: there is no configuration %s", unit, s.Mutant, s.Configuration)
			}
		}
	}
}

// counter is a design with a part that no output shows.
var counter = func() string {
	text, err := os.ReadFile("../equiv/testdata/counter.sv")
	if err != nil {
		panic(err)
	}
	return string(text)
}()

// counterBench drives counter.
type counterBench struct{ text string }

func (b counterBench) Source() cosim.Source {
	return cosim.Source{Top: "counter", Files: []cosim.File{{Name: "counter.sv", Text: b.text}}}
}

func (counterBench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return &noise{l: l, s: seed}, nil
}

func (counterBench) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return &golden{l: l}, nil
}

func (counterBench) Points() []cosim.Point { return nil }

type noise struct {
	cosim.Autonomous
	l     *cosim.Layout
	s     uint64
	cycle int
}

func (n *noise) Next(in []uint64) {
	n.s = n.s*6364136223846793005 + 1442695040888963407
	n.l.MustSlot("step").Set(in, n.s>>60)
	n.l.MustSlot("load").Set(in, n.s>>40)
	if n.cycle++; n.cycle < 3 {
		n.l.MustSlot("rst").Set(in, 1)
	}
}

type golden struct {
	cosim.Modelled
	l     *cosim.Layout
	known bool
	late  [2]struct{ value, valid uint64 }
}

func (g *golden) Step(in, want, care []uint64) {
	if g.known {
		valid, count := g.l.MustSlot("m_count_valid"), g.l.MustSlot("m_count")
		valid.Set(care, 1)
		valid.Set(want, g.late[1].valid)
		if g.late[1].valid == 1 {
			count.Set(care, 255)
			count.Set(want, g.late[1].value)
		}
	}
	g.late[1] = g.late[0]
	g.late[0].valid, g.late[0].value = g.l.MustSlot("step").Get(in), g.l.MustSlot("load").Get(in)
	if g.l.MustSlot("rst").Get(in) == 1 {
		g.late[0].valid, g.late[1].valid, g.known = 0, 0, true
	}
}

func (g *golden) Hits() []uint64          { return nil }
func (g *golden) Events() uint64          { return 0 }
func (g *golden) Explain([]uint64) string { return "" }

func job(text string) mutate.Job {
	return mutate.Job{Unit: "counter", Name: "only", Bench: counterBench{text}, Mutants: 50, Seed: 1, Invariants: []string{"never_q == 0"},
		Steps: []mutate.Step{{Seed: 1, Cycles: 200}, {Seed: 2, Cycles: 1000}}, Long: []mutate.Step{{Seed: 3, Cycles: 5000}}}
}

// Every mutant of the counter is killed or, where no output shows it, proved equivalent; a
// continued run gives the same result as an uninterrupted one.
func TestCounter(t *testing.T) {
	whole, err := mutate.Run(t.Context(), job(counter), mutate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	equivalent, followed := 0, 0
	for i, o := range whole.Outcomes {
		m := whole.Mutants[i].String()
		hidden := strings.Contains(m, "hidden_q") || strings.Contains(m, "$add#")
		switch {
		case o.Status == mutate.Equivalent:
			equivalent++
			if strings.Contains(o.Note, "induction over") {
				followed++
			}
		case o.Status != mutate.Killed:
			t.Errorf("%s is %s", m, o.Status)
		case hidden:
			t.Errorf("%s was killed by %s", m, o.Port)
		}
	}
	if len(whole.Outcomes) != 50 || equivalent < 10 || followed < 5 {
		t.Errorf("%d mutants, %d equivalent, %d of them by induction over cycles, want 50, 10 and 5", len(whole.Outcomes), equivalent, followed)
	}

	work := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = mutate.Run(ctx, job(counter), mutate.Options{Work: work, Workers: 1, Progress: func(p mutate.Progress) {
		if p.Done() == 15 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
	// A record that a crash cut off does not count.
	files, _ := filepath.Glob(filepath.Join(work, "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("files %v, want one", files)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"number":37,"sta`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	first := -1
	again, err := mutate.Run(t.Context(), job(counter), mutate.Options{Work: work, Progress: func(p mutate.Progress) {
		if first < 0 {
			first = p.Done()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if first != 15 {
		t.Errorf("it continues with %d mutants judged, want 15", first)
	}
	if diff := cmp.Diff(whole.Outcomes, again.Outcomes); diff != "" {
		t.Errorf("a run that was stopped gives something else:\n%s", diff)
	}
}

// outer has the counter as a part, and logic in front of it that changes nothing.
var outer = counter + `
module outer (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       step,
  input  wire logic [7:0] load,
  output logic      [7:0] m_count,
  output logic            m_count_valid
);
  (* keep_hierarchy = "yes" *)
  counter part (
    .clk, .rst, .step, .load((load & {8{step}}) | (load & {8{!step}})), .m_count, .m_count_valid
  );
endmodule
`

type outerBench struct{ counterBench }

func (b outerBench) Source() cosim.Source {
	s := b.counterBench.Source()
	s.Top = "outer"
	return s
}

// With its parts cut out, a mutant of the top module is proved equivalent if the parts' inputs stay
// the same, and no killed mutant is.
func TestOwn(t *testing.T) {
	j := job(outer)
	j.Bench, j.Own, j.Invariants = outerBench{counterBench{outer}}, true, nil
	r, err := mutate.Run(t.Context(), j, mutate.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	search, err := equiv.NewSearch(t.Context(), r.Design, r.Mutants, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for i, o := range r.Outcomes {
		m := &r.Mutants[i]
		n[o.Status]++
		if o.Status != mutate.Killed {
			continue
		}
		if strings.Contains(m.String(), "hidden_q") {
			t.Errorf("%s is a mutant of the part", m)
		}
		if how, err := search.Show(t.Context(), m); how != "" || err != nil {
			t.Errorf("%s was killed, and is shown equivalent: %q, error %v", m, how, err)
		}
	}
	// Of the survivors the part makes nothing: no step, so no load.
	if n[mutate.Equivalent] == 0 || n[mutate.Survived] == 0 || n[mutate.Killed] < 20 || n[mutate.Errored] != 0 {
		t.Errorf("found %v, want some equivalent ones, some survivors and 20 or more killed", n)
	}
}

// If apart names a part, that part has no mutants, and other modules in the top have some.
func TestInner(t *testing.T) {
	between := strings.Replace(outer, "module outer (", "module middle (", 1) + `
module outer (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       step,
  input  wire logic [7:0] load,
  output logic      [7:0] m_count,
  output logic            m_count_valid
);
  middle inner (.clk, .rst, .step, .load, .m_count, .m_count_valid);
endmodule
`
	j := job(between)
	j.Bench, j.Own, j.Apart, j.Invariants = outerBench{counterBench{between}}, true, []string{"counter"}, nil
	r, err := mutate.Run(t.Context(), j, mutate.Options{Workers: 1, Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	killed, logic := 0, 0
	for i, o := range r.Outcomes {
		m := r.Mutants[i].String()
		if strings.Contains(m, "hidden_q") {
			t.Errorf("%s is a mutant of the part", m)
		}
		if strings.Contains(m, "$and#") || strings.Contains(m, "$or#") {
			logic++
		}
		if o.Status == mutate.Killed {
			killed++
		}
	}
	if logic == 0 || killed < 20 {
		t.Errorf("%d mutants of the logic between, %d killed, want some and 20", logic, killed)
	}
}

// reactingBench has a stimulus that does nothing unless it is shown the outputs of the cycle before.
type reactingBench struct{ counterBench }

func (b reactingBench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	x, err := b.counterBench.NewStimulus(l, seed)
	return &waiting{x, true}, err
}

type waiting struct {
	cosim.Stimulus
	shown bool
}

// Next implements cosim.Stimulus.
func (w *waiting) Next(in []uint64) {
	if w.shown {
		w.Stimulus.Next(in)
	}
	w.shown = false
}

// Hooks implements cosim.Stimulus.
func (w *waiting) Hooks() cosim.StimulusHooks {
	return cosim.StimulusHooks{React: func([]uint64) { w.shown = true }}
}

// A stimulus that reacts to its device also reacts to a mutant's.
func TestReacting(t *testing.T) {
	j := job(counter)
	want, err := mutate.Run(t.Context(), j, mutate.Options{Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	j.Bench = reactingBench{counterBench{counter}}
	got, err := mutate.Run(t.Context(), j, mutate.Options{Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Outcomes, got.Outcomes); diff != "" {
		t.Errorf("found, and want what a stimulus finds that needs no answer:\n%s", diff)
	}
}

// judgedBench has a golden model that follows its device, and says at the end whether it was wrong.
type judgedBench struct{ counterBench }

func (b judgedBench) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return &judged{golden: golden{l: l}, got: make([]uint64, l.OutWords)}, nil
}

type judged struct {
	golden
	got   []uint64
	wrong bool
}

// Hooks implements cosim.Predictor.
func (g *judged) Hooks() cosim.PredictorHooks {
	return cosim.PredictorHooks{Observe: func(got []uint64) { copy(g.got, got) }, Verdict: g.verdict}
}

// Step implements cosim.Predictor.
func (g *judged) Step(in, want, care []uint64) {
	g.golden.Step(in, want, care)
	for i := range care {
		g.wrong = g.wrong || (want[i]^g.got[i])&care[i] != 0
	}
	clear(care)
}

func (g *judged) verdict() error {
	if g.wrong {
		return errors.New("it was wrong")
	}
	return nil
}

// A judge's final finding kills a mutant too.
func TestJudged(t *testing.T) {
	j := job(counter)
	want, err := mutate.Run(t.Context(), j, mutate.Options{Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	j.Bench = judgedBench{counterBench{counter}}
	got, err := mutate.Run(t.Context(), j, mutate.Options{Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for i, o := range got.Outcomes {
		if o.Status != want.Outcomes[i].Status {
			t.Errorf("%s is %s, want %s", &got.Mutants[i], o.Status, want.Outcomes[i].Status)
		}
		if o.Status == mutate.Killed {
			killed++
			if o.Port != cosim.Verdict || o.Note == "" {
				t.Errorf("%s was killed by %q, %q", &got.Mutants[i], o.Port, o.Note)
			}
		}
	}
	if killed == 0 {
		t.Error("none was killed")
	}
}

// A design that differs from the golden model without any mutant grades nothing.
func TestBroken(t *testing.T) {
	_, err := mutate.Run(t.Context(), job(strings.Replace(counter, "step ? load", "step ? ~load", 1)), mutate.Options{})
	if err == nil || !strings.Contains(err.Error(), "with no mutant active") {
		t.Errorf("error %v, want one about the design without a mutant", err)
	}
}

// A listed survivor is reported separately; an entry for a mutant that does not survive is stale.
func TestSurvivors(t *testing.T) {
	m := mutant.Mutant{Number: 1, Mode: "inv", Place: "$add#1", Port: "Y", CtrlBit: -1}
	r := &mutate.Result{Design: &mutant.Design{}, Mutants: []mutant.Mutant{m, {Number: 2, Mode: "cnot0", Place: "$x#1", Port: "A", PortBit: 3, CtrlBit: 2, Wire: "w", WireBit: 5}},
		Outcomes: []mutate.Outcome{{Number: 1, Status: mutate.Survived}, {Number: 2, Status: mutate.Survived}}}
	list, err := mutate.ReadSurvivors("list.yaml", []byte(`
- {configuration: small, mutant: inv port Y bit 0 of $add#1, reason: why}
- {configuration: small, mutant: "cnot0 by bit 2, port A bit 3 of $y#1 (w[5])", reason: gone}
- {configuration: other, mutant: "cnot0 by bit 2, port A bit 3 of $x#1 (w[5])", reason: not here}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Summarise(bench.Target{Name: "small"}, list)
	if s.Listed != 1 || s.Survived != 1 || len(s.Open) != 1 || s.Open[0].Mutant != "cnot0 by bit 2, port A bit 3 of $x#1 (w[5])" || s.Survivors[0].Reason != "why" {
		t.Errorf("summary %+v", s)
	}
	if stale := r.Stale("small", list); !slices.Equal(stale, list[1:2]) {
		t.Errorf("stale %v, want the second entry", stale)
	}
	for _, bad := range []string{"- {configuration: small, mutant: x}", "- {configuration: a, mutant: b, reason: c}\n- {configuration: a, mutant: b, reason: d}", "- {what: 1}", "7"} {
		if _, err := mutate.ReadSurvivors("list.yaml", []byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// A score is 100 % only if it is full.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		killed, mutants, equivalent int
		want                        string
	}{{1000, 1000, 0, "100 %"}, {99999, 100000, 0, "99.99 %"}, {0, 7, 7, "100 %"}, {1, 3, 0, "33.33 %"}, {0, 5, 1, "0.00 %"}, {19, 20, 1, "100 %"}} {
		if got := mutate.Percent(mutate.Score(c.killed, c.mutants, c.equivalent)); got != c.want {
			t.Errorf("%+v gives %s", c, got)
		}
	}
}
