// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

// Device is a unit in a host of a simulated network, clocked when something happens: the clock is stopped between events, and
// they bring the time. The unit is the RTL or the golden model, which are driven by the same vectors.
type Device struct {
	Layout *cosim.Layout
	Idle   []uint64 // inputs of a cycle: the settings

	run     func(in, out []uint64) error
	close   func() error
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

// Open powers up the RTL of a unit with its assertions. A Run has at most the given number of cycles.
func Open(ctx context.Context, b Compiled, cycles int) (*Device, error) {
	lib, err := Compile(ctx, b)
	if err != nil {
		return nil, err
	}
	inst, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		return nil, errors.Join(err, lib.Close())
	}
	d := newDevice(lib.Layout(), cycles)
	d.run = func(in, out []uint64) error {
		_, err := inst.Run(in, out)
		return err
	}
	d.close = func() error { return errors.Join(inst.Close(), lib.Close()) }
	return d, nil
}

// OpenGolden powers up the golden model of a configuration. A Run has at most the given number of cycles.
func OpenGolden(b cosim.Bench, ports []gen.Port, cycles int) (*Device, error) {
	l, err := LayoutOf(ports)
	if err != nil {
		return nil, err
	}
	golden, err := b.NewPredictor(l, true)
	if err != nil {
		return nil, err
	}
	d := newDevice(l, cycles)
	care := make([]uint64, l.OutWords)
	d.run = func(in, out []uint64) error {
		for len(in) > 0 {
			clear(out[:d.ow])
			golden.Step(in[:d.iw], out[:d.ow], care)
			in, out = in[d.iw:], out[d.ow:]
		}
		return nil
	}
	d.close = func() error { return nil }
	return d, nil
}

func newDevice(l *cosim.Layout, cycles int) *Device {
	return &Device{Layout: l, iw: l.InWords, ow: l.OutWords, Idle: make([]uint64, l.InWords),
		in: make([]uint64, cycles*l.InWords), out: make([]uint64, cycles*l.OutWords)}
}

// Run clocks the unit; drive sets the inputs of the first cycle, except the settings. It returns the outputs of the
// last one.
func (d *Device) Run(cycles int, drive func(in []uint64)) ([]uint64, error) {
	for c := range cycles {
		copy(d.in[c*d.iw:], d.Idle)
	}
	drive(d.in[:d.iw])
	err := d.run(d.in[:cycles*d.iw], d.out[:cycles*d.ow])
	return d.out[(cycles-1)*d.ow : cycles*d.ow], err
}

// Offer drives a request in each cycle until a ready output is high, which means that it is taken. It waits for at
// most the given number of cycles.
func (d *Device) Offer(ready *Pin, most int, drive func(in []uint64)) error {
	for range most {
		if out, err := d.Run(1, drive); err != nil || ready.On(out) {
			return err
		}
	}
	return fmt.Errorf("not taken in %d cycles", most)
}

// Await clocks the unit for a number of cycles, and returns the outputs of the last one in which an output is high, or nil if it
// never is.
func (d *Device) Await(cycles int, valid *Pin) (found []uint64, err error) {
	_, err = d.Run(cycles, func([]uint64) {})
	for out := d.out[:cycles*d.ow]; len(out) > 0; out = out[d.ow:] {
		if valid.On(out) {
			found = out[:d.ow]
		}
	}
	return found, err
}

// Reset resets the unit and waits until it is ready, for at most the given number of
// cycles.
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
func (d *Device) Close() error { return d.close() }

// Build compiles a unit with its own clock, and makes the golden model that runs in lockstep
// with it.
func Build(ctx context.Context, b interface {
	Compiled
	cosim.Bench
}) (*cosim.Library, cosim.Predictor, error) {
	lib, err := Compile(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	golden, err := b.NewPredictor(lib.Layout(), true)
	if err != nil {
		return nil, nil, errors.Join(err, lib.Close())
	}
	return lib, golden, nil
}
