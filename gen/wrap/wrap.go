// SPDX-License-Identifier: Apache-2.0

// Package wrap integrates nic_transport into other projects' NICs: it writes the module that they
// instantiate, and the files that bring it into their build. Their interfaces are recorded in
// testdata, with the source.
package wrap

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/nicgen/nicgen/constraints"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/vivado"
	"github.com/nicgen/nicgen/rtl"
)

// Unit is the unit that can be wrapped.
const Unit = "nic_transport"

// A Wrapper is a set of files that is emitted with a unit.
type Wrapper struct {
	Name    string     // of the folder
	Top     string     // the module that the other project instantiates
	Fixed   []string   // modules that keep their names under a prefix
	Parts   []gen.File // shared parts that it needs in addition to the unit's, in compile order
	Sources []gen.File // SystemVerilog, in compile order, after the unit's
	Others  []gen.File // texts

	Clocks    []vivado.Clock // of the top module, those that its logic uses
	Crossings []string       // scripts among the texts that constrain clock domain crossings
	// Alone holds the parameters of the top module for an implementation by Vivado alone; nil means
	// its defaults.
	Alone map[string]string

	// Lint holds the parameters of the top module for a check of it alone; nil means its defaults.
	Lint map[string]string
}

// A kind is a way to wrap.
type kind struct {
	name     string
	settings string // the unit's settings that the other project needs
	make     func(gen.Emission) (*Wrapper, error)
}

var kinds = []kind{
	{"corundum", "tx_user_bits=17 rx_user_bits=97", corundum},
	{"opennic", "", openNIC},
	{"axis", "", axis},
}

// Kinds returns the names of the wrappers.
func Kinds() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Settings returns the parameters of the unit that a wrapper of this kind is made for, one
// "key=value" per word, which are the unit's defaults.
func Settings(name string) (string, error) {
	k, err := find(name)
	return k.settings, err
}

func find(name string) (kind, error) {
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("wrapper %q, want %s", name, strings.Join(Kinds(), ", "))
}

// Make wraps a unit, which must be Unit. Parts and sources of the emission belong to the unit;
// names in the result have no prefix except for the paths in lists. The error names the mismatch.
func Make(name string, e gen.Emission) (*Wrapper, error) {
	k, err := find(name)
	switch {
	case err != nil:
		return nil, err
	case e.Unit() != Unit:
		return nil, fmt.Errorf("%s: cannot be wrapped, only %s can", e.Unit(), Unit)
	}
	w, err := k.make(e)
	if err == nil {
		err = w.registers(e.Config)
	}
	if err != nil {
		return nil, fmt.Errorf("wrapper %s: %w", name, err)
	}
	return w, nil
}

// registers adds the register map of the unit as built here, for software.
func (w *Wrapper) registers(cfg gen.Config) error {
	mapped, ok := cfg.(interface{ Map() (*csr.Map, error) })
	if !ok {
		return fmt.Errorf("%s has no map of registers", cfg.Unit())
	}
	m, err := mapped.Map()
	if err != nil {
		return err
	}
	for _, f := range []struct{ form, name string }{{"json", "nic_regs.json"}, {"c", "nic_regs.h"}} {
		text, err := m.Render(f.form, "nic_regs")
		if err != nil {
			return err
		}
		w.Others = append(w.Others, gen.File{Name: f.name, Text: string(text)})
	}
	return nil
}

//go:embed *.tmpl parts/*.sv
var folder embed.FS

// fill fills in a template.
func fill(name string, values map[string]any) (string, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(folder, name)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, values); err != nil {
		return "", err
	}
	return b.String(), nil
}

// parts returns modules of this package that need no filling in.
func parts(names ...string) ([]gen.File, error) {
	var out []gen.File
	for _, n := range names {
		file := n + ".sv"
		if n == constraints.Cross {
			out = append(out, gen.File{Name: file, Text: constraints.CrossSV})
			continue
		}
		b, err := folder.ReadFile("parts/" + file)
		if err != nil {
			return nil, err
		}
		out = append(out, gen.File{Name: file, Text: string(b)})
	}
	return out, nil
}

// shared returns the named parts of the library.
func shared(names ...string) ([]gen.File, error) {
	for i, n := range names {
		names[i] = rtl.PartPrefix + n
	}
	return rtl.Parts(names...)
}

// texts fills in templates; files alternates between the name of a file and the name of its
// template.
func (w *Wrapper) texts(values map[string]any, names ...string) error {
	for i := 0; i < len(names); i += 2 {
		text, err := fill(names[i+1], values)
		if err != nil {
			return err
		}
		w.Others = append(w.Others, gen.File{Name: names[i], Text: text})
	}
	return nil
}

//go:embed parts/nic_wrap_sync.tcl
var syncTcl string

// Files returns the wrapper's and the unit's files below the emitted folders' parent, in compile order.
func (w *Wrapper) Files(e gen.Emission) []string {
	var out []string
	add := func(folder string, names []string) {
		for _, n := range names {
			if p := folder + "/" + n; !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	base := func(files []gen.File) (list []string) {
		for _, f := range files {
			list = append(list, f.Name)
		}
		return list
	}
	library := gen.Prefixed(e.Prefix, gen.Library)
	add(library, e.Parts)
	add(library, base(w.Parts))
	add(e.Name(), e.Sources)
	add(gen.Prefixed(e.Prefix, w.Name), base(w.Sources))
	return out
}

// core is the period in ns of a NIC's core clock of 250 MHz.
const core = "4.000"

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// unread returns the names that no text has as a whole word.
func unread(names []string, text string) []string {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		words[w] = true
	}
	var out []string
	for _, n := range names {
		if !words[n] {
			out = append(out, n)
		}
	}
	return out
}

// check returns an elaboration check.
func check(name, bad, message string) string {
	line := fmt.Sprintf("  if (%s) begin : g_check_%s\n", bad, name)
	return line + fmt.Sprintf("    $error(\"%s\");\n  end\n", message)
}

// assigns returns aligned continuous assignments, for alternating left and right sides.
func assigns(indent string, pairs []string) string {
	wide := 0
	for i := 0; i < len(pairs); i += 2 {
		wide = max(wide, len(pairs[i]))
	}
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "%sassign %-*s = %s;\n", indent, wide, pairs[i], pairs[i+1])
	}
	return b.String()
}
