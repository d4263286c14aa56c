// SPDX-License-Identifier: Apache-2.0

// Package prove proves properties of designs for every stimulus of any length. Package tb/proof
// defines the properties.
//
// Yosys turns the design with the properties' texts into an and-inverter graph, in which yosys-abc
// looks for an invariant: a set of clauses that holds after reset, implies the properties, and once
// true stays true for any inputs (property directed reachability). ABC checks its result before it
// reports it.
//
// A proof is worth little if the property cannot fail. So each property comes with a mistake in the
// RTL that breaks it, which must give a trace from reset to the violation, and with the situation
// that it is about, which must be reachable.
package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/tb/proof"
)

// Status is the result for a property.
type Status string

const (
	Proved  Status = "proved"  // holds for every stimulus of any length, in every configuration
	Open    Status = "open"    // neither a proof nor a counterexample was found within the limit
	Refuted Status = "refuted" // there is a counterexample
)

// Report is the result of Run for a unit. The tools come from package tool.
type Report struct {
	Unit string      `json:"unit"`
	Tool string      `json:"tool"`
	Sets []SetReport `json:"sets"`
}

// SetReport is the result of Run for a proof.Set.
type SetReport struct {
	Name       string   `json:"name"`
	Claim      string   `json:"says"`
	Top        string   `json:"top"`
	Proofs     []Proof  `json:"proofs"` // one for each configuration
	Properties []Result `json:"properties"`
}

// Proof is the proof of a set in one configuration: by induction over K cycles with the properties
// and lemmas alone, or with an invariant from a search.
type Proof struct {
	Config  string  `json:"config"`
	RTL     string  `json:"rtl"`     // gen.DesignDigest of the design without the properties' texts
	Inputs  int     `json:"inputs"`  // of the graph: bits of ports, and of power-up values
	Latches int     `json:"latches"` // bits of state, including the state of the properties' texts
	Ands    int     `json:"ands"`
	Lemmas  int     `json:"lemmas"`             // properties that only help, proved as well
	K       int     `json:"k"`                  // cycles of the induction
	Frames  int     `json:"frames,omitempty"`   // look-ahead of the search for an invariant, in cycles
	Clauses int     `json:"clauses,omitempty"`  // of the invariant, in addition to the properties themselves
	Effort  float64 `json:"effort"`             // CPU time of solving, as a multiple of the CPU time of elaboration in the same run
	Parts   bool    `json:"in_parts,omitempty"` // each property was proved separately
}

// Result is the result of Run for a proof.Property.
type Result struct {
	Name    string `json:"name"`
	Claim   string `json:"says"`
	Status  Status `json:"status"`
	Open    string `json:"open,omitempty"` // why, if that was known before
	Reached []int  `json:"reached"`        // by configuration: cycle after reset in which its situation occurs
	Mistake string `json:"mistake"`
	File    string `json:"file"`   // with the mistake
	Broken  int    `json:"broken"` // cycle in which the property is violated then

	Trace string `json:"-"` // waveform of a counterexample, if it is refuted
}

// Options are the limits and places of a Run. The zero value is the standard.
type Options struct {
	Quick    bool                  // only the sets that every test run proves
	Limit    time.Duration         // for one search; 0: five minutes
	Dir      string                // folder for waveforms; if empty, none are kept
	Mistakes bool                  // keep the waveforms of planted mistakes too
	Only     string                // only the set of this name; empty: all
	Progress func(done, total int) // called with the number of searches that have ended; may be nil, is called from several goroutines
}

// Finding is something that a Run ought not to find.
type Finding struct{ Set, Property, Text string }

// String returns "set/property: text".
func (f Finding) String() string { return f.Set + "/" + f.Property + ": " + f.Text }

// Findings lists the problems: properties that do not hold or were not proved although they are
// claimed to be, and properties that cannot fail.
func (r *Report) Findings() []Finding {
	var out []Finding
	for _, s := range r.Sets {
		for _, p := range s.Properties {
			add := func(format string, args ...any) {
				out = append(out, Finding{s.Name, p.Name, fmt.Sprintf(format, args...)})
			}
			switch {
			case p.Status == Refuted:
				text := "does not hold"
				if p.Trace != "" {
					text += ": trace " + p.Trace
				}
				add("%s", text)
			case p.Status == Open && p.Open == "":
				add("no proof was found within the limit")
			case p.Status == Proved && p.Open != "":
				add("is proved, though it is listed as open: %s", p.Open)
			}
			for i, c := range p.Reached {
				if c < 0 {
					add("its situation is not reached in configuration %d", i)
				}
			}
			if p.Broken < 0 {
				add("holds with the mistake %q in %s", p.Mistake, p.File)
			}
		}
	}
	return out
}

