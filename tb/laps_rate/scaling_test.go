// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// Without the trees the unit is small, and it does not grow with the number of flows, except
// for the selection among block RAMs; memories are as large as the state. The table is
// docs/units/laps_rate_evidence.md.
func TestScaling(t *testing.T) {
	list := []struct {
		set   string
		flows int64
	}{{"operands=extremes", 1024}, {"operands=extremes flows=65536", 65536}}
	var designs []benchtest.Design
	for _, c := range list {
		p := suite.Configure(t, c.set)
		designs = append(designs, benchtest.Design{Name: c.set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	reports := suite.Synthesise(t, "scaling", designs)
	p := suite.Default()
	rows := ""
	for i, r := range reports {
		bits := int64(0)
		for _, m := range r.Memories {
			bits += m.Depth * m.Width
			if m.Kind != "BRAM" {
				t.Errorf("%s: memory %s became %s, want BRAM", designs[i].Name, m.Name, m.Kind)
			}
		}
		if want := list[i].flows * (2*p.TimeBits + 2*p.RateBits + 4); bits != want {
			t.Errorf("%s: %d memory bits, want %d", designs[i].Name, bits, want)
		}
		if r.RegToReg.Levels > 6 {
			t.Errorf("%s: %d logic levels, want at most 6", designs[i].Name, r.RegToReg.Levels)
		}
		c := r.Counts
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %g | %d |\n", strings.ReplaceAll(list[i].set, " ", "<br>"), c.LUT, c.SRL, c.FF, bits, c.BRAM36, r.RegToReg.Levels)
	}
	if t.Failed() {
		return
	}
	few, many := reports[0].Counts, reports[1].Counts
	if few.LUT > 950 {
		t.Errorf("without trees the unit takes %d LUT, want at most 950", few.LUT)
	}
	if grown, limit := many.LUT-few.LUT, 2*int(many.BRAM36); grown > limit {
		t.Errorf("65,536 flows take %d LUT more than 1,024, want at most %d: 2 for each RAMB36", grown, limit)
	}
	suite.Evidence(t, "scaling", "# How rate control grows\n\n"+
		"[Rate control](laps_rate.md) without its trees, the other parameters at their defaults, synthesised by Yosys for the U280's\n"+
		"family: an estimate, not a Vivado result. A tree over n paths adds n - 1 comparisons of two latencies, each with a\n"+
		"multiplexer.\n\n"+
		"Written by `go test ./tb/laps_rate -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit laps_rate` measures with these settings.\n\n"+
		"| settings | LUT | of them SRL | FF | memory bits | RAMB36 | logic levels |\n|---|---:|---:|---:|---:|---:|---:|\n"+rows)
}
