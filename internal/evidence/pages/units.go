// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
)

// unit finds a unit by name.
func (m *Maker) unit(args []string) (registry.Unit, gen.Config, error) {
	var names []string
	for _, u := range m.Units {
		cfg := u.New()
		if len(args) > 0 && cfg.Unit() == args[0] {
			return u, cfg, nil
		}
		names = append(names, cfg.Unit())
	}
	if len(args) == 0 {
		return registry.Unit{}, nil, fmt.Errorf("no unit named, allowed: %s", strings.Join(names, ", "))
	}
	return registry.Unit{}, nil, unknown("unit", args[0], names)
}

// config reads UNIT [KEY=VALUE…].
func (m *Maker) config(args []string) (registry.Unit, gen.Config, error) {
	u, cfg, err := m.unit(args)
	if err != nil {
		return u, nil, err
	}
	var list []gen.Setting
	for _, a := range args[1:] {
		s, err := gen.ParseSet(a)
		if err != nil {
			return u, nil, fmt.Errorf("argument %q, want KEY=VALUE", a)
		}
		s.Flag = "argument"
		list = append(list, s)
	}
	return u, cfg, gen.Apply([]gen.Config{cfg}, list)
}

// reports reads UNIT FILE…; the paths are relative to the page.
func (m *Maker) reports(page string, args []string) (gen.Config, []*synth.Report, error) {
	_, cfg, err := m.unit(args)
	if err != nil {
		return nil, nil, err
	}
	if len(args) < 2 {
		return nil, nil, fmt.Errorf("no report named, want a file written by nicgen synth --json")
	}
	var list []*synth.Report
	for _, a := range args[1:] {
		r, err := m.report(path.Join(path.Dir(page), a), cfg)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, r)
	}
	return cfg, list, nil
}

func (m *Maker) report(name string, cfg gen.Config) (*synth.Report, error) {
	text, err := m.read(name)
	if err != nil {
		return nil, fmt.Errorf("report of nicgen synth --unit %s --json %s: %w", cfg.Unit(), name, err)
	}
	var r synth.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: not a report of nicgen synth: %w", name, err)
	}
	if r.Top != cfg.Top() {
		return nil, fmt.Errorf("%s: report of module %q, want %s", name, r.Top, cfg.Top())
	}
	return &r, nil
}

// library takes the first sentence of each part's own description.
func library(_ *Maker, _ string, args []string) (string, error) {
	if err := none(args); err != nil {
		return "", err
	}
	parts, err := rtl.All()
	if err != nil {
		return "", err
	}
	rows := [][]string{{"Part", "What it is"}}
	for _, p := range parts {
		f, err := svparse.Parse(p.Name, p.Text)
		if err != nil {
			return "", err
		}
		for _, m := range f.Modules {
			doc := strings.Join(strings.Fields(m.Doc), " ")
			if i := strings.Index(doc, ". "); i >= 0 {
				doc = doc[:i+1]
			}
			rows = append(rows, []string{"`" + m.Name + "`", doc})
		}
	}
	return emit.Table(rows), nil
}

func files(cfg gen.Config) (string, error) {
	list, err := cfg.Files()
	if err != nil {
		return "", err
	}
	rows := [][]string{{"File", "Module"}}
	for _, f := range list {
		module := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
		if module == cfg.Top() {
			module += " (top)"
		}
		rows = append(rows, []string{"`" + f.Name + "`", module})
	}
	return emit.Table(rows), nil
}

func state(cfg gen.Config) (string, error) {
	s, ok := cfg.(gen.Stateful)
	if !ok {
		return "", fmt.Errorf("unit %s has no table of its state", cfg.Unit())
	}
	rows := [][]string{{"Field", "Bits", "Copies", "Memories", "Meaning"}}
	bits, stored := 0, 0
	for _, f := range s.State() {
		rows = append(rows, []string{"`" + f.Name + "`", fmt.Sprint(f.Bits), fmt.Sprint(len(f.Memories)),
			"`" + strings.Join(f.Memories, "`, `") + "`", f.Meaning})
		bits += f.Bits
		stored += f.Bits * len(f.Memories)
	}
	rows = append(rows, []string{"**Sum**", fmt.Sprint(bits), "", fmt.Sprintf("%d bits with all copies", stored),
		fmt.Sprintf("bytes a connection: %d, with all copies %d", (bits+7)/8, (stored+7)/8)})
	return emit.Table(rows), nil
}

