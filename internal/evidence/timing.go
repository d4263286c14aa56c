// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"fmt"

	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/synth/timing"
)

// TimingHead is the head of the table that Timing fills: three columns of an estimate are written
// "optimistic / typical / pessimistic".
var TimingHead = []string{"Longest path, ns", "Of it cells and wires", "Slack at 3.103 ns", "Slack at 4 ns", "From inputs, ns", "To outputs, ns", "Input to output, ns",
	"Flip-flops in blocks", "Where the longest path goes"}

// Timing returns an estimate against the clocks of timing.Periods.
func Timing(e *timing.Estimate) []table.Cell {
	group := func(g *timing.Group) table.Cell {
		if g == nil {
			return table.Words("none")
		}
		return table.Words("%s", g.Ns)
	}
	slack := func(i int) table.Cell {
		if e.RegToReg == nil || i >= len(e.Clocks) {
			return table.Words("none")
		}
		s := e.Clocks[i].Slack
		return table.Words("%+.2f / %+.2f / %+.2f", s[timing.Optimistic], s[timing.Typical], s[timing.Pessimistic])
	}
	share, way := "", ""
	if g := e.RegToReg; g != nil {
		p := g.Worst[0]
		share = fmt.Sprintf("%.2f + %.2f", p.Logic, p.Wire)
		way = fmt.Sprintf("`%s` → `%s`", p.From, p.To)
	}
	return []table.Cell{group(e.RegToReg), {Text: share}, slack(0), slack(1), group(e.InToReg), group(e.RegToOut), group(e.InToOut),
		table.Number(e.Absorbed.BRAM + e.Absorbed.URAM + e.Absorbed.DSP), {Text: way}}
}
