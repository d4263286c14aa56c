// SPDX-License-Identifier: Apache-2.0

// Package dcsim connects the units of DCSIM in a closed loop: hosts, each made of a source, a
// responder and an egress port, around one switch of egress ports. Every unit is the golden
// model, or the RTL in lockstep with the golden model: then each output must be equal in each
// cycle.
package dcsim

import (
	"context"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/tb/bench"
)

// kind makes the devices of one unit in one configuration.
type kind struct {
	unit     string
	layout   *cosim.Layout
	contract *event.Contract
	lib      *cosim.Library // of the RTL; nil for golden models alone
	golden   func() (cosim.Predictor, error)
	idle     []uint64 // inputs: the settings
	rst      bench.Pin
}

// newKind compiles a unit if it is to be RTL.
func newKind[P interface {
	bench.Params
	event.Contracted
	gen.Driven
}](ctx context.Context, u *bench.Unit[P], p P, rtl bool) (*kind, error) {
	if err := gen.Validate(p); err != nil {
		return nil, err
	}
	k := &kind{unit: u.Name, contract: p.Contract()}
	var err error
	if rtl {
		if k.lib, err = bench.Compile(ctx, u.Bench(p)); err != nil {
			return nil, err
		}
		k.layout = k.lib.Layout()
	} else {
		if k.layout, err = bench.LayoutOf(p.Ports()); err != nil {
			return nil, err
		}
	}
	k.golden = func() (cosim.Predictor, error) { return u.Predictor(p, k.layout, true) }
	k.idle = make([]uint64, k.layout.InWords)
	ports := bench.NewPorts(u.Name, k.layout)
	for name, v := range p.PortValues() {
		pin := ports.Pin(name)
		pin.Put(k.idle, v)
	}
	k.rst = ports.Pin("rst")
	return k, ports.Err()
}

func (k *kind) close() error {
	if k == nil || k.lib == nil {
		return nil
	}
	return k.lib.Close()
}

// device is a unit behind its ports.
type device struct {
	k          *kind
	name       string   // its place in the network
	idle       []uint64 // inputs: the settings
	golden     cosim.Predictor
	inst       *cosim.Instance // nil for the golden model alone
	in         []uint64        // inputs of the next cycle
	out        []uint64        // outputs of the last one
	want, care []uint64
	cycle      uint64
}

func (k *kind) new(name string, seed uint64) (*device, error) {
	d := &device{k: k, name: name, in: make([]uint64, k.layout.InWords), want: make([]uint64, k.layout.OutWords), care: make([]uint64, k.layout.OutWords)}
	d.idle = slices.Clone(k.idle)
	copy(d.in, d.idle)
	d.out = d.want
	var err error
	if d.golden, err = k.golden(); err != nil {
		return nil, err
	}
	if k.lib != nil {
		d.out = make([]uint64, k.layout.OutWords)
		d.inst, err = k.lib.New(cosim.InstanceOptions{Seed: seed})
	}
	return d, err
}

// set changes a setting.
func (d *device) set(pin *bench.Pin, v uint64) {
	d.idle[pin.Word] &^= pin.Mask << (pin.Shift & 63)
	pin.Put(d.idle, v)
	copy(d.in, d.idle)
}

// Difference is the first output of the RTL that is not as in the golden model.
type Difference struct {
	Device string
	Port   string
	Cycle  uint64
	RTL    string
	Golden string
}

// Error names the unit, the port, the cycle and both values.
func (d *Difference) Error() string {
	return fmt.Sprintf("%s, port %s, cycle %d: rtl %s, golden %s", d.Device, d.Port, d.Cycle, d.RTL, d.Golden)
}

// step clocks the device once with the inputs in. Then these are the settings alone again.
func (d *device) step() error {
	clear(d.want)
	clear(d.care)
	d.golden.Step(d.in, d.want, d.care)
	if d.inst != nil {
		if _, err := d.inst.Run(d.in, d.out); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		for i, x := range d.out {
			if (x^d.want[i])&d.care[i] != 0 {
				return d.differ()
			}
		}
	}
	copy(d.in, d.idle)
	d.cycle++
	return nil
}

// differ names the first port with a wrong value.
func (d *device) differ() error {
	for _, s := range d.k.layout.Outputs {
		have, want, care := s.Read(d.out), s.Read(d.want), s.Read(d.care)
		for i := range have {
			if (have[i]^want[i])&care[i] != 0 {
				return &Difference{Device: d.name + ": " + d.k.unit, Port: s.Name, Cycle: d.cycle, RTL: s.Hex(d.out), Golden: s.Hex(d.want)}
			}
		}
	}
	return fmt.Errorf("%s: rtl and golden differ in cycle %d, but not on a port", d.name, d.cycle)
}

func (d *device) close() error {
	if d == nil || d.inst == nil {
		return nil
	}
	return d.inst.Close()
}
