// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/svparse"
)

// modules lists the own modules of nic_transport, in the default and in the variants that are checked in.
func modules(_ *Maker, _ string, args []string) (string, error) {
	if err := none(args); err != nil {
		return "", err
	}
	type entry struct {
		doc   string
		lines int      // in the default; 0: it is not there
		most  int      // in a variant
		of    []string // variants that have it, unlike the default
	}
	list := map[string]*entry{}
	var names []string
	add := func(variant string, p *nictransport.Params) error {
		files, err := p.Files()
		if err != nil {
			return err
		}
		for _, f := range files {
			if !slices.Contains(p.OwnFiles(), f.Name) {
				continue
			}
			name := strings.TrimSuffix(f.Name, ".sv")
			x := list[name]
			if x == nil {
				m, err := svparse.Parse(f.Name, f.Text)
				if err != nil {
					return err
				}
				x = &entry{doc: strings.Join(strings.Fields(m.Modules[0].Doc), " ")}
				if i := strings.Index(x.doc, ". "); i >= 0 {
					x.doc = x.doc[:i+1]
				}
				list[name], names = x, append(names, name)
			}
			n := strings.Count(f.Text, "\n")
			if variant == "" {
				x.lines = n
			} else {
				x.most = max(x.most, n)
			}
			if x.lines == 0 {
				x.of = append(x.of, variant)
			}
		}
		return nil
	}
	if err := add("", nictransport.Default()); err != nil {
		return "", err
	}
	for _, v := range nictransport.Variants {
		p := nictransport.Default()
		if err := gen.Configure(p, v.Settings); err != nil {
			return "", err
		}
		if err := add(v.Name, p); err != nil {
			return "", err
		}
	}
	slices.Sort(names)
	rows := [][]string{{"Module", "What it is", "Lines", "Most in a variant", "Only in"}}
	for _, name := range names {
		x := list[name]
		lines, most := "–", "–"
		if x.lines > 0 {
			lines = fmt.Sprint(x.lines)
		}
		if x.most > 0 {
			most = fmt.Sprint(x.most)
		}
		rows = append(rows, []string{"`" + name + "`", x.doc, lines, most, strings.Join(x.of, ", ")})
	}
	return emit.Table(rows), nil
}
