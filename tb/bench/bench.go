// SPDX-License-Identifier: Apache-2.0

// Package bench is what the benches of the units have in common: a Unit makes a
// cosim.Bench of a stimulus and a golden model, Pin reads and writes ports fast,
// Random and Pick choose traffic, Points and Distances keep coverage, ReadTrace and
// Recorded read and play recordings. The tests
// that every bench has to pass are in package benchtest.
package bench

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

// Params is the typed configuration of a unit: *params.Params of gen/<unit>.
type Params interface {
	comparable
	gen.Config
}

// Unit holds a unit's contributions to its bench, from tb/<unit>. All fields are required, except that one of
// Assertions and Asserts is enough.
type Unit[P Params] struct {
	// Name is the one name of the unit: "reps".
	Name string
	// Default returns a new default configuration.
	Default func() P
	// Assertions is the SystemVerilog attached by bind: nic_<name>_sva.sv.
	Assertions string
	// Asserts are the same, one by one.
	Asserts []Assert
	// Stimulus implements cosim.Bench's NewStimulus.
	Stimulus func(p P, l *cosim.Layout, seed uint64) (cosim.Stimulus, error)
	// Predictor implements cosim.Bench's NewPredictor; the hits of one that is
	// bare need not be counted.
	Predictor func(p P, l *cosim.Layout, bare bool) (cosim.Predictor, error)
	// Points lists the coverage points in the order of the predictor's hits.
	Points func(p P) []cosim.Point
}

// Config returns a new default configuration: New of the unit's Entry.
func (u *Unit[P]) Config() gen.Config { return u.Default() }

// New returns the bench of a configuration, which must be valid and of type P.
func (u *Unit[P]) New(cfg gen.Config) (cosim.Bench, error) {
	p, err := u.Params(cfg)
	if err != nil {
		return nil, err
	}
	b := u.Bench(p)
	return b, b.Prepare()
}

// Params is a configuration in its own type; the error names the unit that it is of.
func (u *Unit[P]) Params(cfg gen.Config) (P, error) {
	p, ok := cfg.(P)
	if !ok {
		return p, fmt.Errorf("tb/%s: configuration of unit %s, want %s", u.Name, cfg.Unit(), u.Name)
	}
	return p, nil
}

// Bench returns the bench of a valid configuration; its fields may be set before
// Prepare is called.
func (u *Unit[P]) Bench(p P) *Bench[P] { return &Bench[P]{P: p, unit: u} }

// Bench drives one configuration of a unit. It implements cosim.Bench. Unit.Bench makes one.
type Bench[P Params] struct {
	// P is the configuration that the golden model and the stimulus have.
	P P
	// Override, if set, is passed to the top module as SystemVerilog parameters;
	// P must then describe the overridden configuration and Emitted the emitted.
	Override map[string]string
	// Emitted, if set, is the configuration of the RTL in place of P.
	Emitted P
	// Edit, if set, changes the emitted text before it is compiled: planted bugs.
	Edit func(name, text string) string

	unit   *Unit[P]
	source cosim.Source
}

// Prepare generates the RTL. Unit.New has done it; a bench of Unit.Bench needs it.
func (b *Bench[P]) Prepare() error {
	p := b.P
	var none P
	if b.Emitted != none {
		p = b.Emitted
	}
	src, err := Source(p)
	if err != nil {
		return err
	}
	for i := range src.Files {
		if f := &src.Files[i]; b.Edit != nil {
			f.Text = b.Edit(f.Name, f.Text)
		}
	}
	b.source, b.source.Params = src, b.Override
	text := b.unit.Assertions
	if len(b.unit.Asserts) > 0 {
		text = assertions(p, b.unit.Asserts)
	}
	b.source.Bind = []cosim.File{{Name: "nic_" + b.unit.Name + "_sva.sv", Text: text}}
	return nil
}

// Source is the text of a configuration, as the simulators take it.
func Source(cfg gen.Config) (cosim.Source, error) {
	files, err := cfg.Files()
	src := cosim.Source{Top: cfg.Top()}
	for _, f := range files {
		src.Files = append(src.Files, cosim.File(f))
	}
	return src, err
}

// Source implements cosim.Bench.
func (b *Bench[P]) Source() cosim.Source { return b.source }

// NewStimulus implements cosim.Bench.
func (b *Bench[P]) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return b.unit.Stimulus(b.P, l, seed)
}

// NewPredictor implements cosim.Bench.
func (b *Bench[P]) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	return b.unit.Predictor(b.P, l, bare)
}

// Points implements cosim.Bench.
func (b *Bench[P]) Points() []cosim.Point { return b.unit.Points(b.P) }
