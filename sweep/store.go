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
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
)

// Names in a sweep's folder.
const (
	planFile    = "plan.yaml"
	summaryFile = "summary.csv"
	resultsDir  = "results"
	workDir     = "work"
)

// Store is the folder of a sweep: results/ID.json, summary.csv, and what is half done in work.
type Store struct{ Dir string }

// Open makes the folder if it is not there, and keeps the plan in it, for other machines.
func Open(dir string, plan []byte) (*Store, error) {
	s := &Store{dir}
	for _, d := range []string{resultsDir, workDir} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
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

// grace is how long a run may take to stop in order.
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
	switch {
	case err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1):
		return fmt.Errorf("task %d, nicgen %s: %w: %s", t.Number, strings.Join(t.Args, " "), err, lastLines(messages.String()))
	case readErr != nil || !json.Valid(text):
		return fmt.Errorf("task %d, nicgen %s: it wrote no result: %s", t.Number, strings.Join(t.Args, " "), lastLines(messages.String()))
	}
	if err := s.write(filepath.Join(resultsDir, t.ID()+".json"), text); err != nil {
		return err
	}
	return os.RemoveAll(work)
}

// lastLines are those of a text that say why.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// Local runs tasks on this machine, so many at a time. A task that fails does not stop the
// others; done is told of each that ends, by one at a time.
func (s *Store) Local(ctx context.Context, program string, p *Plan, tasks []Task, jobs int, done func()) error {
	var g errgroup.Group
	g.SetLimit(jobs)
	var mu sync.Mutex
	var failed []error
	for i := range tasks {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			err := s.Run(ctx, program, p, &tasks[i])
			mu.Lock()
			defer mu.Unlock()
			if err != nil && ctx.Err() == nil {
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
		row := append([]string{}, t.Values...)
		for _, n := range p.Numbers {
			v := gjson.GetBytes(text, n.Path)
			if !v.Exists() {
				return fmt.Errorf("numbers: %s: there is no %s in %s", n.Name, n.Path, s.result(&t))
			}
			row = append(row, v.String())
		}
		rows = append(rows, append(row, resultsDir+"/"+t.ID()+".json"))
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return s.write(summaryFile, b.Bytes())
}