// Run proves the sets of a subject. The error is a *tool.Missing or *tool.Failed for
// Yosys or ABC, the context's, or one that names the text at fault; a property that
// does not hold is no error but a Finding of the report.
func Run(ctx context.Context, subject proof.Subject, o Options) (*Report, error) {
	if subject.Proofs == nil {
		return nil, fmt.Errorf("%s has no properties", subject.Name)
	}
	if o.Limit == 0 {
		o.Limit = 5 * time.Minute
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	var sets []set
	total := 0
	for i := range subject.Proofs.Sets {
		s := &subject.Proofs.Sets[i]
		if (s.Quick || !o.Quick) && (o.Only == "" || o.Only == s.Name) {
			sets = append(sets, set{s, &subject})
			total += len(s.Configs) + len(s.Properties)
		}
	}
	if len(sets) == 0 && o.Only != "" {
		return nil, fmt.Errorf("%s has no set of properties %q, allowed: %s", subject.Name, o.Only, strings.Join(subject.Proofs.Names(), ", "))
	}
	var done atomic.Int64
	ended := func() { o.Progress(int(done.Add(1)), total) }
	version, err := tool.Version(ctx, tool.Yosys)
	if err != nil {
		return nil, err
	}
	rep := &Report{Unit: subject.Name, Tool: version}
	for i := range sets {
		s := &sets[i]
		x, err := s.run(ctx, o, ended)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", subject.Name, s.Name, err)
		}
		rep.Sets = append(rep.Sets, *x)
	}
	return rep, nil
}

