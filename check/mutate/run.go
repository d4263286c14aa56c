// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/check/equiv"
	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// Results for a mutant.
const (
	Killed     = "killed"     // an output differed from the golden model's, or its judge missed something at the end
	Equivalent = "equivalent" // shown to be the same at the ports
	Survived   = "survived"   // neither
	Errored    = "error"      // it could not be run to an end; not a kill
)

// Outcome is the result for one mutant.
type Outcome struct {
	Number int    `json:"number"`
	Status string `json:"status"` // Killed, Equivalent, Survived or Errored
	// For a killed mutant: the stimulus, the cycle and the port that differed. For a survivor,
	// Cycles is the sum over all stimuli that it survived.
	Seed   uint64 `json:"seed,omitempty"`
	Cycles uint64 `json:"cycles,omitempty"`
	Port   string `json:"port,omitempty"`
	// For an equivalent mutant, the method of proof; for an error, its text; for a mutant killed by
	// a missing output, the judge's words.
	Note string `json:"note,omitempty"`
}

// Step is one stimulus that mutants get.
type Step = bench.Step

// Job is one configuration of a unit that is to be mutated.
type Job struct {
	Unit     string
	Name     string // of the configuration: "default"
	Settings string // "key=value …" on top of the default; empty for the default
	Bench    cosim.Bench
	Own      bool     // mutate the top module, not the modules in it,
	Apart    []string // or, if there are any, not these modules in it
	Mutants  int      // number of mutants to draw
	Seed     uint64   // of the draw
	Steps    []Step   // the stimuli before an attempt to show that a mutant is equivalent, shortest first
	Long     []Step   // those for mutants that are not shown to be
	// Invariants hold in every state after a reset; equivalence ignores other states.
	Invariants []string
}

// Options are the circumstances of a run.
type Options struct {
	Work    string // folder for intermediate results; if empty, none are kept
	Workers int    // builds and runs at a time; 0: one for each core
	// Only, if not empty, runs just the drawn mutants whose String is among these. They share
	// designs only with each other, so no results are kept.
	Only     []string
	Brief    bool           // a mutant that lives through the steps is a survivor, equivalent or not
	Progress func(Progress) // called now and then, from several goroutines, if set
}

// Progress is the progress of a run.
type Progress struct {
	Total, Killed, Equivalent, Survived, Errors int
}

// Done returns the number of mutants that are judged.
func (p Progress) Done() int { return p.Killed + p.Equivalent + p.Survived + p.Errors }

func (p *Progress) add(status string) {
	switch status {
	case Killed:
		p.Killed++
	case Equivalent:
		p.Equivalent++
	case Survived:
		p.Survived++
	case Errored:
		p.Errors++
	}
}

// Result is the result of a run.
type Result struct {
	Design   *mutant.Design
	Text     string          // gen.DesignDigest of the emitted files
	Mutants  []mutant.Mutant // drawn, in the order of their numbers
	Outcomes []Outcome       // of those that ran, in the order of their numbers
}

// batchSize is the number of mutants in one design: more make its simulation slower, fewer cost
// more builds. The assignment of mutants to designs depends on nothing else, because the values at
// power-up depend on the design.
const batchSize = 128

