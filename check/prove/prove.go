// SPDX-License-Identifier: Apache-2.0

// Package prove shows properties of the units for every stimulus of any length.
//
// A property is a formula in SystemVerilog. Its text stands in the folder text, in a
// file named after the module that it speaks about, and is read as if it stood before
// that module's endmodule: in a copy, the emitted files stay as they are. Yosys turns
// the design into an and-inverter graph, in which yosys-abc looks for an invariant:
// a set of clauses that holds after reset, implies the properties, and once true stays
// true whatever the inputs are (property directed reachability). ABC checks what it
// found before it says so.
//
// A proof says little if the property could not fail. So each one comes with a mistake
// in the RTL that breaks it, which must give a trace from reset to the violation, and
// with the situation of which it speaks, which must be reachable.
package prove

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/rtl/lib"
)

//go:embed text
var texts embed.FS

// Set is a group of properties of one design, which are proved together.
type Set struct {
	Unit string // "reps"; "lib" for the parts that units share
	Name string // one word
	Says string // a sentence: what is looked at, and what the proof covers

	// Configs are configurations of the unit, one "key=value" a word on top of the
	// default, or values of the top module's parameters for a set of "lib". All
	// properties are proved in each of them; they are small on purpose.
	Configs []string

	Top   string   // the module that is proved; empty: the unit's top
	Parts []string // parts of rtl/lib in compile order, for a set of "lib"
	Texts []string // files in the folder text, each for the module of its name or of the one after an @

	// Free selects, for Yosys, modules and cells whose outputs are any values at any time:
	// what is proved then holds for whatever stands there. Empty: none.
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
	Name string // its label in the text
	Says string // a sentence
	Bug  Bug    // a mistake that breaks it
	Open string // not empty: no proof was found, and why
}

// Bug is a mistake in the RTL.
type Bug struct {
	Says   string // what is wrong
	File   string
	Config int // index of the configuration in which it shows
	// Edits are old, new, old, new, …; each old occurs exactly once in the emitted
	// text, whatever the number of blanks in it.
	Edits []string
}

// Sets lists all sets, those of a unit together.
func Sets() []Set {
	return slices.Concat(libSets, repsSets, repsDetectorSets, powertcpSets, lapsPickSets, lapsRateSets, lapsPathsSets, lapsLossSets, lapsSets)
}

// Units lists the units that have properties, "lib" first.
func Units() []string {
	var out []string
	for _, s := range Sets() {
		if !slices.Contains(out, s.Unit) {
			out = append(out, s.Unit)
		}
	}
	return out
}

// Names lists the sets of a unit.
func Names(unit string) []string {
	var out []string
	for _, s := range Sets() {
		if s.Unit == unit {
			out = append(out, s.Name)
		}
	}
	return out
}

// file is a source text of a design.
type file struct{ name, text string }

// design is what Yosys reads for one configuration of a set.
type design struct {
	top    string
	files  []file
	params map[string]string

	free     string
	anyState bool
}

// design is a configuration with the properties' texts put in, and, if bug is not nil,
// a mistake planted in it.
func (s *Set) design(config string, bug *Bug) (*design, error) {
	d := &design{top: s.Top, free: s.Free, anyState: s.AnyState}
	var sources []gen.File
	if s.Unit == "lib" {
		d.params = map[string]string{}
		for _, w := range strings.Fields(config) {
			k, v, ok := strings.Cut(w, "=")
			if !ok {
				return nil, fmt.Errorf("%s: configuration %q: found %q, want KEY=VALUE", s.Name, config, w)
			}
			d.params[k] = v
		}
		var err error
		if sources, err = lib.Parts(s.Parts...); err != nil {
			return nil, err
		}
	} else {
		cfg, err := configure(s.Unit, config)
		if err != nil {
			return nil, err
		}
		if d.top == "" {
			d.top = cfg.Top()
		}
		if sources, err = cfg.Files(); err != nil {
			return nil, err
		}
	}
	planted := bug == nil
	for _, f := range sources {
		text := f.Text
		if bug != nil && bug.File == f.Name {
			var err error
			if text, err = bug.plant(text); err != nil {
				return nil, err
			}
			planted = true
		}
		d.files = append(d.files, file{f.Name, text})
	}
	if !planted {
		return nil, fmt.Errorf("the design has no file %s to plant a mistake in", bug.File)
	}
	for _, name := range s.Texts {
		if err := d.insert(name); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// configure is the default configuration of a unit with settings applied. Defaults of
// run-time settings need not fit: they are inputs of the design.
func configure(unit, settings string) (gen.Config, error) {
	for _, u := range registry.Units {
		cfg := u.New()
		if cfg.Unit() != unit {
			continue
		}
		return cfg, gen.Configure(cfg, settings)
	}
	return nil, fmt.Errorf("unknown unit %q", unit)
}

// insert puts a text, one of Set.Texts, before the endmodule of its module.
func (d *design) insert(name string) error {
	name, module, named := strings.Cut(name, "@")
	if !named {
		module = strings.TrimSuffix(path.Base(name), ".svh")
	}
	text, err := fs.ReadFile(texts, path.Join("text", name))
	if err != nil {
		return err
	}
	for i := range d.files {
		f := &d.files[i]
		if f.name != module+".sv" {
			continue
		}
		at := strings.LastIndex(f.text, "endmodule")
		if at < 0 {
			return fmt.Errorf("%s has no endmodule", f.name)
		}
		f.text = f.text[:at] + string(text) + f.text[at:]
		return nil
	}
	return fmt.Errorf("%s: the design has no file %s.sv", name, module)
}

var blanks = regexp.MustCompile(` +`)

// plant edits a text.
func (b *Bug) plant(text string) (string, error) {
	if len(b.Edits) == 0 || len(b.Edits)%2 != 0 {
		return "", errors.New("a mistake needs pairs of an old and a new text")
	}
	for i := 0; i < len(b.Edits); i += 2 {
		old := regexp.MustCompile(blanks.ReplaceAllString(regexp.QuoteMeta(b.Edits[i]), ` +`))
		at := old.FindAllStringIndex(text, -1)
		if len(at) != 1 {
			return "", fmt.Errorf("%s has %q %d times, want once: the mistake cannot be planted", b.File, b.Edits[i], len(at))
		}
		text = text[:at[0][0]] + b.Edits[i+1] + text[at[0][1]:]
	}
	return text, nil
}
