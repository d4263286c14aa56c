// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// Mutants returns a table of mutation scores: a row for each configuration, and their sum.
func Mutants(r *mutate.Report) *table.Table {
	t := &table.Table{Head: []string{"Configuration", "Mutants", "Killed", "Shown equivalent", "Survivors, listed", "Open", "Errors", "Score"}}
	add := func(name table.Cell, c *mutate.Configuration) {
		t.Rows = append(t.Rows, []table.Cell{name, table.Number(c.Mutants), table.Number(c.Killed), table.Number(c.Equivalent), table.Number(c.Listed),
			table.Number(c.Survived), table.Number(c.Errors),
			table.Verdict(c.Survived+c.Errors == 0, "%s", mutate.Percent(mutate.Score(c.Killed, c.Mutants, c.Equivalent)))})
	}
	for i := range r.Configurations {
		add(table.Words("%s", r.Configurations[i].Name), &r.Configurations[i])
	}
	sum := r.Sum()
	add(table.Cell{Text: "All", Kind: table.Total}, &sum)
	return t
}