// Run draws mutants of a job's design and judges them. With a work folder, mutants that an earlier
// run judged are taken from there, even if that run was interrupted; the results do not depend on
// that, nor on the number of workers. It returns an error if a tool fails, the context ends, the
// design differs from the golden model with no mutant active, or the files in the work folder
// cannot be read.
func Run(ctx context.Context, j Job, o Options) (*Result, error) {
	d, err := mutant.Elaborate(ctx, j.Bench.Source(), j.Own, j.Apart...)
	if err != nil {
		return nil, err
	}
	if err := equiv.CheckInvariants(ctx, d, j.Invariants); err != nil {
		return nil, fmt.Errorf("%s %s: %w", j.Unit, j.Name, err)
	}
	list, err := d.List(ctx, j.Mutants, j.Seed)
	if err != nil {
		return nil, err
	}
	drawn, work := list, o.Work
	if len(o.Only) > 0 {
		list, work = slices.DeleteFunc(slices.Clone(list), func(m mutant.Mutant) bool { return !slices.Contains(o.Only, m.String()) }), ""
	}
	store, err := openStore(work, &j, d)
	if err != nil {
		return nil, err
	}
	defer store.close()

	r := &runner{job: &j, design: d, mutants: list, store: store, brief: o.Brief, notify: o.Progress}
	r.search = sync.OnceValues(func() (*equiv.Search, error) { return equiv.NewSearch(ctx, d, list, j.Invariants) })
	var batches [][]mutant.Mutant
	for batch := range slices.Chunk(list, batchSize) {
		open := 0
		for _, m := range batch {
			if out, ok := store.done[m.Number]; ok {
				r.outcomes = append(r.outcomes, out)
				r.progress.add(out.Status)
			} else {
				open++
			}
			r.progress.Total++
		}
		if open > 0 {
			batches = append(batches, batch)
		}
	}
	r.tell()
	if len(batches) > 0 {
		if err := r.sound(ctx); err != nil {
			return nil, fmt.Errorf("%s %s: %w", j.Unit, j.Name, err)
		}
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for _, batch := range batches {
		g.Go(func() error { return r.batch(gctx, batch) })
	}
	err = g.Wait()
	slices.SortFunc(r.outcomes, func(a, b Outcome) int { return a.Number - b.Number })
	var files []gen.File
	for _, f := range j.Bench.Source().Files {
		files = append(files, gen.File(f))
	}
	return &Result{Design: d, Text: gen.DesignDigest(d.Top, files), Mutants: drawn, Outcomes: r.outcomes}, errors.Join(err, store.close())
}

// runner judges the mutants of one job.
type runner struct {
	job     *Job
	design  *mutant.Design
	mutants []mutant.Mutant
	search  func() (*equiv.Search, error) // made when the first mutant lives
	store   *store
	brief   bool
	notify  func(Progress)

	mu       sync.Mutex
	outcomes []Outcome
	progress Progress
}

func (r *runner) tell() {
	if r.notify != nil {
		r.notify(r.progress)
	}
}

// keep records an outcome.
func (r *runner) keep(out Outcome) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes = append(r.outcomes, out)
	r.progress.add(out.Status)
	r.tell()
	return r.store.put(out)
}

// batch builds a design with several mutants and judges those that are open.
func (r *runner) batch(ctx context.Context, mutants []mutant.Mutant) error {
	src, err := r.design.Mutated(ctx, mutants)
	if err != nil {
		return err
	}
	lib, err := cosim.Build(ctx, src, cosim.BuildOptions{})
	if err != nil {
		return fmt.Errorf("%s %s: mutants %d to %d: %w", r.job.Unit, r.job.Name, mutants[0].Number, mutants[len(mutants)-1].Number, err)
	}
	defer lib.Close()
	b := &batch{runner: r, lib: lib, source: src, checked: map[Step]bool{}}
	for i := range mutants {
		if _, ok := r.store.done[mutants[i].Number]; ok {
			continue
		}
		out, err := b.judge(ctx, &mutants[i], uint64(i)+1)
		var wrong *miscompiled
		if errors.As(err, &wrong) {
			return r.split(ctx, mutants, i, wrong)
		}
		if err != nil {
			return err
		}
		if err := r.keep(out); err != nil {
			return err
		}
	}
	return nil
}

// sound checks that the design without mutants equals the golden model.
func (r *runner) sound(ctx context.Context) error {
	src, err := r.design.Mutated(ctx, nil)
	if err != nil {
		return err
	}
	lib, err := cosim.Build(ctx, src, cosim.BuildOptions{})
	if err != nil {
		return err
	}
	defer lib.Close()
	for _, s := range r.job.Steps {
		rep, err := cosim.RunOn(ctx, lib, r.job.Bench, cosim.RunOptions{Unit: r.job.Unit, Seed: s.Seed, Cycles: s.Cycles})
		if err != nil {
			return err
		}
		if differs(rep) {
			return &miscompiled{rep.Failure.Summary()}
		}
	}
	return nil
}

// equivalent calls Show of the search that all mutants share.
func (r *runner) equivalent(ctx context.Context, m *mutant.Mutant) (string, error) {
	s, err := r.search()
	if err != nil {
		return "", err
	}
	return s.Show(ctx, m)
}

// split continues with the rest of a batch in whose design the simulator is wrong, in two smaller
// batches. A mutant that is alone in its batch and still causes the error cannot be judged.
func (r *runner) split(ctx context.Context, mutants []mutant.Mutant, from int, wrong *miscompiled) error {
	if len(mutants) == 1 {
		return r.keep(Outcome{Number: mutants[0].Number, Status: Errored, Note: wrong.Error()})
	}
	half := len(mutants) / 2
	for _, part := range [][]mutant.Mutant{mutants[:half], mutants[half:]} {
		if from >= len(part) { // all of it is judged
			from -= len(part)
			continue
		}
		if err := r.batch(ctx, part[from:]); err != nil {
			return err
		}
		from = 0
	}
	return nil
}

