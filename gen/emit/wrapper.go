// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"maps"
	"path"
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/names"
	"github.com/nicgen/nicgen/gen/vivado"
	"github.com/nicgen/nicgen/gen/wrap"
)

// comments are the comment signs of files other than SystemVerilog, by file name extension; pages
// have another form.
var comments = map[string]string{".sv": "//", ".v": "//", ".vh": "//", ".h": "//", ".tcl": "#", ".mk": "#"}

// wrap puts the folder of a wrapper into a tree. The module that another project instantiates keeps
// its name under a prefix if the project dictates it.
func (d description) wrap(kind string, tree Tree) error {
	w, err := wrap.Make(kind, d.Emission)
	if err != nil {
		return err
	}
	change := names.Changes(w.Sources, func(n string) string {
		if slices.Contains(w.Fixed, n) {
			return n
		}
		return gen.Prefixed(d.Prefix, n)
	})
	maps.Copy(change, d.change)
	maps.Copy(change, names.Changes(w.Parts, func(n string) string { return gen.Prefixed(d.Prefix, n) }))
	h := header{d.header.command + " --wrap " + kind, d.digest}
	to := folder{gen.Prefixed(d.Prefix, w.Name), map[string][]byte{}}
	m := Manifest{Generator: Mark, Version: gen.Version, Unit: w.Name, Top: change.Name(w.Top), Command: h.command, Part: d.run.part(), Configuration: Values(d.Config), Auto: autos(d.Config), ConfigurationSHA256: d.digest}
	for _, f := range change.Files(w.Parts) {
		m.Parts = append(m.Parts, d.Library()+"/"+f.Name)
	}
	for _, f := range change.Files(w.Sources) {
		m.Sources = append(m.Sources, f.Name)
		if err := to.add(f.Name, h.mark("//", d.run.write(f).Text)); err != nil {
			return err
		}
	}
	for _, f := range w.Others {
		text := change.Text(f.Text)
		marked := h.markdown(text)
		if sign, ok := comments[path.Ext(f.Name)]; ok {
			marked = h.mark(sign, text)
		} else if path.Ext(f.Name) == ".json" { // JSON has no comments
			marked = []byte(f.Text)
		}
		if err := to.add(change.File(f.Name), marked); err != nil {
			return err
		}
	}
	alone := vivado.Design{Name: to.name, Top: m.Top, Part: d.Device(), Directives: d.Directives, Clocks: w.Clocks, Parameters: w.Alone}
	for _, p := range d.Parts {
		alone.Files = append(alone.Files, d.Library()+"/"+p)
	}
	for _, p := range m.Parts {
		if !slices.Contains(alone.Files, p) {
			alone.Files = append(alone.Files, p)
		}
	}
	alone.Files = append(append(alone.Files, d.fromBeside()...), m.Sources...)
	for _, c := range w.Crossings {
		alone.Crossings = append(alone.Crossings, change.File(c))
	}
	for name, text := range map[string]string{to.name + "_ooc.xdc": alone.XDC(), to.name + "_vivado.tcl": alone.Tcl()} {
		if err := to.add(name, h.mark("#", text)); err != nil {
			return err
		}
	}
	library := ""
	if len(m.Parts) > 0 || len(d.Parts) > 0 {
		library = d.Library()
	}
	if err := to.add(to.name+".f", h.mark("//", list(library, append(d.fromBeside(), m.Sources...)))); err != nil {
		return err
	}
	return to.put(tree, m)
}

// fromBeside returns the unit's own files, from a folder next to the unit's.
func (d description) fromBeside() []string {
	var out []string
	for _, s := range d.Sources {
		out = append(out, "../"+d.Name()+"/"+s)
	}
	return out
}
