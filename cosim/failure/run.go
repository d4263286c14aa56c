// SPDX-License-Identifier: Apache-2.0

// Package failure makes a failed comparison of package cosim fit for a person: it shrinks the
// stimulus, draws a waveform and saves a replay file, which ReadReplay and Replay repeat.
package failure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/nicgen/nicgen/cosim"
)

// Options are the circumstances of a run whose failure is documented.
type Options struct {
	cosim.RunOptions
	NoWave      bool     // a failure leaves a replay file only: its waveform needs a separate model
	ReplayFlags []string // flags of nicgen replay besides the file, for the report of a failure
}

// waveWindow is the number of cycles before a failure in its waveform.
const waveWindow = 1000

// Run is cosim.Run. It looks for the shortest stimulus with which a design that fails does so,
// and writes a replay file, a waveform and a save file of GTKWave to the output folder, if there is one.
func Run(ctx context.Context, bench cosim.Bench, o Options) (*cosim.Report, error) {
	lib, err := cosim.Build(ctx, bench.Source(), o.Build())
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	r, err := cosim.RunOn(ctx, lib, bench, o.RunOptions)
	if err != nil || r.Finding == nil {
		return r, err
	}
	if err := document(ctx, lib, bench, o, r); err != nil {
		return nil, err
	}
	return r, nil
}

// document shrinks the stimulus of a failure and saves what a person needs to
// look at it. What cannot be had becomes a note in the report.
func document(ctx context.Context, lib *cosim.Library, bench cosim.Bench, o Options, r *cosim.Report) error {
	l, f := lib.Layout(), r.Finding
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
	v, err := record(ctx, lib, bench, o.Seed, f.Cycle+1)
	if err != nil {
		return note(err)
	}
	s, err := shrink(ctx, lib, bench, o.Seed, v, f)
	if err == nil {
		v, f = s.vectors(), s.found
		explain, err := cosim.Explain(ctx, lib, bench, o.Seed, v, f)
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
	base := filepath.Join(o.OutDir, fmt.Sprintf("%s-seed%d-cycle%d", lib.Source().Top, o.Seed, r.Failure.Cycle))
	if err := writeAtomic(base+".replay", newRecording(l, o.Unit, o.Params, o.Seed, v, f)); err != nil {
		return fmt.Errorf("replay file: %w", err)
	}
	r.Failure.Replay = base + ".replay"
	r.Failure.Command = strings.Join(append(append([]string{"nicgen replay"}, o.ReplayFlags...), shellQuote(r.Failure.Replay)), " ")

	if o.NoWave || o.Simulator != "" && o.Simulator != cosim.Verilator {
		return nil // the other simulators draw none
	}
	format := o.Wave
	if format == "" {
		format = "fst"
	}
	traced, err := cosim.Build(ctx, bench.Source(), cosim.BuildOptions{Trace: format, Optimize: o.Optimize, Status: o.Status})
	if err != nil {
		return note(fmt.Errorf("no waveform of the failure: %w", err))
	}
	defer traced.Close()
	r.Notes = append(r.Notes, traced.Notes()...)
	wave := base + "." + format
	if err := cosim.Draw(ctx, traced, o.Seed, v, f.Cycle-min(f.Cycle, waveWindow), f.Cycle+1, wave); err != nil {
		return note(fmt.Errorf("no waveform of the failure: %w", err))
	}
	r.Failure.Wave = wave
	if err := writeAtomic(base+".gtkw", gtkwave(lib.Source().Clock, l, wave, v, f)); err != nil {
		return fmt.Errorf("gtkwave save file: %w", err)
	}
	r.Failure.Save = base + ".gtkw"
	return nil
}

// record returns the input vectors of the first n cycles of the bench's stimulus.
func record(ctx context.Context, lib *cosim.Library, bench cosim.Bench, seed, n uint64) ([]uint64, error) {
	l := lib.Layout()
	if l.InWords > 0 && n > maxWords/uint64(l.InWords) {
		return nil, fmt.Errorf("the failing run of %d cycles is too long to be shrunk: repeat it with its seed, or look for another seed that fails earlier", n)
	}
	s, err := bench.NewStimulus(l, seed)
	if err != nil {
		return nil, fmt.Errorf("stimulus: %w", err)
	}
	return cosim.Record(ctx, lib, seed, s, n)
}

// describe puts a shrunk stimulus in the words of a report.
func (s *shrinker) describe(v []uint64, explain string) *cosim.Shrunk {
	l := s.lib.Layout()
	x := &cosim.Shrunk{Cycles: s.found.Cycle + 1, Cycle: s.found.Cycle, Explain: explain, Tries: s.tries, Inputs: []cosim.CycleInput{}}
	if s.found.Fault == nil {
		x.Want, x.Got = s.found.Diffs[0].Want, s.found.Diffs[0].Got
	}
	for at := 0; at < len(v); at += l.InWords {
		ports, c := l.NonZero(v[at:]), uint64(at/l.InWords)
		switch n := len(x.Inputs); {
		case len(ports) == 0:
		case n > 0 && x.Inputs[n-1].Last+1 == c && maps.Equal(x.Inputs[n-1].Ports, ports):
			x.Inputs[n-1].Last = c
		default:
			x.Inputs = append(x.Inputs, cosim.CycleInput{Cycle: c, Last: c, Ports: ports})
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

// writeAtomic writes a file completely or not at all.
func writeAtomic(name string, to io.WriterTo) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".nicgen-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = to.WriteTo(f)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
