// SPDX-License-Identifier: Apache-2.0

// Package names finds the names that SystemVerilog files give to a whole design, and changes them.
// All units in a design share these names, so that two units clash if a name has different texts.
package names

import (
	"path"
	"regexp"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Definition is one name that a file gives to the whole design.
type Definition struct {
	Kind string // as the language calls it: module, package, `define, ...
	Name string
	File string // base name of the file that defines it
}

var (
	hidden = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"`)
	define = regexp.MustCompile("(?m)" +
		`(?:^|;|\*\))[ \t]*(module|macromodule|interface|program|package|primitive|checker|config)\s+(?:(?:automatic|static)\s+)?([A-Za-z_][A-Za-z0-9_$]*)` +
		"|^[ \t]*(`define)[ \t]+([A-Za-z_][A-Za-z0-9_$]*)")
	word = regexp.MustCompile("[A-Za-z_][A-Za-z0-9_$]*")
)

// Defined lists the names that the files define for the whole design, in the order of the texts.
func Defined(files []gen.File) []Definition {
	var list []Definition
	for _, f := range files {
		for _, m := range define.FindAllStringSubmatch(hidden.ReplaceAllString(f.Text, " "), -1) {
			list = append(list, Definition{Kind: m[1] + m[3], Name: m[2] + m[4], File: f.Name})
		}
	}
	return list
}

// Change is a set of new names by the old ones.
type Change map[string]string

// Changes returns the new names of the names that the files define, where to makes each new name
// from the old one. Names that stay the same are left out.
func Changes(files []gen.File, to func(name string) string) Change {
	c := Change{}
	for _, d := range Defined(files) {
		if n := to(d.Name); n != d.Name {
			c[d.Name] = n
		}
	}
	return c
}

// Text changes all occurrences of the names in a text as whole words, even in comments. Nothing
// else of the text changes.
func (c Change) Text(text string) string {
	return word.ReplaceAllStringFunc(text, c.Name)
}

// Name returns the new name of a name.
func (c Change) Name(n string) string {
	if to, ok := c[n]; ok {
		return to
	}
	return n
}

// File returns the new name of a file, which changes with the name of its module.
func (c Change) File(name string) string {
	folder, base := path.Split(name)
	stem, rest, _ := strings.Cut(base, ".")
	if n, ok := c[stem]; ok {
		return folder + n + "." + rest
	}
	return name
}

// Files changes texts and names of files.
func (c Change) Files(files []gen.File) []gen.File {
	out := make([]gen.File, len(files))
	for i, f := range files {
		out[i] = gen.File{Name: c.File(f.Name), Text: c.Text(f.Text)}
	}
	return out
}
