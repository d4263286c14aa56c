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

// Version is the version under which units are offered to FuseSoC: the name
// of a core is nicgen:transport:<unit>:<Version>.
const Version = "0.1.0"

// FirstLine is what a core file must begin with: a generated mark goes below.
const FirstLine = "CAPI=2:\n"

// Name is the base name under which the core file is emitted.
func Name(cfg gen.Config) string { return cfg.Unit() + ".core" }

type core struct {
	Name        string               `yaml:"name"`
	Description string               `yaml:"description"`
	License     string               `yaml:"license"`
	Filesets    map[string]fileset   `yaml:"filesets"`
	Parameters  map[string]parameter `yaml:"parameters,omitempty"`
	Targets     map[string]target    `yaml:"targets"`
}

type fileset struct {
	Files    []any  `yaml:"files"` // a name, or a map from it to its file_type
	FileType string `yaml:"file_type"`
}

type parameter struct {
	Datatype    string `yaml:"datatype"`
	Default     any    `yaml:"default"`
	Description string `yaml:"description"`
	Paramtype   string `yaml:"paramtype"`
}

type target struct {
	DefaultTool string         `yaml:"default_tool,omitempty"`
	Description string         `yaml:"description"`
	Filesets    []string       `yaml:"filesets"`
	Parameters  []string       `yaml:"parameters,omitempty"`
	Tools       map[string]any `yaml:"tools,omitempty"`
	Toplevel    string         `yaml:"toplevel"`
}

// Core is the text of the core file of a unit whose sources are files, in
// compile order and relative to it. Targets: default for use as a dependency,
// lint (Verilator, every warning), synth (Vivado, the unit alone on the Alveo
// U280's device). Parameters that may be overridden at instantiation are
// vlogparams. It begins with FirstLine.
func Core(cfg gen.Config, files []string) string {
	c := core{
		Name:        fmt.Sprintf("nicgen:transport:%s:%s", cfg.Unit(), Version),
		Description: cfg.Title(),
		License:     "Apache-2.0",
		Parameters:  map[string]parameter{},
	}
	rtl := fileset{FileType: "systemVerilogSource"}
	for _, f := range files {
		switch path.Ext(f) {
		case ".mem", ".hex":
			rtl.Files = append(rtl.Files, map[string]any{f: map[string]string{"file_type": "mem"}})
		default:
			rtl.Files = append(rtl.Files, f)
		}
	}
	c.Filesets = map[string]fileset{
		"constraints": {Files: []any{vivado.XDCName(cfg)}, FileType: "xdc"},
		"rtl":         rtl,
	}
	var params []string
	for _, f := range cfg.Fields() {
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
		"default": {Description: "the unit, for use as a dependency", Filesets: []string{"rtl"}, Toplevel: cfg.Top(), Parameters: params},
		"lint": {Description: "Verilator, every warning on", DefaultTool: "verilator", Filesets: []string{"rtl"}, Toplevel: cfg.Top(), Parameters: params,
			Tools: map[string]any{"verilator": map[string]any{"mode": "lint-only", "verilator_options": []string{"-Wall"}}}},
		"synth": {Description: "Vivado, the unit alone on " + vivado.Part, DefaultTool: "vivado", Filesets: []string{"rtl", "constraints"}, Toplevel: cfg.Top(), Parameters: params,
			Tools: map[string]any{"vivado": map[string]any{"part": vivado.Part, "pnr": "none"}}},
	}
	b, err := yaml.MarshalWithOptions(c, yaml.IndentSequence(true))
	if err != nil {
		// Only strings, numbers and maps of them: there is nothing to go wrong.
		panic(fmt.Sprintf("fusesoc: %s: %v", cfg.Unit(), err))
	}
	return FirstLine + "# SPDX-License-Identifier: Apache-2.0\n" + strings.TrimLeft(string(b), "\n")
}
