// SPDX-License-Identifier: Apache-2.0

// Package fusesoc describes a unit to FuseSoC: a core file in the format
// CAPI2, so that a unit is one line in the dependencies of another core.
package fusesoc

import (
	"fmt"
	"path"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/vivado"
)

// FirstLine is the first line of every core file; the generated mark follows it.
const FirstLine = "CAPI=2:\n"

// Name returns the base name of the core file of a unit or of the library.
func Name(name string) string { return name + ".core" }

type core struct {
	Name        string               `yaml:"name"`
	Description string               `yaml:"description"`
	License     string               `yaml:"license"`
	Filesets    map[string]fileset   `yaml:"filesets"`
	Parameters  map[string]parameter `yaml:"parameters,omitempty"`
	Targets     map[string]target    `yaml:"targets"`
}

type fileset struct {
	Files    []any    `yaml:"files"` // a name, or a map from it to its file_type
	FileType string   `yaml:"file_type"`
	Depend   []string `yaml:"depend,omitempty"`
}

type parameter struct {
	Datatype    string `yaml:"datatype"`
	Default     any    `yaml:"default"`
	Description string `yaml:"description"`
	Paramtype   string `yaml:"paramtype"`
}

type target struct {
	Description string         `yaml:"description"`
	Filesets    []string       `yaml:"filesets"`
	Flow        string         `yaml:"flow,omitempty"`
	FlowOptions map[string]any `yaml:"flow_options,omitempty"`
	Parameters  []string       `yaml:"parameters,omitempty"`
	Toplevel    string         `yaml:"toplevel,omitempty"`
}

// vlnv returns the full name of a core.
func vlnv(name string) string { return fmt.Sprintf("nicgen:transport:%s:%s", name, gen.Version) }

// VLNV returns the full name of a unit's core: nicgen:transport:reps:0.1.0. The name for a configuration
// other than the default one ends in its variant, reps_1a2b3c4d, unless a prefix distinguishes it,
// a_reps.
func VLNV(e gen.Emission) string {
	if e.Prefix == "" && e.Variant != "" {
		return vlnv(e.Name() + "_" + e.Variant)
	}
	return vlnv(e.Name())
}

// LibraryVLNV returns the full name of the core of the shared parts.
func LibraryVLNV(prefix string) string { return vlnv(gen.Prefixed(prefix, gen.Library)) }

// Library returns the text of the core file of the shared parts, which a run emits under
// prefix. It begins with FirstLine.
func Library(prefix string, files []string) string {
	return text(core{
		Name:        LibraryVLNV(prefix),
		Description: "Parts that the units share",
		License:     "Apache-2.0",
		Filesets:    map[string]fileset{"rtl": sources(files)},
		Targets:     map[string]target{"default": {Description: "all parts, for use as a dependency", Filesets: []string{"rtl"}}},
	})
}

// Core returns the text of the core file of a unit, which lies next to its sources. Targets:
// default for use as a dependency, lint (Verilator, every warning), synth (Vivado, the unit alone
// on the Alveo U280's device). Parameters that may be overridden at instantiation are vlogparams of
// lint and synth: in the default target they would become parameters of any design that depends on
// the unit. It begins with FirstLine.
func Core(e gen.Emission) string {
	c := core{
		Name:        VLNV(e),
		Description: e.Title(),
		License:     "Apache-2.0",
		Parameters:  map[string]parameter{},
	}
	rtl := sources(e.Sources)
	if len(e.Parts) > 0 {
		rtl.Depend = []string{LibraryVLNV(e.Prefix)}
	}
	c.Filesets = map[string]fileset{
		// FuseSoC would apply a file of the type xdc to any design; the script applies it to the
		// unit alone.
		"constraints": {Files: []any{vivado.OOCName(e), map[string]any{vivado.XDCName(e): map[string]string{"file_type": "user"}}}, FileType: "tclSource"},
		"rtl":         rtl,
	}
	var params []string
	for _, f := range e.Fields() {
		if f.SV == "" {
			continue
		}
		p := parameter{Paramtype: "vlogparam", Datatype: "int", Description: f.Doc}
		switch f.Kind() {
		case gen.Int:
			p.Default = *f.Int
		case gen.Bool: // an int of 0 or 1 in SystemVerilog
			p.Default = 0
			if *f.Bool {
				p.Default = 1
			}
		case gen.Enum:
			p.Datatype, p.Default = "str", *f.Enum
		}
		c.Parameters[f.SV] = p
		params = append(params, f.SV)
	}
	c.Targets = map[string]target{
		"default": {Description: "the unit, for use as a dependency", Filesets: []string{"rtl"}, Toplevel: e.Top()},
		"lint": {Description: "Verilator, every warning on", Flow: "lint", Filesets: []string{"rtl"}, Toplevel: e.Top(), Parameters: params,
			FlowOptions: map[string]any{"tool": "verilator", "verilator_options": []string{"-Wall"}}},
		"synth": {Description: "Vivado, the unit alone on " + e.Device().Name, Flow: "vivado", Filesets: []string{"rtl", "constraints"}, Toplevel: e.Top(), Parameters: params,
			FlowOptions: map[string]any{"part": e.Device().Name, "pnr": "none"}},
	}
	return text(c)
}

// sources returns a set of files in compile order.
func sources(files []string) fileset {
	s := fileset{FileType: "systemVerilogSource"}
	for _, f := range files {
		switch path.Ext(f) {
		case ".mem", ".hex":
			s.Files = append(s.Files, map[string]any{f: map[string]string{"file_type": "mem"}})
		default:
			s.Files = append(s.Files, f)
		}
	}
	return s
}

func text(c core) string {
	b, err := yaml.MarshalWithOptions(c, yaml.IndentSequence(true))
	if err != nil {
		// Only strings, numbers and maps of them, which cannot fail.
		panic(fmt.Sprintf("fusesoc: %s: %v", c.Name, err))
	}
	return FirstLine + "# SPDX-License-Identifier: Apache-2.0\n" + strings.TrimLeft(string(b), "\n")
}
