// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// Properties returns a table of proved properties: a row for each property of the set.
func Properties(s *prove.SetReport) *table.Table {
	t := &table.Table{Head: []string{"Property", "What holds", "Status", "Situation first occurs in cycle", "Mistake that breaks it", "in cycle"}}
	for _, p := range s.Properties {
		status := table.Verdict(p.Status == prove.Proved, "%s", p.Status)
		if p.Open != "" {
			status = table.Words("%s: %s", p.Status, p.Open)
		}
		t.Rows = append(t.Rows, []table.Cell{table.Name("%s", p.Name), table.Words("%s", p.Claim), status, table.Words("%s", strings.Trim(fmt.Sprint(p.Reached), "[]")),
			table.Words("%s", p.Mistake), table.Number(p.Broken)})
	}
	return t
}
