// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"path"

	"github.com/nicgen/nicgen/check/table"
	"github.com/nicgen/nicgen/sim/reproduce"
)

// paper shows figures of a paper from a record of nicgen reproduce: one with its numbers and runs, or how many numbers of each
// come out.
func paper(m *Maker, page string, args []string) (string, error) {
	if len(args) < 1 || len(args) > 2 {
		return "", fmt.Errorf("paper: found %d arguments, want a file, and a figure or none", len(args))
	}
	name := path.Join(path.Dir(page), args[0])
	text, err := m.ReadFile(name)
	if err != nil {
		return "", err
	}
	list, err := reproduce.Outcomes(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if len(args) == 1 {
		t := table.Table{Head: []string{"Figure", "What it shows", "Where", "Numbers", "Of these reproduced"}}
		for i := range list {
			o, good := &list[i], 0
			for _, c := range o.Claims {
				if c.Holds {
					good++
				}
			}
			t.Rows = append(t.Rows, []table.Cell{table.Name("%s", o.Figure), table.Words("%s", o.Title), table.Words("%s", o.Paper),
				table.Number(len(o.Claims)), table.Number(good)})
		}
		return t.Markdown(), nil
	}
	var names []string
	for i := range list {
		if o := &list[i]; o.Figure == args[1] {
			return figure(o), nil
		}
		names = append(names, list[i].Figure)
	}
	return "", fmt.Errorf("%s: %w", name, unknown("figure", args[1], names))
}

// figure is a figure: the paper's numbers beside ours, and the runs.
func figure(o *reproduce.Outcome) string {
	claims := table.Table{Head: []string{"Set-up", "Number", "Paper", "Found", "Apart", "Verdict"}}
	for i := range o.Claims {
		c := &o.Claims[i]
		claims.Rows = append(claims.Rows, []table.Cell{table.Words("%s", c.Setup), table.Words("%s", c.What), table.Words("%s", c.Says()),
			table.Words("%s", c.Comes()), table.Words("%s", c.Apart()), table.Words("%s", c.Verdict())})
	}
	runs := table.Table{Head: o.Head}
	for _, r := range o.Rows {
		var cells []table.Cell
		for _, c := range r {
			cells = append(cells, table.Words("%s", c))
		}
		runs.Rows = append(runs.Rows, cells)
	}
	by := ""
	if o.Model != "" {
		by = fmt.Sprintf(" --model %s", o.Model)
	}
	return claims.Markdown() + "\n" + runs.Markdown() + fmt.Sprintf("\nMade by `nicgen reproduce %s%s --seed %d`.\n", o.Figure, by, o.Seed)
}
