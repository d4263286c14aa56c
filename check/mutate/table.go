// SPDX-License-Identifier: Apache-2.0

package mutate

import "github.com/nicgen/nicgen/check/table"

// Table is a row for each configuration, and their sum.
func (r *Report) Table() *table.Table {
	t := &table.Table{Head: []string{"Configuration", "Mutants", "Killed", "Shown equivalent", "Survivors, listed", "Open", "Errors", "Score"}}
	add := func(name table.Cell, c *Configuration) {
		t.Rows = append(t.Rows, []table.Cell{name, table.Number(c.Mutants), table.Number(c.Killed), table.Number(c.Equivalent), table.Number(c.Listed),
			table.Number(c.Survived), table.Number(c.Errors),
			table.Verdict(c.Survived+c.Errors == 0, "%s", Percent(Score(c.Killed, c.Mutants, c.Equivalent)))})
	}
	for i := range r.Configurations {
		add(table.Words("%s", r.Configurations[i].Name), &r.Configurations[i])
	}
	sum := r.Sum()
	add(table.Cell{Text: "All", Kind: table.Total}, &sum)
	return t
}

// Sum is the counts of all configurations together.
func (r *Report) Sum() (sum Configuration) {
	for i := range r.Configurations {
		c := &r.Configurations[i]
		sum.Mutants += c.Mutants
		sum.Killed += c.Killed
		sum.Equivalent += c.Equivalent
		sum.Listed += c.Listed
		sum.Survived += c.Survived
		sum.Errors += c.Errors
	}
	return sum
}
