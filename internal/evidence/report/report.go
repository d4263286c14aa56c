// SPDX-License-Identifier: Apache-2.0

// Package report gathers the results for the units, in JSON and in the pages of measurements below
// docs, in one HTML page that needs no network.
package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed page.html.tmpl
var pageText string

// Unit is a unit as the report names it.
type Unit struct {
	Name  string // "reps"
	Title string
	Paper string
	Block bool // made of units: it is the first in the overview
}

// Page is the content of a report.
type Page struct {
	Module   string // "nicgen", or the import path of another module
	Units    []Unit // of the module, blocks first
	Imported []Unit // of nicgen, in the program of another module: they have their evidence elsewhere
	Overview table.Table
	Again    bool        // the overview has cells that are due
	Papers   table.Table // figures of papers
	Sections []Section
}

// Section is one kind of evidence, for all units.
type Section struct {
	ID      string // of the heading, for links: "mutation"
	Title   string
	Lead    string // subject of the measurement and advice for reading it
	Command string // makes the data; a word with UNIT stands for one word for each measured unit. It follows from the kind of record, if there is one
	Extra   bool   // only shown if it has content: not every unit has such evidence
	Due     string // units for which it has to be remeasured, or ""
	Parts   []Part
}

// Filled reports whether the section has any content.
func (s *Section) Filled() bool { return len(s.Parts) > 0 }

// Part is a piece of a section: a table, a page of measurements, or both.
type Part struct {
	Title string
	Table *table.Table
	HTML  template.HTML // made from a page in Markdown
}

// commas writes a number with separators.
func commas(s string) string {
	whole, _, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// gatherer reads the data of one kind of evidence. summary is the cell of the overview for each
// measured unit.
type gatherer struct {
	section Section
	column  string // heading in the overview; empty: none
	kind    string // of records that may be due, with the name of package due; may be empty
	gather  func(docs fs.FS, units []Unit) (parts []Part, summary map[string]table.Cell, err error)
}

// list returns units as the report names them, blocks first.
func list(units []registry.Unit) (out []Unit) {
	for i := range units {
		cfg := units[i].New()
		out = append(out, Unit{Name: cfg.Unit(), Title: cfg.Title(), Paper: cfg.Paper(), Block: units[i].ByName})
	}
	slices.SortStableFunc(out, func(a, b Unit) int { return rank(a) - rank(b) })
	return out
}

// Gather reads the evidence in the folder docs about a module's own units; program are all units of its
// program, and again the records that are due again. A file that is there and cannot be read is an error; a kind of
// evidence without files has an empty section.
func Gather(docs fs.FS, program []registry.Unit, again due.List) (*Page, error) {
	units := list(registry.Own(program))
	p := &Page{Module: "nicgen", Units: units, Overview: table.Table{Head: []string{"Unit"}}}
	if outside := registry.Outside(program); len(outside) > 0 {
		p.Module = outside[0].Module()
		p.Imported = list(slices.DeleteFunc(slices.Clone(program), func(u registry.Unit) bool { return u.Module() != bench.Nicgen }))
	}
	for _, u := range units {
		name := table.Cell{Text: u.Name}
		if u.Block {
			name.Kind = table.Total
		}
		p.Overview.Rows = append(p.Overview.Rows, []table.Cell{name})
	}
	var err error
	if p.Papers, err = figures(docs); err != nil {
		return nil, err
	}
	for _, g := range gatherers {
		s := g.section
		parts, summary, err := g.gather(docs, units)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.ID, err)
		}
		s.Parts, s.Extra = parts, g.kind == ""
		if s.Command = named(s.Command, units, summary); g.kind != "" {
			s.Command = evidence.Command(g.kind, program)
		}
		names := []string{"lib"} // the shared parts
		for _, u := range units {
			names = append(names, u.Name)
		}
		s.Due = due.Sentence(again.Units(g.kind, names), s.Command)
		p.Sections = append(p.Sections, s)
		if g.column == "" || s.Extra && len(summary) == 0 {
			continue
		}
		p.Overview.Head = append(p.Overview.Head, g.column)
		for i, u := range units {
			c, ok := summary[u.Name]
			if !ok {
				c = table.Cell{Text: "–", Kind: table.Absent}
			}
			if again.Has(u.Name, g.kind) && c.Kind == table.Good {
				c.Text, c.Kind = c.Text+"\u00a0†", table.Due
				p.Again = true
			}
			if c.Kind != table.Absent {
				c.Link = "#" + s.ID
			}
			p.Overview.Rows[i] = append(p.Overview.Rows[i], c)
		}
	}
	return p, nil
}

// rank puts blocks before units.
func rank(u Unit) int {
	if u.Block {
		return 0
	}
	return 1
}