// reference returns the tables of a unit under headings of the second level.
func reference(cfg gen.Config) (string, error) {
	parts := []struct{ title, text string }{
		{"Interface", emit.Ports(cfg)}, {"Parameters", emit.Parameters(cfg, false)}, {"Run-time settings", emit.Parameters(cfg, true)},
	}
	if _, ok := cfg.(gen.Stateful); ok {
		text, err := state(cfg)
		if err != nil {
			return "", err
		}
		parts = append(parts, struct{ title, text string }{"State of a connection", text})
	}
	var b strings.Builder
	for _, p := range parts {
		if p.text != "" {
			fmt.Fprintf(&b, "## %s\n\n%s\n", p.title, strings.TrimRight(p.text, "\n"))
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

// coverage has one row for points that differ in a number at the end only.
func coverage(m *Maker, _ string, args []string) (string, error) {
	u, cfg, err := m.config(args)
	if err != nil {
		return "", err
	}
	if u.Bench == nil {
		return "", fmt.Errorf("unit %s has no bench", cfg.Unit())
	}
	b, err := u.Bench(cfg)
	if err != nil {
		return "", err
	}
	yes := map[bool]string{true: "yes", false: "out of reach of this configuration"}
	rows := [][]string{{"Point", "Situation", "Required"}}
	points := b.Points()
	number := func(name string) (stem string, n int, ok bool) {
		i := strings.LastIndexByte(name, '/')
		c, err := fmt.Sscanf(name[i+1:], "%d", &n)
		return name[:i+1], n, i >= 0 && c == 1 && err == nil && fmt.Sprint(n) == name[i+1:]
	}
	for i := 0; i < len(points); i++ {
		p := points[i]
		name, doc := "`"+p.Name+"`", p.Doc
		if stem, first, ok := number(p.Name); ok {
			last, j := first, i+1
			for ; j < len(points); j++ {
				s, n, ok := number(points[j].Name)
				if !ok || s != stem || n != last+1 || points[j].Required != p.Required ||
					strings.ReplaceAll(points[j].Doc, fmt.Sprint(n), "#") != strings.ReplaceAll(p.Doc, fmt.Sprint(first), "#") {
					break
				}
				last = n
			}
			if last > first {
				name = fmt.Sprintf("`%s%d` to `%s%d`", stem, first, stem, last)
				doc = strings.ReplaceAll(doc, fmt.Sprint(first), fmt.Sprintf("%d to %d", first, last))
				i = j - 1
			}
		}
		rows = append(rows, []string{name, doc, yes[p.Required]})
	}
	return emit.Table(rows), nil
}

// units returns the list of all units by their groups, in the order in which the groups appear. Units
// of the module have links to their pages.
func units(m *Maker, page string, args []string) (string, error) {
	if len(args) != 0 {
		return "", fmt.Errorf("found %d arguments, want none", len(args))
	}
	var groups []string
	own, members := m.own(), map[string][][]string{}
	for _, u := range m.Units {
		cfg := u.New()
		name := cfg.Unit()
		if slices.ContainsFunc(own, func(o registry.Unit) bool { return o.New().Unit() == name }) {
			name = unitLink(page, cfg)
		}
		if members[u.Group] == nil {
			groups = append(groups, u.Group)
		}
		members[u.Group] = append(members[u.Group], []string{name, cfg.Title()})
	}
	rows := [][]string{{"Unit", "What it is"}}
	for _, g := range groups {
		if g != "" {
			rows = append(rows, []string{"**" + g + "**", ""})
		}
		rows = append(rows, members[g]...)
	}
	return emit.Table(rows), nil
}

// unitLink leads from a page to a unit's.
func unitLink(page string, cfg gen.Config) string {
	return fmt.Sprintf("[%s](%sdocs/units/%[1]s.md)", cfg.Unit(), strings.Repeat("../", strings.Count(page, "/")))
}
