// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RunOptions are the circumstances of a run.
type RunOptions struct {
	Unit   string         // name of the unit, for the report
	Params map[string]any // its configuration, for the report and the replay file

	Seed       uint64                   // of the stimulus and of the device's state at power-up
	Cycles     uint64                   // 0: as many as a Finite stimulus has, DefaultCycles otherwise
	Batch      int                      // cycles for each call of the device; 0: chosen by the engine
	Concurrent bool                     // golden model and device in parallel, for long runs
	Progress   func(done, total uint64) // called now and then, if set
	Status     func(what string)        // told what begins now when that may take long, if set
	Coverage   bool                     // count executed lines of the RTL

	Wave             string // "fst" or "vcd": write a waveform of the run
	WaveFrom, WaveTo uint64 // its first cycle and the one after its last; both 0: all of the run
	OutDir           string // folder for waveforms; empty: the current folder
	Optimize         int    // see BuildOptions
	Simulator        string // one of Simulators; empty means Verilator

	// Vectors are recorded input vectors to run in place of the bench's stimulus, one after the other,
	// if not nil. Such a run reports its coverage and does not require any.
	Vectors []uint64
}

// Build returns how the model of a run is built.
func (o RunOptions) Build() BuildOptions {
	return BuildOptions{Trace: o.Wave, Coverage: o.Coverage, Optimize: o.Optimize, Simulator: o.Simulator, Status: o.Status}
}

// DefaultCycles is the length of a run when nobody says otherwise. Random stimuli reach all
// points that their benches require in as many.
const DefaultCycles = 1_000_000

// sequentialBatch keeps vectors in the processor's cache.
const sequentialBatch = 1024

// concurrentBatch is long enough that waking the other goroutine does not
// count, and short enough that a batch stays in the cache on its way.
func concurrentBatch(l *Layout) int {
	return max(1024, min(8192, (1<<19)/(8*(l.InWords+3*l.OutWords))))
}

// Run compiles the bench's RTL if need be, drives it and the golden model with the same
// stimulus, and compares every output that matters in every cycle. It stops at the first
// difference. What is wrong with the design under test is in the report; the error is for
// anything that prevented the run: a missing or failing tool, a source that Verilator
// rejects, the end of ctx.
func Run(ctx context.Context, bench Bench, o RunOptions) (*Report, error) {
	lib, err := Build(ctx, bench.Source(), o.Build())
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	return RunOn(ctx, lib, bench, o)
}

