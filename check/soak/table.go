// SPDX-License-Identifier: Apache-2.0

package soak

import "github.com/nicgen/nicgen/check/table"

// LongRunHead is the heading of a table of long runs.
var LongRunHead = []string{"Unit", "Events", "Cycles", "Chunks (seeds)", "Configurations", "Mismatches", "Command"}

// LongRun is the result as a row of that table.
func (r *Result) LongRun() []table.Cell {
	return []table.Cell{table.Name("%s", r.Unit), table.Number(r.Events), table.Number(r.Cycles), table.Number(r.Chunks), table.Number(len(r.Configs)),
		table.Verdict(len(r.Failures) == 0, "%d", len(r.Failures)), table.Name("%s", r.Command)}
}
