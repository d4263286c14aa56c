// SPDX-License-Identifier: Apache-2.0

// Package proof declares the properties to prove of a unit's RTL for every stimulus of any
// length: properties, the configurations in which they are proved, and for each property a
// mistake that breaks it. Package check/prove proves them.
//
// A property is a formula in SystemVerilog. Its text is in a file named after its module,
// and is inserted in front of that module's endmodule in a copy; the emitted files do not
// change.
package proof

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/plant"
)

// Subject is a design with properties: a unit, or the shared parts.
type Subject struct {
	Name   string            // "reps"; "lib" for the shared parts
	New    func() gen.Config // the default configuration; nil for the shared parts
	Proofs *Proofs
}

// Proofs are the properties of a subject.
type Proofs struct {
	Sets []Set
	// Note is Markdown for readers of the results: how the sets combine, and the parts left
	// to co-simulation.
	Note string
	// Texts has the files that Set.Texts names, in the folder prove.
	Texts fs.FS
	// Shared has, in the same way, the properties whose names begin with lib/, proved of
	// the shared parts. It may be nil.
	Shared fs.FS
}

// Text is a file of a set.
func (p *Proofs) Text(name string) (string, error) {
	from := p.Texts
	if rest, ok := strings.CutPrefix(name, "lib/"); ok && p.Shared != nil {
		from, name = p.Shared, rest
	}
	text, err := fs.ReadFile(from, path.Join("prove", name))
	return string(text), err
}

// Names lists the sets.
func (p *Proofs) Names() []string {
	var out []string
	for _, s := range p.Sets {
		out = append(out, s.Name)
	}
	return out
}

// Quick reports whether there are sets that every test run proves.
func (p *Proofs) Quick() bool {
	return slices.ContainsFunc(p.Sets, func(s Set) bool { return s.Quick })
}

// Set is a group of properties of one design, which are proved together.
type Set struct {
	Name  string // one word
	Claim string // a sentence: what the proof is about, and what it covers

	// Configs are configurations of the unit, one "key=value" a word on top of the
	// default, or values of the top module's parameters for a set with Sources. All
	// properties are proved in each of them; they are small on purpose.
	Configs []string

	Top     string                     // the module that is proved; empty: the unit's top
	Sources func() ([]gen.File, error) // the files in compile order, of a set that is not about a unit
	Texts   []string                   // names for Proofs.Text, each for the module of its name or of the one after an @

	// Free selects, for Yosys, modules and cells whose outputs are any values at any time,
	// so that a proof holds for any implementation of them. Empty: none.
	Free string

	// AnyState is set if the design starts with anything in its registers, also in those
	// that have a value at power-up, and without a reset; the texts' registers named age
	// keep theirs.
	AnyState bool

	// K, if not 0, is the longest induction that is tried with the lemmas in the texts;
	// 0: an invariant is looked for.
	K int

	Depth int // cycles within which a mistake shows and a situation is reached

	Properties []Property

	Quick bool // cheap enough to be proved in every test run
}

// Property is one statement.
type Property struct {
	Name  string // its label in the text
	Claim string // the property in a sentence
	Bug   Bug    // a mistake that breaks it
	Open  string // not empty: no proof was found, and why
}

// Bug is a mistake in the RTL.
type Bug struct {
	Mistake string // the mistake in a few words
	File    string
	Config  int // index of the configuration in which it shows
	Edits   plant.Edits
}