// RunOn is Run with a library that Build made of the bench's source, with the wave
// and coverage that o asks for: for many runs of one design.
func RunOn(ctx context.Context, lib *Library, bench Bench, o RunOptions) (*Report, error) {
	l := lib.Layout()
	if l.InWords+l.OutWords == 0 {
		return nil, fmt.Errorf("module %s: %w", lib.src.Top, errNoOutputs)
	}
	stimulus := func() (Stimulus, error) {
		if o.Vectors != nil {
			return &vectors{words: l.InWords, v: o.Vectors}, nil
		}
		return bench.NewStimulus(l, o.Seed)
	}
	c := &checker{layout: l, batch: o.Batch}
	var err error
	if c.stimulus, err = stimulus(); err != nil {
		return nil, fmt.Errorf("stimulus: %w", err)
	}
	total := o.Cycles
	if ends := uint64(c.stimulus.Hooks().Cycles); ends > 0 && (total == 0 || ends < total) {
		total = ends
	} else if total == 0 {
		total = DefaultCycles
	}
	if c.batch <= 0 {
		c.batch = sequentialBatch
		if o.Concurrent {
			c.batch = concurrentBatch(l)
		}
	}
	c.batch = int(min(uint64(c.batch), max(total, 1)))
	if c.golden, err = bench.NewPredictor(l, false); err != nil {
		return nil, fmt.Errorf("golden model: %w", err)
	}
	if o.OutDir != "" {
		if err := os.MkdirAll(o.OutDir, 0o777); err != nil {
			return nil, fmt.Errorf("output folder: %w", err)
		}
	}
	if o.Progress != nil {
		c.report = func(done uint64) { o.Progress(done, total) }
	}
	r := &Report{Unit: o.Unit, Params: o.Params, Seed: o.Seed, Missed: []string{}, Notes: lib.Notes()}

	start := time.Now()
	var f *Finding
	c.instance, err = lib.New(InstanceOptions{Seed: o.Seed})
	if fault, ok := err.(*SimError); ok {
		f = &Finding{Fault: fault}
	} else if err != nil {
		return nil, err
	} else {
		defer c.instance.Close()
		if o.Wave != "" {
			from, to := o.WaveFrom, o.WaveTo
			if to == 0 {
				to = total
			}
			name := filepath.Join(o.OutDir, fmt.Sprintf("%s-seed%d.%s", lib.src.Top, o.Seed, o.Wave))
			if c.wave, err = newWave(c.instance, name, from, to); err != nil {
				return nil, err
			}
			defer c.wave.drop()
		}
		if o.Concurrent {
			r.Cycles, f, err = c.runConcurrent(ctx, total)
		} else {
			r.Cycles, f, err = c.run(ctx, total)
		}
		if err == nil && c.wave != nil {
			r.Wave, err = c.wave.keep()
		}
		if err == nil && o.Coverage {
			r.Lines, err = lineCoverage(c.instance, o.OutDir, fmt.Sprintf("%s-seed%d.coverage.dat", lib.src.Top, o.Seed))
		}
		if err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(start).Seconds()
	if r.Seconds > 0 {
		r.CyclesPerSecond = float64(r.Cycles) / r.Seconds
	}
	if f != nil {
		r.Outcome = Mismatch
		if f.Fault != nil {
			r.Outcome = Fault
		}
		r.Mismatches = uint64(len(f.Diffs))
		// The model may be ahead of the device: a fresh one goes to the cycle.
		s, err := stimulus()
		if err != nil {
			return nil, fmt.Errorf("stimulus: %w", err)
		}
		var in []uint64
		var explain string
		if c.golden, in, explain, err = stepTo(ctx, lib, bench, o.Seed, s, f); err != nil {
			return nil, err
		}
		r.Failure, r.Finding = f.describe(l, in, explain), f
	}
	r.Events = c.golden.Events()
	if err := cover(r, bench.Points(), c.golden.Hits()); err != nil {
		return nil, err
	}
	if r.Outcome != "" {
		return r, nil
	}
	r.Outcome = Pass
	hooks := c.golden.Hooks()
	if hooks.Verdict != nil {
		if err := hooks.Verdict(); err != nil {
			r.Outcome, r.Failure = Verdict, &Failure{Kind: Verdict, Message: err.Error()}
			return r, nil
		}
	}
	if hooks.Account != nil {
		r.Notes = append(r.Notes, hooks.Account())
	}
	// The other simulators are too slow for what a bench has to reach.
	if len(r.Missed) > 0 && o.Vectors == nil && (o.Simulator == "" || o.Simulator == Verilator) {
		r.Outcome = Missed
		r.Failure = &Failure{Kind: Missed, Message: fmt.Sprintf("required coverage points not reached: %s", strings.Join(r.Missed, ", "))}
	}
	return r, nil
}

// cover fills in the coverage of a report.
func cover(r *Report, points []Point, hits []uint64) error {
	if len(hits) != len(points) {
		return fmt.Errorf("golden model counts %d coverage points, want %d as its bench lists", len(hits), len(points))
	}
	r.Coverage = make(map[string]uint64, len(points))
	for i, p := range points {
		if _, twice := r.Coverage[p.Name]; twice {
			return fmt.Errorf("coverage point %q appears twice", p.Name)
		}
		r.Coverage[p.Name] = hits[i]
		if p.Required && hits[i] == 0 {
			r.Missed = append(r.Missed, p.Name)
		}
	}
	return nil
}