// run proves a set in all configurations, and breaks each of its properties.
func (s *set) run(ctx context.Context, o Options, ended func()) (*SetReport, error) {
	rep := &SetReport{Name: s.Name, Claim: s.Claim, Proofs: make([]Proof, len(s.Configs)), Properties: make([]Result, len(s.Properties))}
	states := make([][]Status, len(s.Configs)) // by configuration and property
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range s.Properties {
		rep.Properties[i] = Result{Name: p.Name, Claim: p.Claim, Open: p.Open, Reached: make([]int, len(s.Configs)),
			Mistake: p.Bug.Mistake, File: p.Bug.File}
	}
	for c := range s.Configs {
		g.Go(func() (err error) {
			defer ended()
			rep.Proofs[c], states[c], err = s.prove(ctx, o, c, rep)
			return err
		})
	}
	for i := range s.Properties {
		g.Go(func() error {
			defer ended()
			r := &rep.Properties[i]
			cycle, err := s.broken(ctx, o, &s.Properties[i])
			if err != nil {
				return fmt.Errorf("mistake for %s: %w", s.Properties[i].Name, err)
			}
			r.Broken = cycle
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i := range s.Properties {
		r := &rep.Properties[i]
		r.Status = Proved
		for c := range s.Configs {
			switch states[c][i] {
			case Refuted:
				r.Status = Refuted
			case Open:
				if r.Status == Proved {
					r.Status = Open
				}
			}
		}
	}
	d, err := s.design(s.Configs[0], nil)
	if err != nil {
		return nil, err
	}
	rep.Top = d.top
	return rep, nil
}

// prove searches for a proof of all properties in one configuration, and for the cycles in which
// their situations occur.
func (s *set) prove(ctx context.Context, o Options, c int, rep *SetReport) (Proof, []Status, error) {
	p := Proof{Config: s.Configs[c]}
	rtl, err := Digest(*s.subject, s.Name, s.Configs[c])
	if err != nil {
		return p, nil, err
	}
	p.RTL = rtl
	j, err := s.job(ctx, s.Configs[c], nil)
	if err != nil {
		return p, nil, err
	}
	defer j.close()
	if err := j.elaborate(ctx, "*", reachedSuffix); err != nil {
		return p, nil, err
	}
	g, err := j.graph("prove")
	if err != nil {
		return p, nil, err
	}
	p.Inputs, p.Latches, p.Ands = g.inputs, g.latches, g.ands
	index := make([]int, len(s.Properties))
	for i, q := range s.Properties {
		if index[i] = slices.Index(g.names, q.Name); index[i] < 0 {
			return p, nil, fmt.Errorf("no property %s in the texts", q.Name)
		}
	}
	p.Lemmas = len(g.names) - len(s.Properties)

	// All together: they serve each other as lemmas.
	states := make([]Status, len(s.Properties))
	joint := search{status: Open}
	if s.K > 0 {
		joint.status, p.K, err = j.induct(ctx, s.K, o.Limit)
	} else {
		p.K = 1
		joint, err = j.search(ctx, "prove", -1, o.Limit)
	}
	if err != nil {
		return p, nil, err
	}
	p.Frames, p.Clauses = joint.frames, joint.clauses
	for i, q := range s.Properties {
		states[i] = joint.status
		if joint.status == Proved {
			continue
		}
		// One of them, or a lemma, is at fault, so try each separately.
		p.K, p.Parts = 1, true
		one, err := j.search(ctx, "prove", index[i], o.Limit)
		if err != nil {
			return p, nil, err
		}
		p.Frames, p.Clauses = max(p.Frames, one.frames), p.Clauses+one.clauses
		if states[i] = one.status; one.status == Refuted {
			if rep.Properties[i].Trace, err = s.trace(ctx, o, s.Configs[c], q.Name); err != nil {
				return p, nil, err
			}
		}
	}
	p.Effort = float64(j.solveTime) / float64(j.yosysTime)

	reach, err := j.graph("reached")
	if err != nil {
		return p, nil, err
	}
	for i, q := range s.Properties {
		n := slices.Index(reach.names, q.Name+reachedSuffix)
		if n < 0 {
			return p, nil, fmt.Errorf("%s is a lemma in the texts, want a property", q.Name)
		}
		found, err := j.bounded(ctx, "reached", n, s.Depth, o.Limit)
		if err != nil {
			return p, nil, err
		}
		rep.Properties[i].Reached[c] = found
	}
	return p, states, nil
}

// broken plants a property's mistake and returns the cycle in which it is violated, or -1.
func (s *set) broken(ctx context.Context, o Options, p *proof.Property) (int, error) {
	j, err := s.job(ctx, s.Configs[p.Bug.Config], &p.Bug)
	if err != nil {
		return -1, err
	}
	defer j.close()
	if err := j.elaborate(ctx, p.Name, ""); err != nil {
		return -1, err
	}
	cycle, err := j.bounded(ctx, "prove", 0, s.Depth, o.Limit)
	if err != nil || cycle < 0 {
		return -1, err
	}
	dir := ""
	if o.Mistakes {
		dir = o.Dir
	}
	_, err = j.replay(ctx, p.Name, dir, s.subject.Name+"_"+s.Name+"_"+p.Name)
	return cycle, err
}

// trace writes the waveform of a counterexample and returns its name.
func (s *set) trace(ctx context.Context, o Options, config, property string) (string, error) {
	j, err := s.job(ctx, config, nil)
	if err != nil {
		return "", err
	}
	defer j.close()
	if err := j.elaborate(ctx, property, ""); err != nil {
		return "", err
	}
	if cycle, err := j.bounded(ctx, "prove", 0, 10*s.Depth, o.Limit); err != nil || cycle < 0 {
		return "", err
	}
	return j.replay(ctx, property, o.Dir, s.subject.Name+"_"+s.Name+"_"+property)
}

// job is a design in a separate folder.
type job struct {
	*design
	dir        string
	yosys, abc string
	yosysTime  time.Duration
	solveTime  time.Duration
}

func (s *set) job(ctx context.Context, config string, bug *proof.Bug) (*job, error) {
	d, err := s.design(config, bug)
	if err != nil {
		return nil, err
	}
	j := &job{design: d}
	if j.yosys, err = tool.Find(tool.Yosys); err != nil {
		return nil, err
	}
	if j.abc, err = tool.Find(tool.ABC); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if j.dir, err = tool.TempDir("nicgen-prove-"); err != nil {
		return nil, err
	}
	for _, f := range append([]gen.File{{Name: preludeFile, Text: prelude}}, d.files...) {
		err = errors.Join(err, os.WriteFile(filepath.Join(j.dir, f.Name), []byte(f.Text), 0o644))
	}
	if err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

const preludeFile = "prelude.svh"

func (j *job) close() { os.RemoveAll(j.dir) }
