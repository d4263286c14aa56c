// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// timed returns the estimated timing of the units, in the configurations whose resources are
// shown, with a plot of the slack.
func timed(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	var panels []plot.RangePanel
	for _, p := range timing.Periods() {
		panels = append(panels, plot.RangePanel{Title: fmt.Sprintf("Estimated slack at %g ns (%.0f MHz)", p, 1000/p), Unit: "ns"})
	}
	parts, cells, err := byUnit(append([]string{"Unit"}, evidence.TimingHead...), units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		names, err := variants(docs, "data", u, units)
		if err != nil {
			return nil, nil, err
		}
		var rows [][]table.Cell
		var summary *table.Cell
		for _, name := range names {
			var r synth.Report
			if _, err := load(docs, name, &r); err != nil {
				return nil, nil, err
			}
			t := r.Timing
			if r.Top == "" || t == nil {
				continue
			}
			label := strings.TrimSuffix(path.Base(name), ".json")
			row := append([]table.Cell{{Text: label}}, evidence.Timing(t)...)
			for i := range row {
				row[i].Text = strings.ReplaceAll(row[i].Text, "`", "") // of pages
			}
			rows = append(rows, row)
			if summary == nil {
				c := table.Words("%s ns", r.TypicalPath())
				summary = &c
			}
			if t.RegToReg == nil {
				continue
			}
			for i := range min(len(panels), len(t.Clocks)) {
				s := t.Clocks[i].Slack
				panels[i].Ranges = append(panels[i].Ranges, plot.Range{Label: label, Low: s[timing.Pessimistic], Middle: s[timing.Typical], High: s[timing.Optimistic]})
			}
		}
		return rows, summary, nil
	})
	if err != nil || len(parts) == 0 {
		return parts, cells, err
	}
	svg, err := plot.Ranges(panels)
	if err != nil {
		return nil, nil, err
	}
	parts = append(parts, Part{
		Title: "Slack: dots are the typical column, lines reach from the pessimistic to the optimistic one",
		HTML:  template.HTML(`<p><img src="` + embedded("image/svg+xml", svg) + `" alt="Estimated slack of each unit"></p>`),
	})
	return parts, cells, nil
}