// named writes a command's word with UNIT once for each measured unit.
func named(command string, units []Unit, measured map[string]table.Cell) string {
	var words []string
	for _, w := range strings.Fields(command) {
		if !strings.Contains(w, "UNIT") {
			words = append(words, w)
			continue
		}
		for _, u := range units {
			if _, ok := measured[u.Name]; ok {
				words = append(words, strings.Replace(w, "UNIT", u.Name, 1))
			}
		}
	}
	return strings.Join(words, " ")
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{"join": strings.Join, "commas": commas}).Parse(pageText))

// WriteTo writes the page as HTML.
func (p *Page) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		return 0, fmt.Errorf("report: %w", err)
	}
	n, err := w.Write(b.Bytes())
	return int64(n), err
}

// Shown are the sections that the page has.
func (p *Page) Shown() []Section {
	return slices.DeleteFunc(slices.Clone(p.Sections), func(s Section) bool { return s.Extra && !s.Filled() })
}

// Subject names the subject of the report.
func (p *Page) Subject() string {
	if len(p.Units) > 0 && p.Units[0].Block {
		return "the NIC block and each of its units"
	}
	return "each unit of the module"
}

// Heading is the heading of the overview.
func (p *Page) Heading() string {
	if len(p.Units) > 0 && p.Units[0].Block {
		return "The block and its units"
	}
	return "Units of the module"
}

// Missing lists the sections that have nothing in them and could have.
func (p *Page) Missing() (list []string) {
	for _, s := range p.Sections {
		if !s.Filled() && !s.Extra {
			list = append(list, s.ID)
		}
	}
	return list
}

// load reads a JSON file; found is false if it is not there.
func load(docs fs.FS, name string, to any) (found bool, err error) {
	b, err := fs.ReadFile(docs, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		return false, fmt.Errorf("docs/%s: %w", name, err)
	}
	return true, nil
}

// loadList reads a JSON file that holds a list, or one element of it.
func loadList[T any](docs fs.FS, name string) ([]T, error) {
	var raw json.RawMessage
	found, err := load(docs, name, &raw)
	if err != nil || !found {
		return nil, err
	}
	var list []T
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		err = json.Unmarshal(raw, &list)
	} else {
		list = make([]T, 1)
		err = json.Unmarshal(raw, &list[0])
	}
	if err != nil {
		return nil, fmt.Errorf("docs/%s: %w", name, err)
	}
	return list, nil
}

// topicPage reads a unit's text on a topic: a section of its page of evidence, or a separate page,
// docs/units/<unit>_<topic>.md.
func topicPage(docs fs.FS, unit, topic string) (name string, text []byte, err error) {
	name = section.File(unit)
	text, err = fs.ReadFile(docs, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return name, nil, err
	}
	if part, ok := section.Of(string(text), topic); ok && section.Written(part) {
		return name, []byte(section.Raise(part)), nil
	}
	name = "units/" + unit + "_" + topic + ".md"
	text, err = fs.ReadFile(docs, name)
	return name, text, err
}

// pages lists the topics on which units have texts, a part each.
func pages(topics ...string) func(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	return func(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
		var parts []Part
		cells := map[string]table.Cell{}
		for _, u := range units {
			for _, topic := range topics {
				name, b, err := topicPage(docs, u.Name, topic)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					return nil, nil, err
				}
				title, body, err := render(docs, name, b)
				if err != nil {
					return nil, nil, fmt.Errorf("docs/%s: %w", name, err)
				}
				parts = append(parts, Part{Title: title, HTML: body})
				cells[u.Name] = table.Cell{Text: "shown", Kind: table.Good}
			}
		}
		return parts, cells, nil
	}
}

// byUnit calls f for each unit in order and puts the tables' rows together.
func byUnit(head []string, units []Unit, f func(u Unit) ([][]table.Cell, *table.Cell, error)) ([]Part, map[string]table.Cell, error) {
	t := &table.Table{Head: head}
	cells := map[string]table.Cell{}
	for _, u := range units {
		rows, c, err := f(u)
		if err != nil {
			return nil, nil, err
		}
		t.Rows = append(t.Rows, rows...)
		if c != nil {
			cells[u.Name] = *c
		}
	}
	if len(t.Rows) == 0 {
		return nil, cells, nil
	}
	return []Part{{Table: t}}, cells, nil
}

// variants returns the JSON files of a unit: <folder>/<unit>.json and <unit>_*.json that
// belong to no other unit.
func variants(docs fs.FS, folder string, u Unit, units []Unit) ([]string, error) {
	all, err := fs.Glob(docs, path.Join(folder, u.Name+"*.json"))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(name string) bool {
		base := strings.TrimSuffix(path.Base(name), ".json")
		if base == u.Name {
			return false
		}
		return !strings.HasPrefix(base, u.Name+"_") || slices.ContainsFunc(units, func(o Unit) bool {
			return len(o.Name) > len(u.Name) && (base == o.Name || strings.HasPrefix(base, o.Name+"_"))
		})
	}), nil
}
