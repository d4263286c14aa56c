// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
)

// Device is the RTL of a unit in a host of a simulated network, clocked when something happens: the clock stands still between
// events, and they bring the time.
type Device struct {
	Layout *cosim.Layout
	Idle   []uint64 // inputs of a cycle: the settings

	lib     *cosim.Library
	inst    *cosim.Instance
	iw, ow  int
	in, out []uint64
}

// Compiled is a bench with assertions in its sources, which Prepare puts there.
type Compiled interface {
	Prepare() error
	Source() cosim.Source
}

// Compile compiles a unit with its assertions.
func Compile(ctx context.Context, b Compiled) (*cosim.Library, error) {
	if err := b.Prepare(); err != nil {
		return nil, err
	}
	return cosim.Build(ctx, b.Source(), cosim.BuildOptions{})
}

// Open powers a unit up. A Run of it has so many cycles at most.
func Open(ctx context.Context, b Compiled, cycles int) (*Device, error) {
	lib, err := Compile(ctx, b)
	if err != nil {
		return nil, err
	}
	d := &Device{lib: lib, Layout: lib.Layout(), iw: lib.Layout().InWords, ow: lib.Layout().OutWords}
	if d.inst, err = lib.New(cosim.InstanceOptions{Seed: 1}); err != nil {
		return nil, errors.Join(err, lib.Close())
	}
	d.Idle = make([]uint64, d.iw)
	d.in, d.out = make([]uint64, cycles*d.iw), make([]uint64, cycles*d.ow)
	return d, nil
}

// Run clocks the unit; drive sets the inputs of the first cycle, apart from the settings. It returns the outputs of the
// last one.
func (d *Device) Run(cycles int, drive func(in []uint64)) ([]uint64, error) {
	for c := range cycles {
		copy(d.in[c*d.iw:], d.Idle)
	}
	drive(d.in[:d.iw])
	_, err := d.inst.Run(d.in[:cycles*d.iw], d.out[:cycles*d.ow])
	return d.out[(cycles-1)*d.ow : cycles*d.ow], err
}

// Offer drives a request in each cycle until a ready output is high: it is taken. It waits for so many cycles at most.
func (d *Device) Offer(ready *Pin, most int, drive func(in []uint64)) error {
	for range most {
		if out, err := d.Run(1, drive); err != nil || ready.On(out) {
			return err
		}
	}
	return fmt.Errorf("not taken in %d cycles", most)
}

// Await clocks the unit for so many cycles, and returns the outputs of the last one in which an output is high; nil: it never is.
func (d *Device) Await(cycles int, valid *Pin) (found []uint64, err error) {
	_, err = d.Run(cycles, func([]uint64) {})
	for out := d.out[:cycles*d.ow]; len(out) > 0; out = out[d.ow:] {
		if valid.On(out) {
			found = out[:d.ow]
		}
	}
	return found, err
}

// Reset resets the unit and waits until it is ready, for so many cycles at most.
func (d *Device) Reset(rst, ready *Pin, most int) error {
	out, err := d.Run(1, rst.Raise)
	for n := 0; err == nil; n++ {
		if out, err = d.Run(1, func([]uint64) {}); err == nil && ready.On(out) {
			return nil
		}
		if n == most {
			return fmt.Errorf("not ready %d cycles after a reset", most)
		}
	}
	return err
}

// Set sets an input for this and all later cycles.
func (d *Device) Set(p *Pin, x uint64) {
	d.Idle[p.Word] &^= p.Mask << (p.Shift & 63)
	p.Put(d.Idle, x)
}

// Close ends the device.
func (d *Device) Close() error { return errors.Join(d.inst.Close(), d.lib.Close()) }

// Build compiles a unit for a clock of its own, and makes the golden model to run beside it.
func Build(ctx context.Context, b interface {
	Compiled
	cosim.Bare
}) (*cosim.Library, cosim.Predictor, error) {
	lib, err := Compile(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	golden, err := b.NewBarePredictor(lib.Layout())
	if err != nil {
		return nil, nil, errors.Join(err, lib.Close())
	}
	return lib, golden, nil
}
