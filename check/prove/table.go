// SPDX-License-Identifier: Apache-2.0

package prove

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/check/table"
)

// Table is a row for each property of the set.
func (s *SetReport) Table() *table.Table {
	t := &table.Table{Head: []string{"Property", "What holds", "Status", "Situation first occurs in cycle", "Mistake that breaks it", "in cycle"}}
	for _, p := range s.Properties {
		status := table.Verdict(p.Status == Proved, "%s", p.Status)
		if p.Open != "" {
			status = table.Words("%s: %s", p.Status, p.Open)
		}
		t.Rows = append(t.Rows, []table.Cell{table.Name("%s", p.Name), table.Words("%s", p.Claim), status, table.Words("%s", strings.Trim(fmt.Sprint(p.Reached), "[]")),
			table.Words("%s", p.Mistake), table.Number(p.Broken)})
	}
	return t
}

// Proved tells how many properties are, and of how many.
func (r *Report) Proved() (proved, all int) {
	for _, s := range r.Sets {
		for _, p := range s.Properties {
			all++
			if p.Status == Proved {
				proved++
			}
		}
	}
	return proved, all
}
