// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/verilator"
)

// Options control the contents of an export.
type Options struct {
	Label    string            // stands for the unit in names; empty: the unit's name
	Golden   bool              // the unit has a golden model
	Follows  bool              // the golden model follows the RTL's choices: it does not run alone
	Optimize int               // see cosim.BuildOptions
	Status   func(what string) // called at the start of a long step with its name; may be nil
}

// Folder returns the folder of the export of a unit, or of its label, and the prefix of its names.
func Folder(label string) string { return "nicgen_" + label }

// word matches a part of names in C, of files and of packages.
var word = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// CheckLabel refuses a label that cannot represent a unit; names are the names of other units.
func CheckLabel(label, unit string, names []string) error {
	switch {
	case !word.MatchString(label):
		return fmt.Errorf("--name: found %q, allowed: a word of lower-case letters, digits and single underscores that begins with a letter", label)
	case label != unit && slices.Contains(names, label), label == goldenLabel:
		return fmt.Errorf("--name: found %s, which is the name of another library: choose another one", label)
	}
	return nil
}

// Render makes all files of a configuration's export, for emit.Write. def is the unit's default
// configuration. Errors come from cosim.Build.
func Render(ctx context.Context, cfg, def gen.Config, o Options) (emit.Tree, error) {
	u, err := describe(cfg, def, o.Label)
	if err != nil {
		return nil, err
	}
	src, err := source(cfg)
	if err != nil {
		return nil, err
	}
	v := view{unit: u, HasGolden: o.Golden, Follows: o.Follows}
	if v.layout, err = cosim.Ports(src); err != nil {
		return nil, err
	}
	tools, err := verilator.FindTools(ctx)
	if err != nil {
		return nil, err
	}
	v.Verilator = tools.Version
	tree := emit.Tree{}
	m := emit.Manifest{Generator: emit.Mark, Version: gen.Version, Unit: u.Name, Top: u.Top, Command: u.Command,
		Sources: []string{}, Configuration: emit.Values(cfg), ConfigurationSHA256: u.Digest}
	add := func(path string, text []byte) {
		tree[u.Prefix+"/"+path] = text
		m.Add(path, text)
	}
	var texts [2]string
	for i, t := range []string{"header.h.tmpl", "library.cpp.tmpl"} {
		if texts[i], err = v.render(t); err != nil {
			return nil, err
		}
	}
	lib, err := cosim.Export(ctx, src, verilator.Interface{Name: u.Prefix, Header: texts[0], Source: texts[1]},
		cosim.BuildOptions{Optimize: o.Optimize, Status: o.Status})
	if err != nil {
		return nil, err
	}
	add("include/"+u.Prefix+".h", []byte(texts[0]))
	add("lib/lib"+u.Prefix+".so", lib.Shared)
	add("lib/lib"+u.Prefix+".a", lib.Static)
	for _, f := range []struct{ path, template string }{
		{"lib/pkgconfig/" + u.Prefix + ".pc", "pkgconfig.pc.tmpl"},
		{"lib/cmake/" + u.Prefix + "/" + u.Prefix + "-config.cmake", "config.cmake.tmpl"},
		{"lib/cmake/" + u.Prefix + "/" + u.Prefix + "-config-version.cmake", "version.cmake.tmpl"},
		{"selftest.c", "selftest.c.tmpl"},
		{"LICENSES.md", "licenses.md.tmpl"},
	} {
		text, err := v.render(f.template)
		if err != nil {
			return nil, err
		}
		add(f.path, []byte(text))
	}
	text, err := v.json()
	if err != nil {
		return nil, err
	}
	add(u.Prefix+".json", text)
	if tree[u.Prefix+"/"+emit.ManifestName], err = m.Seal(); err != nil {
		return nil, err
	}
	return tree, nil
}

// source returns the text of a configuration, as the simulators take it.
func source(cfg gen.Config) (cosim.Source, error) {
	files, err := cfg.Files()
	src := cosim.Source{Top: cfg.Top()}
	for _, f := range files {
		src.Files = append(src.Files, cosim.File(f))
	}
	return src, err
}

// json describes the library for programs.
func (v view) json() ([]byte, error) {
	type fieldJSON struct {
		Name string `json:"name"`
		Port string `json:"port"`
		Bits int    `json:"bits"`
		Each bool   `json:"each,omitempty"` // an array
		Doc  string `json:"doc"`
	}
	type streamJSON struct {
		Name   string      `json:"name"`
		Op     *int        `json:"op,omitempty"` // of an event
		Valid  string      `json:"valid"`
		Ready  string      `json:"ready,omitempty"`
		Answer string      `json:"answer,omitempty"`
		Beats  string      `json:"beats,omitempty"` // field with the number of values in the arrays
		One    string      `json:"one,omitempty"`   // field that, if set, makes the number one
		Fields []fieldJSON `json:"fields"`
	}
	type levelJSON struct {
		Number int    `json:"number"`
		Port   string `json:"port"`
		Bits   int    `json:"bits"`
		Doc    string `json:"doc"`
	}
	type placeJSON struct {
		Port  string `json:"port"`
		Word  int    `json:"word"`
		Shift uint32 `json:"shift"`
		Bits  int32  `json:"bits"`
	}
	streams := func(list []*stream, ops bool) []streamJSON {
		out := []streamJSON{}
		for i, s := range list {
			j := streamJSON{Name: s.Name, Valid: s.Valid, Ready: s.Ready, Beats: s.Beats, One: s.One, Fields: []fieldJSON{}}
			if ops {
				j.Op = &i
			}
			if s.Answer != nil {
				j.Answer = s.Answer.Name
			}
			for _, f := range s.Fields {
				j.Fields = append(j.Fields, fieldJSON{f.Name, f.Port, f.Bits, f.Each, f.Doc})
			}
			out = append(out, j)
		}
		return out
	}
	levels := func(list []level) []levelJSON {
		out := []levelJSON{}
		for i, l := range list {
			out = append(out, levelJSON{i, l.Port, l.Bits, l.Doc})
		}
		return out
	}
	places := func(list []cosim.Slot) []placeJSON {
		out := []placeJSON{}
		for _, s := range list {
			out = append(out, placeJSON{s.Name, s.Word, s.Shift, s.Width})
		}
		return out
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Unit          string         `json:"unit"`
		ABI           uint32         `json:"abi"`
		Command       string         `json:"command"`
		Configuration map[string]any `json:"configuration"`
		SHA256        string         `json:"configuration_sha256"`
		Design        string         `json:"design_sha256"`
		Verilator     string         `json:"verilator"`
		Latency       map[string]int `json:"latency_cycles"`
		Calm          int            `json:"calm_cycles"`
		Events        []streamJSON   `json:"events"`
		Answers       []streamJSON   `json:"answers"`
		Inputs        []levelJSON    `json:"inputs"`
		Outputs       []levelJSON    `json:"outputs"`
		InVector      []placeJSON    `json:"input_vector"`
		OutVector     []placeJSON    `json:"output_vector"`
	}{v.Name, v.ABI, v.Command, emit.Values(v.cfg), v.Digest, v.Design, v.Verilator, v.cfg.Latency(), v.Calm(),
		streams(v.Events, true), streams(v.Answers, false), levels(v.Inputs), levels(v.Outputs), places(v.layout.Inputs), places(v.layout.Outputs)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	return b.Bytes(), nil
}
