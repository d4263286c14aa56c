// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// Design is a set of files whose constants and types can be evaluated.
type Design struct {
	files    []*File
	modules  map[string][]*Module
	packages map[string][]*Package
}

// Elaborate puts files together. The order is free; nothing is evaluated yet.
func Elaborate(files ...*File) *Design {
	d := &Design{files: files, modules: map[string][]*Module{}, packages: map[string][]*Package{}}
	for _, f := range files {
		for _, m := range f.Modules {
			d.modules[m.Name] = append(d.modules[m.Name], m)
		}
		for _, p := range f.Packages {
			d.packages[p.Name] = append(d.packages[p.Name], p)
		}
	}
	return d
}

// Top is a module of a design, to be asked for its ports and parameters.
type Top struct {
	design *Design
	name   string
}

// Module picks the module with a name. If the design has no such module, the methods of the result
// return an error.
func (d *Design) Module(name string) Top { return Top{d, name} }

// Module returns the module itself: its header, documentation and instances.
func (t Top) Module() (*Module, error) {
	ms := t.design.modules[t.name]
	switch len(ms) {
	case 1:
		return ms[0], nil
	case 0:
		return nil, fmt.Errorf("module %s is not in the files: want %s", t.name, oneOf(slices.Sorted(maps.Keys(t.design.modules)), "no module is"))
	}
	return nil, fmt.Errorf("%s: module %s is declared again, first at %s: rename one", ms[1].Pos, t.name, ms[0].Pos)
}

// PortWidth is the shape of a port under given parameters.
type PortWidth struct {
	Name   string `json:"name"`
	Dir    string `json:"dir"`   // "input", "output" or "inout"
	Width  int    `json:"width"` // bits, at least 1
	Signed bool   `json:"signed,omitempty"`
}

// ParamValue is the value of a parameter or localparam.
type ParamValue struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`  // "parameter" or "localparam"
	Value string `json:"value"` // decimal
	Width int    `json:"width"` // bits of its type
}

// PortWidths computes the ports, in order, with parameters overridden by
// SystemVerilog constant expressions such as "16" or "8'hFF". Every problem is
// reported, each with its place and the expression that cannot be evaluated.
func (t Top) PortWidths(overrides map[string]string) ([]PortWidth, error) {
	m, err := t.Module()
	if err != nil {
		return nil, err
	}
	ev, sc, err := t.scope(m, overrides)
	if err != nil {
		return nil, err
	}
	var errs []error
	out := make([]PortWidth, 0, len(m.Ports))
	for i := range m.Ports {
		p := &m.Ports[i]
		w, unpacked, err := ev.portWidth(sc, p)
		switch {
		case err == nil && p.Unpacked != "":
			err = fmt.Errorf("%s: port %s has unpacked dimensions %s: want one packed vector", p.Pos, p.Name, p.Unpacked)
		case err == nil && unpacked:
			err = fmt.Errorf("%s: port %s has the unpacked type %s: want one packed vector", p.Pos, p.Name, p.Type)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, w)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// Params evaluates the module's parameters and localparams, in order, with
// overrides as for PortWidths.
func (t Top) Params(overrides map[string]string) ([]ParamValue, error) {
	m, err := t.Module()
	if err != nil {
		return nil, err
	}
	ev, sc, err := t.scope(m, overrides)
	if err != nil {
		return nil, err
	}
	var errs []error
	var out []ParamValue
	for _, p := range m.Params {
		if p.Type == "type" {
			continue
		}
		v, err := ev.constant(sc, p.Name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, ParamValue{p.Name, p.Kind, v.String(), v.typ.width})
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

// scope prepares the names of a module.
func (t Top) scope(m *Module, overrides map[string]string) (*evaluator, *scope, error) {
	ev := newEvaluator(t.design)
	sc := ev.moduleScope(m)
	var names []string
	for _, p := range m.Params {
		if p.Kind == "parameter" {
			names = append(names, p.Name)
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		sym := sc.names[name]
		if !slices.Contains(names, name) {
			what := "is not a parameter of"
			if sym != nil && sym.kind == symParam {
				what = "is a localparam of"
			}
			errs = append(errs, fmt.Errorf("parameter %s %s module %s: want %s", name, what, m.Name, oneOf(names, "it has none")))
			continue
		}
		expr, v, err := parseExpression("value of "+name, overrides[name])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		sym.expr, sym.override = expr, v
	}
	return ev, sc, errors.Join(errs...)
}

// parseExpression reads a constant expression without a module around it.
func parseExpression(what, text string) (grammar.IExpressionContext, *view, error) {
	// The text is parsed as the value of a parameter so that it has the same treatment, limits and
	// messages as any other.
	v, err := parseView(what, "localparam p =\n"+text+"\n;", 1, nil)
	if err != nil {
		return nil, nil, err
	}
	items := v.tree.AllFileItem()
	if len(items) == 1 && items[0].PackageItem() != nil && items[0].PackageItem().ParamDecl() != nil {
		if as := items[0].PackageItem().ParamDecl().AllParamAssign(); len(as) == 1 {
			return as[0].Expression(), v, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: %s is more than one expression: want a SystemVerilog constant such as 16 or 8'hFF", what, quote(text))
}

// Annotate fills in the values of parameters and the widths of types and ports under default
// parameters, in the modules and packages of the design's files. A value that cannot be evaluated
// stays empty, with the reason: it may depend on a missing file.
func (d *Design) Annotate() {
	for _, f := range d.files {
		for _, p := range f.Packages {
			ev := newEvaluator(d)
			sc := ev.packageScope(p)
			for i := range p.Params {
				p.Params[i].annotate(ev, sc)
			}
			for i := range p.Types {
				t, err := ev.namedType(sc, p.Types[i].Name)
				p.Types[i].Width, p.Types[i].Unknown = t.width, reason(err)
			}
		}
		for _, m := range f.Modules {
			ev := newEvaluator(d)
			sc := ev.moduleScope(m)
			for i := range m.Params {
				m.Params[i].annotate(ev, sc)
			}
			for i := range m.Ports {
				p := &m.Ports[i]
				if p.Interface {
					continue
				}
				w, _, err := ev.portWidth(sc, p)
				if p.Unknown = reason(err); err == nil {
					p.Width, p.Signed = w.Width, w.Signed
				}
			}
		}
	}
}

// annotate fills in the value of a parameter that has one.
func (p *Param) annotate(ev *evaluator, sc *scope) {
	if p.Type == "type" || p.Default == "" {
		return
	}
	v, err := ev.constant(sc, p.Name)
	if p.Unknown = reason(err); err == nil {
		p.Value = v.String()
	}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func oneOf(list []string, none string) string {
	switch len(list) {
	case 0:
		return "none, " + none
	case 1:
		return list[0]
	}
	return "one of " + strings.Join(list, ", ")
}
