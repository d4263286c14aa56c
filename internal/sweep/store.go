// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/internal/tool"
)

// Names in a sweep's folder.
const (
	planFile    = "plan.yaml"
	buildFile   = "build.txt"
	summaryFile = "summary.csv"
	resultsDir  = "results"
	workDir     = "work"
)

// Store is the folder of a sweep: results/ID.json, summary.csv, and what is half done in work.
type Store struct{ Dir string }

// Build returns a name of this program: the revision of its sources if they were unchanged, otherwise its digest. Builds
// from a source archive, from a Git work tree and with -buildvcs=false have no revision.
func Build() (string, error) {
	info, _ := debug.ReadBuildInfo()
	if name := revision(info); name != "" {
		return name, nil
	}
	digest, err := tool.ProgramHash()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("program %.16s", digest), nil
}

// revision returns the revision of a build's sources, or "" if they had none or were
// changed.
func revision(info *debug.BuildInfo) (name string) {
	if info == nil {
		return ""
	}
	for _, x := range info.Settings {
		switch {
		case x.Key == "vcs.revision":
			name = "revision " + x.Value
		case x.Key == "vcs.modified" && x.Value == "true":
			return ""
		}
	}
	return name
}

// Open makes the folder if it is not there, and keeps the plan in it, for other machines. build names the program; where
// another one made results, they are an error, unless they are to be kept. Without a name, for one that runs nothing,
// they are not compared.
func Open(dir string, plan []byte, build string, keep bool) (*Store, error) {
	s := &Store{dir}
	was, err := os.ReadFile(filepath.Join(dir, buildFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if old := strings.TrimSpace(string(was)); build != "" && old != build && !keep {
		if results, _ := filepath.Glob(filepath.Join(dir, resultsDir, "*.json")); len(results) > 0 {
			if old == "" {
				old = "not named"
			}
			return nil, fmt.Errorf("%s: found results of another build of nicgen, %s; this one is %s: name another folder, or keep them with --keep", dir, old, build)
		}
	}
	for _, d := range []string{resultsDir, workDir} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	if build != "" {
		if err := s.write(buildFile, []byte(build+"\n")); err != nil {
			return nil, err
		}
	}
	return s, s.write(planFile, plan)
}

// Plan is the file with the plan.
func (s *Store) Plan() string { return filepath.Join(s.Dir, planFile) }

// Summary is the file with the table.
func (s *Store) Summary() string { return filepath.Join(s.Dir, summaryFile) }

func (s *Store) result(t *Task) string { return filepath.Join(s.Dir, resultsDir, t.ID()+".json") }

// Missing are the tasks without a result.
func (s *Store) Missing(tasks []Task) (list []Task, err error) {
	for _, t := range tasks {
		_, err := os.Stat(s.result(&t))
		if errors.Is(err, fs.ErrNotExist) {
			list = append(list, t)
		} else if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// write writes a file of the folder: whole, or not at all.
func (s *Store) write(name string, text []byte) error {
	f, err := os.CreateTemp(s.Dir, ".nicgen-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is not there any more if all went well
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(s.Dir, name))
}

// maxErrors is the number of failures reported in full: with a wrong parameter all runs fail for the
// same reason.
const maxErrors = 3

// grace is the time that a run may take for an orderly stop.
const grace = 30 * time.Second

// Run runs a task with the program, and keeps its result. A run that finds something, exit
// code 1, has a result too.
func (s *Store) Run(ctx context.Context, program string, p *Plan, t *Task) error {
	dir, err := os.MkdirTemp(filepath.Join(s.Dir, workDir), ".run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "result.json")
	args := append(append([]string{}, t.Args...), "--quiet", "--json", out)
	work := filepath.Join(s.Dir, workDir, t.ID())
	if p.work {
		args = append(args, "--work", work)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	var messages bytes.Buffer
	cmd.Stderr = &messages
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	text, readErr := os.ReadFile(out)
	failed := err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) || readErr != nil || !json.Valid(text)
	if _, there := os.Stat(s.result(t)); failed && there == nil {
		return nil // the task was given out twice: the other run ended first, and took the folder of half work with it
	}
	switch {
	case err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1):
		return fmt.Errorf("task %d, nicgen %s: %w: %s", t.Number, strings.Join(t.Args, " "), err, lastLines(messages.String()))
	case readErr != nil || !json.Valid(text):
		return fmt.Errorf("task %d, nicgen %s: it wrote no result: %s", t.Number, strings.Join(t.Args, " "), lastLines(messages.String()))
	}
	if err := s.write(filepath.Join(resultsDir, t.ID()+".json"), text); err != nil {
		return err
	}
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	_, err = p.numbers(text, s.result(t))
	return err
}

// errNumber says that results have no number where the plan looks for it.
var errNumber = errors.New("numbers")

// numbers returns the plan's numbers in a result; file is its name for errors.
func (p *Plan) numbers(text []byte, file string) (list []string, err error) {
	for _, n := range p.Numbers {
		v := gjson.GetBytes(text, n.Path)
		if !v.Exists() {
			return nil, fmt.Errorf("%w: %s: there is no %s in %s, which has %s", errNumber, n.Name, n.Path, file, nearby(gjson.ParseBytes(text), n.Path))
		}
		list = append(list, v.String())
	}
	return list, nil
}

// nearby lists the alternatives to a missing path: the keys at its last existing step.
func nearby(v gjson.Result, path string) string {
	at := ""
	for step := range strings.SplitSeq(path, ".") {
		next := v.Get(step)
		if !next.IsObject() && !next.IsArray() {
			break
		}
		v, at = next, at+step+"."
	}
	if v.IsArray() {
		return fmt.Sprintf("%d elements in %s", len(v.Array()), strings.TrimSuffix(at, "."))
	}
	var keys []string
	v.ForEach(func(k, _ gjson.Result) bool {
		keys = append(keys, at+k.String())
		return len(keys) < 20
	})
	return strings.Join(keys, ", ")
}

// Check looks for the plan's numbers in one of the results that are there, if there is one. So the elements of a job that
// begin after the first result know of a wrong path before they run anything.
func (s *Store) Check(p *Plan, tasks []Task) error {
	list, err := os.ReadDir(filepath.Join(s.Dir, resultsDir))
	if err != nil || len(list) == 0 {
		return err
	}
	there := map[string]bool{}
	for _, f := range list {
		there[f.Name()] = true
	}
	for i := range tasks {
		if name := s.result(&tasks[i]); there[filepath.Base(name)] {
			text, err := os.ReadFile(name)
			if err == nil {
				_, err = p.numbers(text, name)
			}
			return err
		}
	}
	return nil
}

// lastLines returns the last lines of a text, which state the reason.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// Local runs tasks on this machine, at most parallel of them at a time. A failed task does not stop the others,
// except if a result lacks a number that the plan wants: then no further task starts. done is called for each task
// that ends, one call at a time.
func (s *Store) Local(ctx context.Context, program string, p *Plan, tasks []Task, jobs int, done func()) error {
	var g errgroup.Group
	var wrong atomic.Bool
	g.SetLimit(jobs)
	var mu sync.Mutex
	var failed []error
	for i := range tasks {
		if ctx.Err() != nil || wrong.Load() {
			break
		}
		g.Go(func() error {
			if ctx.Err() != nil || wrong.Load() {
				return nil
			}
			err := s.Run(ctx, program, p, &tasks[i])
			mu.Lock()
			defer mu.Unlock()
			if err != nil && ctx.Err() == nil {
				if errors.Is(err, errNumber) && wrong.Swap(true) {
					return nil // it was said
				}
				failed = append(failed, err)
			}
			done()
			return nil
		})
	}
	_ = g.Wait() // no run returns an error
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if n := len(failed) - maxErrors; n > 0 {
		failed = append(failed[:maxErrors], fmt.Errorf("%d other runs failed as well", n))
	}
	return errors.Join(failed...)
}

// Summarise writes the table of the results that are there: a row a task, in the grid's order.
func (s *Store) Summarise(p *Plan, tasks []Task) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var head []string
	for _, a := range p.Axes {
		head = append(head, a.Name)
	}
	for _, n := range p.Numbers {
		head = append(head, n.Name)
	}
	rows := [][]string{append(head, "result")}
	for _, t := range tasks {
		text, err := os.ReadFile(s.result(&t))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		numbers, err := p.numbers(text, s.result(&t))
		if err != nil {
			return err
		}
		rows = append(rows, slices.Concat(t.Values, numbers, []string{resultsDir + "/" + t.ID() + ".json"}))
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return s.write(summaryFile, b.Bytes())
}
