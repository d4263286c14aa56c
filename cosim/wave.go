// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

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

// keep puts the finished file in its place. It returns the empty name if the run did not
// reach the waveform's first cycle.
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

// Draw runs a fresh device with recorded input vectors and writes a waveform of cycles from to to, the
// last one not included. It ends where the device ends.
func Draw(ctx context.Context, lib *Library, seed uint64, v []uint64, from, to uint64, name string) error {
	i, err := lib.New(InstanceOptions{Seed: seed})
	if err != nil {
		return err
	}
	defer i.Close()
	w, err := newWave(i, name, from, to)
	if err != nil {
		return err
	}
	defer w.drop()
	c := &checker{layout: lib.layout, instance: i, wave: w}
	n := int(to)
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
