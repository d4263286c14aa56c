// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
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
	OutDir           string // where waveforms and replay files go; empty: none are written
	NoWave           bool   // a failure leaves a replay file only: its waveform needs a model of its own
	Optimize         int    // see BuildOptions
	NoShrink         bool   // a failure is only reported: no search for a shorter stimulus, no files

	Simulator   string   // one of Simulators; empty means Verilator
	ReplayFlags []string // what nicgen replay needs besides the file, for the report of a failure
}

// build is how the model of a run is built.
func (o RunOptions) build() BuildOptions {
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

// Run compiles the bench's RTL if need be, drives it and the golden model with
// the same stimulus, and compares every output that matters in every cycle. It
// stops at the first difference. What is wrong with the design under test is in
// the report; the error is for everything that kept the run from taking place: a
// missing or failing tool, a source that Verilator rejects, the end of ctx.
func Run(ctx context.Context, bench Bench, o RunOptions) (*Report, error) {
	lib, err := Build(ctx, bench.Source(), o.build())
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	return run(ctx, lib, bench, o, nil)
}

// RunOn is Run with a library that Build made of the bench's source, with the wave
// and coverage that o asks for: for many runs of one design.
func RunOn(ctx context.Context, lib *Library, bench Bench, o RunOptions) (*Report, error) {
	return run(ctx, lib, bench, o, nil)
}

// run does the work of Run and Replay; recorded replaces the bench's stimulus.
func run(ctx context.Context, lib *Library, bench Bench, o RunOptions, recorded []uint64) (*Report, error) {
	l := lib.Layout()
	if l.InWords+l.OutWords == 0 {
		return nil, fmt.Errorf("module %s: %w", lib.src.Top, errNoOutputs)
	}
	stimulus := func() (Stimulus, error) {
		if recorded != nil {
			return &vectors{words: l.InWords, v: recorded}, nil
		}
		return bench.NewStimulus(l, o.Seed)
	}
	c := &checker{layout: l, batch: o.Batch}
	var err error
	if c.stimulus, err = stimulus(); err != nil {
		return nil, fmt.Errorf("stimulus: %w", err)
	}
	total := o.Cycles
	if f, ok := c.stimulus.(Finite); ok && (total == 0 || uint64(f.Cycles()) < total) {
		total = uint64(f.Cycles())
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
	if c.golden, err = bench.NewPredictor(l); err != nil {
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
	var f *finding
	c.instance, err = lib.New(InstanceOptions{Seed: o.Seed})
	if fault, ok := err.(*SimError); ok {
		f = &finding{fault: fault}
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
		if f.fault != nil {
			r.Outcome = Fault
		}
		r.Mismatches = uint64(len(f.diffs))
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
		r.Failure = f.describe(l, in, explain)
		if recorded == nil && !o.NoShrink {
			if s, err = stimulus(); err != nil {
				return nil, fmt.Errorf("stimulus: %w", err)
			}
			if err := document(ctx, lib, bench, o, r, s, f); err != nil {
				return nil, err
			}
		}
	}
	r.Events = c.golden.Events()
	if err := cover(r, bench.Points(), c.golden.Hits()); err != nil {
		return nil, err
	}
	if r.Outcome != "" {
		return r, nil
	}
	r.Outcome = Pass
	if j, ok := c.golden.(Judge); ok {
		if err := j.Verdict(); err != nil {
			r.Outcome, r.Failure = Verdict, &Failure{Kind: Verdict, Message: err.Error()}
			return r, nil
		}
	}
	if a, ok := c.golden.(Accountant); ok {
		r.Notes = append(r.Notes, a.Account())
	}
	// The other simulators are too slow for what a bench has to reach.
	if len(r.Missed) > 0 && recorded == nil && (o.Simulator == "" || o.Simulator == Verilator) {
		r.Outcome = Missed
		r.Failure = &Failure{Kind: Missed, Message: fmt.Sprintf("required coverage points not reached: %s", strings.Join(r.Missed, ", "))}
	}
	return r, nil
}

// again is a stimulus with a fresh device beside it, if it is needed.
type again struct {
	stimulus Stimulus
	device   *Instance // nil: there is none, or it has ended
	reacts   Reactive
	got      []uint64
}

// newAgain begins a stimulus once more. needed: what the device shows is needed for other reasons
// than the stimulus.
func newAgain(lib *Library, seed uint64, s Stimulus, needed bool) (*again, error) {
	a := &again{stimulus: s, got: make([]uint64, lib.Layout().OutWords)}
	a.reacts, _ = s.(Reactive)
	if a.reacts == nil && !needed {
		return a, nil
	}
	device, err := lib.New(InstanceOptions{Seed: seed})
	if fault := (*SimError)(nil); err != nil && !errors.As(err, &fault) {
		return nil, err
	} else if err == nil {
		a.device = device
	}
	return a, nil
}

// next makes the next vector, and runs the device with it, as long as it runs.
func (a *again) next(in []uint64) {
	a.stimulus.Next(in)
	if a.device == nil {
		return
	}
	if _, err := a.device.Run(in, a.got); err != nil {
		a.close()
		return
	}
	if a.reacts != nil {
		a.reacts.React(a.got)
	}
}

func (a *again) close() {
	if a.device != nil {
		a.device.Close()
		a.device = nil
	}
}

// stepTo runs a fresh golden model up to and with the cycle of a finding, and returns that
// cycle's inputs and what the model says of them. A Follower gets a fresh device to follow; where
// that shows nothing, as in the cycle in which it ends, there is no explanation.
func stepTo(ctx context.Context, lib *Library, bench Bench, seed uint64, s Stimulus, f *finding) (Predictor, []uint64, string, error) {
	l := lib.Layout()
	p, err := bench.NewPredictor(l)
	if err != nil {
		return nil, nil, "", fmt.Errorf("golden model: %w", err)
	}
	follower, follows := p.(Follower)
	a, err := newAgain(lib, seed, s, follows)
	if err != nil {
		return nil, nil, "", err
	}
	defer a.close()
	in, want, care := make([]uint64, l.InWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	for i := uint64(0); i <= f.cycle; i++ {
		if i%8192 == 0 && ctx.Err() != nil {
			return nil, nil, "", ctx.Err()
		}
		clear(in)
		clear(want)
		clear(care)
		a.next(in)
		if follows {
			if a.device == nil {
				continue
			}
			follower.Observe(a.got)
		}
		p.Step(in, want, care)
	}
	if follows && a.device == nil {
		return p, in, "", nil
	}
	return p, in, p.Explain(in), nil
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

// document shrinks the stimulus of a failure and saves what a person needs to
// look at it. What cannot be had becomes a note in the report.
func document(ctx context.Context, lib *Library, bench Bench, o RunOptions, r *Report, stimulus Stimulus, f *finding) error {
	l := lib.Layout()
	note := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Notes = append(r.Notes, err.Error())
		return nil
	}
	if o.Status != nil {
		o.Status("looking for a shorter stimulus that fails")
	}
	v, err := record(ctx, lib, o.Seed, stimulus, f.cycle+1)
	if err != nil {
		return note(err)
	}
	s, err := shrink(ctx, lib, bench, o.Seed, v, f)
	if err == nil {
		v, f = s.vectors(), s.found
		_, _, explain, err := stepTo(ctx, lib, bench, o.Seed, &vectors{words: l.InWords, v: v}, f)
		if err != nil {
			return err
		}
		r.Failure.Shrunk = s.describe(v, explain)
	} else if err := note(err); err != nil {
		return err
	}
	if o.OutDir == "" {
		return nil
	}
	base := filepath.Join(o.OutDir, fmt.Sprintf("%s-seed%d-cycle%d", lib.src.Top, o.Seed, r.Failure.Cycle))
	if err := writeAtomic(base+".replay", newRecording(l, o.Unit, o.Params, o.Seed, v, f)); err != nil {
		return fmt.Errorf("replay file: %w", err)
	}
	r.Failure.Replay = base + ".replay"
	r.Failure.Command = strings.Join(append(append([]string{"nicgen replay"}, o.ReplayFlags...), shellQuote(r.Failure.Replay)), " ")

	if o.NoWave || o.Simulator != "" && o.Simulator != Verilator {
		return nil // the other simulators draw none
	}
	format := o.Wave
	if format == "" {
		format = "fst"
	}
	traced, err := Build(ctx, bench.Source(), BuildOptions{Trace: format, Optimize: o.Optimize, Status: o.Status})
	if err != nil {
		return note(fmt.Errorf("no waveform of the failure: %w", err))
	}
	defer traced.Close()
	r.Notes = append(r.Notes, traced.Notes()...)
	wave := base + "." + format
	if err := drawFailure(ctx, traced, o.Seed, v, f.cycle, wave); err != nil {
		return note(fmt.Errorf("no waveform of the failure: %w", err))
	}
	r.Failure.Wave = wave
	if err := writeAtomic(base+".gtkw", gtkwave(lib.src, l, wave, v, f)); err != nil {
		return fmt.Errorf("gtkwave save file: %w", err)
	}
	r.Failure.Save = base + ".gtkw"
	return nil
}

// describe puts a shrunk stimulus in the words of a report.
func (s *shrinker) describe(v []uint64, explain string) *Shrunk {
	l := s.lib.layout
	x := &Shrunk{Cycles: s.found.cycle + 1, Cycle: s.found.cycle, Explain: explain, Tries: s.tries, Inputs: []CycleInput{}}
	if s.found.fault == nil {
		x.Want, x.Got = s.found.diffs[0].Want, s.found.diffs[0].Got
	}
	for at := 0; at < len(v); at += l.InWords {
		ports, c := named(l, v[at:]), uint64(at/l.InWords)
		switch n := len(x.Inputs); {
		case len(ports) == 0:
		case n > 0 && x.Inputs[n-1].Last+1 == c && maps.Equal(x.Inputs[n-1].Ports, ports):
			x.Inputs[n-1].Last = c
		default:
			x.Inputs = append(x.Inputs, CycleInput{Cycle: c, Last: c, Ports: ports})
		}
	}
	return x
}

// shellQuote makes one word of a file name for a shell.
func shellQuote(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+:@%,", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
