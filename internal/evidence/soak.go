// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// LongRunHead is the heading of a table of long runs.
var LongRunHead = []string{"Unit", "Events", "Cycles", "Chunks (seeds)", "Configurations", "Mismatches", "Command"}

// LongRun returns a long run as a row of that table.
func LongRun(r *soak.Result) []table.Cell {
	return []table.Cell{table.Name("%s", r.Unit), table.Number(r.Events), table.Number(r.Cycles), table.Number(r.Chunks), table.Number(len(r.Configs)),
		table.Verdict(len(r.Failures) == 0, "%d", len(r.Failures)), table.Name("%s", r.Command)}
}
