// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cycleTime is the length of a cycle in a waveform, in nanoseconds.
const cycleTime = 10

// waveWindow is how many cycles before a failure its waveform shows.
const waveWindow = 1000

// A waveFile is a waveform that is being written under a temporary name.
type waveFile struct {
	instance *Instance
	name     string
	dir      string // temporary folder
	from, to uint64 // cycles
	open     bool
}

// newWave prepares a waveform of cycles from to to; nothing appears under its
// name before keep.
func newWave(i *Instance, name string, from, to uint64) (*waveFile, error) {
	dir, err := os.MkdirTemp(filepath.Dir(name), ".nicgen-")
	if err != nil {
		return nil, fmt.Errorf("waveform: %w", err)
	}
	return &waveFile{instance: i, name: name, dir: dir, from: from, to: to}, nil
}

func (w *waveFile) tmp() string { return filepath.Join(w.dir, filepath.Base(w.name)) }

// at opens the file before its first cycle and closes it after its last. It
// returns how many of n cycles may run before it has to be asked again.
func (w *waveFile) at(cycle uint64, n int) (int, error) {
	switch {
	case cycle < w.from:
		return int(min(uint64(n), w.from-cycle)), nil
	case cycle < w.to:
		if !w.open {
			if err := w.instance.Trace(w.tmp()); err != nil {
				return 0, err
			}
			w.open = true
		}
		return int(min(uint64(n), w.to-cycle)), nil
	}
	return n, w.shut()
}

func (w *waveFile) shut() error {
	if !w.open {
		return nil
	}
	w.open = false
	return w.instance.Trace("")
}

// keep puts the finished file in its place. It returns the empty name if the
// run did not come to the waveform's first cycle.
func (w *waveFile) keep() (string, error) {
	if err := w.shut(); err != nil {
		return "", err
	}
	if _, err := os.Stat(w.tmp()); errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err := os.Rename(w.tmp(), w.name); err != nil {
		return "", fmt.Errorf("waveform: %w", err)
	}
	return w.name, nil
}

// drop removes what is not kept.
func (w *waveFile) drop() {
	_ = w.shut()
	_ = os.RemoveAll(w.dir)
}

// drawFailure runs a failing stimulus once more and writes a waveform that ends
// with the failing cycle.
func drawFailure(ctx context.Context, lib *Library, seed uint64, v []uint64, cycle uint64, name string) error {
	i, err := lib.New(InstanceOptions{Seed: seed})
	if err != nil {
		return err
	}
	defer i.Close()
	from := uint64(0)
	if cycle > waveWindow {
		from = cycle - waveWindow
	}
	w, err := newWave(i, name, from, cycle+1)
	if err != nil {
		return err
	}
	defer w.drop()
	c := &checker{layout: lib.layout, instance: i, wave: w}
	n := int(cycle + 1)
	out := make([]uint64, n*lib.layout.OutWords)
	if _, err := c.simulate(0, v[:n*lib.layout.InWords], out, n); err != nil {
		var fault *SimError
		if !errors.As(err, &fault) {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = w.keep()
	return err
}

// gtkwave is the text of a GTKWave save file for a failing window: clock, inputs
// that are used, outputs that differ with the wanted value beside them, and the
// other outputs; the marker is at the failing cycle.
func gtkwave(src Source, l *Layout, wave string, v []uint64, f *finding) *bytes.Buffer {
	b := &bytes.Buffer{}
	mark := f.cycle * cycleTime
	start := uint64(0)
	if mark > 40*cycleTime {
		start = mark - 40*cycleTime
	}
	fmt.Fprintf(b, "[dumpfile] %q\n[timestart] %d\n", filepath.Base(wave), start)
	fmt.Fprintf(b, "*-6.000000 %d", mark)
	for range 26 {
		b.WriteString(" -1")
	}
	b.WriteString("\n[treeopen] TOP.\n")
	signal := func(name string, width int32) {
		if width == 1 {
			fmt.Fprintf(b, "@28\nTOP.%s\n", name)
		} else {
			fmt.Fprintf(b, "@22\nTOP.%s[%d:0]\n", name, width-1)
		}
	}
	heading := func(format string, args ...any) { fmt.Fprintf(b, "@200\n-"+format+"\n", args...) }
	signal(src.Clock, 1)
	heading("inputs")
	for _, s := range l.Inputs {
		for at := 0; at+l.InWords <= len(v); at += l.InWords {
			if !s.IsZero(v[at:]) {
				signal(s.Name, s.Width)
				break
			}
		}
	}
	differs := map[string]bool{}
	if f.fault != nil {
		heading("%s:%d: the device ends at the marker", f.fault.File, f.fault.Line)
	}
	for _, d := range f.diffs {
		heading("%s at the marker: want %s, got %s", d.Port, d.Want, d.Got)
		differs[d.Port] = true
		s := l.MustSlot(d.Port)
		signal(s.Name, s.Width)
	}
	heading("other outputs")
	for _, s := range l.Outputs {
		if !differs[s.Name] {
			signal(s.Name, s.Width)
		}
	}
	return b
}
