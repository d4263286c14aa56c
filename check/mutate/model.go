// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // the program around a model with mutants
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/check/gomutant"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed grader.go.txt
var grader string

// Results for a mutant of a golden model, in addition to Killed, Survived and Errored.
const (
	Crashed   = "crashed"   // the model panicked, or took more than its time or memory; not a kill
	Unreached = "unreached" // the bench does not execute it: it is in no part that the hardware has
)

// Model is the part of a report on mutants of the golden model: does the comparison notice mistakes
// in the model?
type Model struct {
	Package   string       `json:"package"` // "model/" and the unit
	Files     []string     `json:"files"`   // those with mutants
	Targets   []ModelSteps `json:"targets"`
	Mutants   int          `json:"mutants"`
	Killed    int          `json:"killed"`
	Crashed   int          `json:"crashed"`
	Unreached int          `json:"unreached"`
	Listed    int          `json:"listed"`
	Survived  int          `json:"survived"`
	Errors    int          `json:"errors"`
	Open      []Finding    `json:"open"`      // survivors without a reason, and errors
	Survivors []Finding    `json:"survivors"` // those with one
}

// ModelSteps is the number of steps for each mutant of a model, in a configuration.
type ModelSteps struct {
	Name     string `json:"name"`
	Settings string `json:"settings"`
	Steps    []Step `json:"steps"`
}

// ModelConfiguration is the name under which survivors among the mutants of a model are
// listed.
const ModelConfiguration = "model"

// GradeOptions is the input of the program around a model with mutants.
type GradeOptions struct {
	Unit    string
	Targets []ModelSteps
	Mutants []int
}

// Graded is the program's output for one mutant. It is printed twice, first with an empty Status, so
// that the mutant is known if the program ends in it.
type Graded struct {
	Number int
	Status string
	Note   string
}

// Grade runs a bench with each mutant active, one after the other. The program around a model with
// mutants calls it.
func Grade(ctx context.Context, unit func() gen.Config, newBench func(gen.Config) (cosim.Bench, error), o GradeOptions, active *int, reached []bool, budget *int64, out *json.Encoder) error {
	type run struct {
		lib   *cosim.Library
		bench cosim.Bench
		steps []Step
	}
	var runs []run
	for _, t := range o.Targets {
		cfg := unit()
		if err := gen.Configure(cfg, t.Settings); err != nil {
			return err
		}
		b, err := newBench(cfg)
		if err != nil {
			return err
		}
		lib, err := cosim.Build(ctx, b.Source(), cosim.BuildOptions{})
		if err != nil {
			return err
		}
		runs = append(runs, run{lib, b, t.Steps})
	}
	for _, n := range o.Mutants {
		if err := out.Encode(Graded{Number: n}); err != nil {
			return err
		}
		*active = n
		clear(reached) // a mutant's explanation is not reached with the next mutant
		g := Graded{Number: n, Status: Survived}
		for i, more := 0, true; more; i++ { // the short ones of all configurations before the long ones
			more = false
			for _, r := range runs {
				if g.Status == Survived && i < len(r.steps) {
					*budget = int64(r.steps[i].Cycles) * callsPerCycle
					g.Status, g.Note = gradeStep(ctx, r.lib, r.bench, o.Unit, r.steps[i])
					more = true
				}
			}
		}
		if g.Status == Survived && n > 0 && !reached[n] {
			g.Status = Unreached
		}
		*active = 0
		if err := out.Encode(g); err != nil {
			return err
		}
	}
	return nil
}

// callsPerCycle is far more than the number of mutants that a model executes in a cycle, and small
// enough to end an endless loop soon.
const callsPerCycle = 100_000

func gradeStep(ctx context.Context, lib *cosim.Library, b cosim.Bench, unit string, s Step) (status, note string) {
	defer func() {
		if x := recover(); x != nil {
			status, note = Crashed, fmt.Sprint(x)
		}
	}()
	rep, err := cosim.RunOn(ctx, lib, b, cosim.RunOptions{Unit: unit, Seed: s.Seed, Cycles: s.Cycles})
	switch {
	case err != nil:
		return Errored, err.Error()
	case rep.Outcome == cosim.Mismatch:
		return Killed, rep.Failure.Port
	case differs(rep):
		return Errored, rep.Failure.Summary()
	}
	return Survived, ""
}

