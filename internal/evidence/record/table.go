// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// OK reports whether every output was equal.
func (r *Run) OK() bool { return r.Outcome == cosim.Pass && r.Mismatches == 0 }

// Table returns a row for each run; a run without an outcome represents a unit without a record.
// Cells of netlists are the last column, if any run has them.
func Table(runs []Run) *table.Table {
	t := &table.Table{Head: []string{"Unit", "Configuration", "Simulator", "Seed", "Cycles", "Events", "Mismatches", "Result"}}
	cells := slices.ContainsFunc(runs, func(r Run) bool { return len(r.Cells) > 0 })
	if cells {
		t.Head = append(t.Head, "Cells")
	}
	for i := range runs {
		r := &runs[i]
		row := make([]table.Cell, len(t.Head))
		t.Rows = append(t.Rows, row)
		row[0] = table.Name("%s", r.Unit)
		if r.Outcome == "" {
			row[7] = table.Cell{Text: "no record", Kind: table.Absent}
			continue
		}
		var set, list []string
		for _, k := range slices.Sorted(maps.Keys(r.Set)) {
			set = append(set, k+"="+r.Set[k])
		}
		for _, k := range slices.Sorted(maps.Keys(r.Cells)) {
			list = append(list, fmt.Sprintf("%d %s", r.Cells[k], k))
		}
		copy(row[1:], []table.Cell{table.Settings(strings.Join(set, " ")), table.Words("%s", r.Simulator), table.Number(r.Seed), table.Number(r.Cycles),
			table.Number(r.Events), table.Number(r.Mismatches), table.Verdict(r.OK(), "%s", r.Outcome)})
		if cells {
			row[8] = table.Words("%s", strings.Join(list, ", "))
		}
	}
	return t
}