// miscompiled is the error for a design that differs from the golden model with no
// mutant active.
type miscompiled struct{ what string }

// Error describes the difference.
func (m *miscompiled) Error() string {
	return "with no mutant active, the design as Yosys writes it differs from the golden model: " + m.what
}

// batch is a compiled design with several mutants.
type batch struct {
	*runner
	lib     *cosim.Library
	source  cosim.Source
	checked map[Step]bool // stimuli that the design without a mutant has passed
}

// judge determines the result for a mutant; place is the value of mutant.Select.
func (b *batch) judge(ctx context.Context, m *mutant.Mutant, place uint64) (Outcome, error) {
	out := Outcome{Number: m.Number}
	lived, dead, err := b.steps(ctx, place, b.job.Steps, &out)
	if dead || err != nil {
		return out, err
	}
	if !b.brief {
		how, err := equiv.Cached(ctx, b.design, m, b.job.Invariants, func() (string, error) { return b.equivalent(ctx, m) })
		if err != nil {
			return out, fmt.Errorf("mutant %d: %w", m.Number, err)
		}
		if how != "" {
			out.Status, out.Note = Equivalent, how
			return out, nil
		}
	}
	more, dead, err := b.steps(ctx, place, b.job.Long, &out)
	if dead || err != nil {
		return out, err
	}
	out.Status, out.Cycles = Survived, lived+more
	return out, nil
}

// steps runs stimuli until one of them ends the mutant.
func (b *batch) steps(ctx context.Context, place uint64, steps []Step, out *Outcome) (lived uint64, dead bool, err error) {
	for _, s := range steps {
		rep, err := b.run(ctx, place, s)
		if err != nil {
			return 0, false, err
		}
		if differs(rep) && !b.checked[s] {
			clean, err := b.run(ctx, 0, s)
			if err != nil {
				return 0, false, err
			}
			if differs(clean) {
				return 0, false, &miscompiled{clean.Failure.Summary()}
			}
			b.checked[s] = true
		}
		switch rep.Outcome {
		case cosim.Mismatch:
			out.Status, out.Seed, out.Cycles, out.Port = Killed, s.Seed, rep.Failure.Cycle+1, rep.Failure.Port
			return 0, true, nil
		case cosim.Verdict: // no wrong output came, but a due one is missing
			out.Status, out.Seed, out.Cycles, out.Port, out.Note = Killed, s.Seed, rep.Cycles, rep.Outcome, rep.Failure.Message
			return 0, true, nil
		case cosim.Fault:
			out.Status, out.Seed, out.Cycles, out.Note = Errored, s.Seed, rep.Failure.Cycle+1, rep.Failure.Summary()
			return 0, true, nil
		}
		lived += rep.Cycles
	}
	return lived, false, nil
}

// differs reports whether a run failed for another reason than being short.
func differs(r *cosim.Report) bool { return r.Outcome != cosim.Pass && r.Outcome != cosim.Missed }

func (b *batch) run(ctx context.Context, place uint64, s Step) (*cosim.Report, error) {
	rep, err := cosim.RunOn(ctx, b.lib, &selected{b.job.Bench, b.source, place},
		cosim.RunOptions{Unit: b.job.Unit, Seed: s.Seed, Cycles: s.Cycles})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", b.job.Unit, b.job.Name, err)
	}
	return rep, nil
}

// selected is a bench with a mutant active.
type selected struct {
	cosim.Bench
	source cosim.Source
	place  uint64
}

// Source implements cosim.Bench.
func (s *selected) Source() cosim.Source { return s.source }

// NewStimulus implements cosim.Bench.
func (s *selected) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	slot, ok := l.Slot(mutant.Select)
	if !ok {
		return nil, fmt.Errorf("module %s has no input %s", s.source.Top, mutant.Select)
	}
	x, err := s.Bench.NewStimulus(l, seed)
	return &selecting{x, slot, s.place}, err
}

// selecting drives mutant.Select in addition to the inputs of the unit.
type selecting struct {
	cosim.Stimulus
	slot  cosim.Slot
	place uint64
}

// Next implements cosim.Stimulus.
func (s *selecting) Next(in []uint64) {
	s.Stimulus.Next(in)
	s.slot.Set(in, s.place)
}
