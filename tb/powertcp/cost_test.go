// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth/timing"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The cost of each variant, and the scaling with the number of connections. The table is
// docs/units/powertcp_cost.md. Limits are on logic LUTs; LUTs of shift registers and LUT
// RAM are listed separately.
func TestCost(t *testing.T) {
	rows := []struct {
		set                string
		logic, dsp, levels int // limits; no limit of logic: 0
	}{
		{"connections=256", 1500, 10, 6},
		{"throughput=ack", 4200, 28, 6},
		{"variant=theta", 0, 12, 6},
		{"variant=both", 0, 16, 6},
		{"variant=both throughput=ack", 0, 32, 6},
		{"connections=4096", 1650, 10, 6},
		{"connections=65536", 0, 10, 7}, // Yosys' selection among URAM blocks,
	}
	var designs []benchtest.Design
	for _, r := range rows {
		p := suite.Configure(t, r.set)
		designs = append(designs, benchtest.Design{Name: r.set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	var b strings.Builder
	for i, r := range suite.Synthesise(t, "cost", designs) {
		c := r.Counts
		if limit := rows[i].logic; limit != 0 && c.Logic > limit {
			t.Errorf("%s: %d logic LUT, want at most %d", rows[i].set, c.Logic, limit)
		}
		if c.DSP > rows[i].dsp {
			t.Errorf("%s: %d DSP, want at most %d", rows[i].set, c.DSP, rows[i].dsp)
		}
		if limit := rows[i].levels; r.RegToReg.Levels > limit {
			t.Errorf("%s: %d logic levels, want at most %d", rows[i].set, r.RegToReg.Levels, limit)
		}
		for _, m := range r.Memories {
			if m.Kind == "registers" {
				t.Errorf("%s: memory %s became registers", rows[i].set, m.Name)
			}
		}
		path := r.Timing.RegToReg.Ns
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %g | %d | %d | %.2f / %.2f / %.2f |\n", rows[i].set, c.LUT, c.Logic, c.LUTRAM, c.SRL,
			c.FF, c.DSP, c.BRAM36, c.URAM, r.RegToReg.Levels, path[timing.Optimistic], path[timing.Typical], path[timing.Pessimistic])
	}
	if t.Failed() {
		return
	}
	suite.Page(t, "cost", "# Cost of the PowerTCP window unit\n\n"+
		"[The unit](powertcp.md) in its variants and sizes, all else as by default (INT, a hop a cycle, five hops, 256\n"+
		"connections), synthesised by Yosys for the U280's family: an estimate, not a Vivado result. Yosys does not use the\n"+
		"registers inside a DSP48E2; they count as FF. \"Path\" is the estimated delay between registers in ns, optimistic,\n"+
		"typical and pessimistic, without placement.\n\n"+
		"Written by `go test ./tb/powertcp -run TestCost -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit powertcp --set KEY=VALUE` measures.\n\n"+
		"| configuration | LUT | of these logic | LUTRAM | SRL | FF | DSP | RAMB36 | URAM | logic levels | path |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"+b.String())
}