// RunModel makes mutants of a unit's golden model, with the unit's settings, in the unit's module,
// whose root is the folder root, and judges them. It returns an error if the go command fails, the
// context ends, or the bench fails without any mutant.
func RunModel(ctx context.Context, root string, e *bench.Entry, known []Survivor, notify func(Progress)) (*Model, error) {
	t, unit := modelOf(e.Mutation), e.New().Unit()
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, "model", unit)
	p, err := gomutant.Load(ctx, dir, t.Files)
	if err != nil {
		return nil, err
	}
	tmp, err := tool.TempDir("nicgen-mutate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	p.Files[filepath.Join(root, graderFolder, "main.go")] = []byte(strings.NewReplacer("MODEL", p.Path, "BENCH", e.Package("tb")).Replace(grader))
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range p.Files {
		file := filepath.Join(tmp, fmt.Sprintf("%d.go", len(overlay["Replace"])))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return nil, err
		}
		overlay["Replace"][name] = file
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), b, 0o666); err != nil {
		return nil, err
	}
	program := filepath.Join(tmp, "grader")
	build := tool.Command(ctx, "go", "build", "-overlay", filepath.Join(tmp, "overlay.json"), "-o", program, "./"+graderFolder)
	build.Dir = root
	if _, err := tool.Run(ctx, build); err != nil {
		return nil, err
	}
	m := &Model{Package: "model/" + unit, Files: t.Files, Targets: t.Steps, Open: []Finding{}, Survivors: []Finding{}}
	r := &modelRun{program: program, options: GradeOptions{Unit: unit, Targets: t.Steps}, notify: notify}
	r.progress.Total = len(p.Mutants)
	if err := r.grade(ctx, []int{0}); err != nil {
		return nil, err
	}
	if g := r.graded[0]; g.Status != Survived {
		return nil, fmt.Errorf("%s: without any mutant of its golden model: %s: %s", unit, g.Status, g.Note)
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	var all []int
	for i := range p.Mutants {
		all = append(all, p.Mutants[i].Number)
	}
	for chunk := range slices.Chunk(all, 32) {
		g.Go(func() error { return r.grade(gctx, chunk) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.graded, func(a, b Graded) int { return a.Number - b.Number })
	for _, g := range r.graded[1:] {
		m.add(&p.Mutants[g.Number-1], g, known)
	}
	return m, nil
}

// graderFolder is the folder of the program around a model, which exists only for the compiler.
const graderFolder = "nicgen_grader"

// add counts one mutant.
func (m *Model) add(x *gomutant.Mutant, g Graded, known []Survivor) {
	m.Mutants++
	f := Finding{Number: g.Number, Mutant: x.String(), Source: []string{x.Where}, Status: g.Status, Note: g.Note}
	switch g.Status {
	case Killed:
		m.Killed++
	case Crashed:
		m.Crashed++
	case Unreached:
		m.Unreached++
	case Survived:
		i := slices.IndexFunc(known, func(s Survivor) bool { return s.Configuration == ModelConfiguration && s.Mutant == f.Mutant })
		if i < 0 {
			m.Survived++
			m.Open = append(m.Open, f)
			return
		}
		m.Listed++
		f.Reason = known[i].Reason
		m.Survivors = append(m.Survivors, f)
	default:
		m.Errors++
		m.Open = append(m.Open, f)
	}
}

// Stale lists the entries of the list of survivors for the model that match no mutant.
func (m *Model) Stale(known []Survivor) []Survivor {
	var stale []Survivor
	for _, s := range known {
		if s.Configuration == ModelConfiguration && !slices.ContainsFunc(m.Survivors, func(f Finding) bool { return f.Mutant == s.Mutant }) {
			stale = append(stale, s)
		}
	}
	return stale
}

// Score returns the share of killed mutants among the mutants that ran to completion in code that
// the bench reaches.
func (m *Model) Score() float64 { return Score(m.Killed, m.Mutants, m.Crashed+m.Unreached) }

// modelRun runs mutants of a model.
type modelRun struct {
	program string
	options GradeOptions
	notify  func(Progress)

	mu       sync.Mutex
	graded   []Graded
	progress Progress
}

// Limits of one call of the program: a mutant may never end, or use unlimited memory.
const (
	cpuSeconds = 120
	memoryKiB  = 6 << 20 // of addresses: Go asks for more than it uses
)

// grade judges mutants. If the program ends in a mutant, that mutant is an error, and the next
// program continues after it.
func (r *modelRun) grade(ctx context.Context, numbers []int) error {
	for len(numbers) > 0 {
		o := r.options
		o.Mutants = numbers
		in, err := json.Marshal(o)
		if err != nil {
			return err
		}
		cmd := tool.Command(ctx, "sh", "-c", fmt.Sprintf("ulimit -t %d && ulimit -v %d && exec \"$0\"", cpuSeconds, memoryKiB), r.program)
		cmd.Stdin = bytes.NewReader(in)
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		err = cmd.Run()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return err
		}
		begun, done := -1, 0
		for s := bufio.NewScanner(&out); s.Scan(); {
			var g Graded
			if err := json.Unmarshal(s.Bytes(), &g); err != nil {
				return fmt.Errorf("grader: %w", err)
			}
			if begun = g.Number; g.Status != "" {
				begun = -1
				done++
				r.keep(g)
			}
		}
		if done == len(numbers) {
			return nil
		}
		if begun < 0 {
			return &tool.Failed{Name: "grader", Err: err, Output: tool.Tail(said.String(), 20)}
		}
		r.keep(Graded{Number: begun, Status: Crashed, Note: "it took more than its time or memory"})
		numbers = numbers[done+1:]
	}
	return nil
}

// keep records an outcome.
func (r *modelRun) keep(g Graded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.graded = append(r.graded, g)
	if g.Number > 0 {
		r.progress.add(map[string]string{Crashed: Killed, Unreached: Equivalent}[g.Status])
		r.progress.add(g.Status)
	}
	if r.notify != nil {
		r.notify(r.progress)
	}
}
