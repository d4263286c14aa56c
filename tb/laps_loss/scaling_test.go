// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth/timing"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// slow is the configuration of sizes in which an address goes to 128 URAM in one cycle: it
// misses the target, and the page says so.
const slow = "paths=8192 depth=256 lanes=32"

// sizes are the configurations of docs/units/laps_loss_evidence.md.
var sizes = []struct{ paths, depth, lanes int }{
	{1024, 16, 8},
	{1024, 64, 8},
	{1024, 64, 32},
	{1024, 256, 8},
	{1024, 1024, 8},
	{2048, 1024, 8},
	{8192, 16, 8},
	{8192, 64, 8},
	{8192, 64, 32},
	{8192, 256, 8},
	{8192, 256, 32},
}

// The unit's cost by paths, depth and lanes: memories hold the rings and the pointers, and
// the estimate of paths is at most 2.75 ns, or 3.9 in its pessimistic column. The table is
// docs/units/laps_loss_evidence.md.
func TestScaling(t *testing.T) {
	var designs []benchtest.Design
	for _, s := range sizes {
		set := fmt.Sprintf("paths=%d depth=%d lanes=%d", s.paths, s.depth, s.lanes)
		p := suite.Configure(t, set)
		designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	rows := ""
	for i, r := range suite.Synthesise(t, "scaling", designs) {
		s, c := sizes[i], r.Counts
		ring := int64(0)
		kind := ""
		for _, m := range r.Memories {
			if strings.Contains(m.Name, "rings.") {
				ring += m.Depth * m.Width
				kind = m.Kind
			}
			if m.Kind == "registers" {
				t.Errorf("%s: memory %s became registers", designs[i].Name, m.Name)
			}
		}
		bits := int64(34)
		if kind == "URAM" {
			bits = 36 // four bytes of nine
		}
		if want := int64(s.paths) * int64(s.depth) * bits; ring != want {
			t.Errorf("%s: the rings have %d bits, want %d", designs[i].Name, ring, want)
		}
		ns := r.Timing.RegToReg.Ns
		if missed := ns[timing.Typical] > 2.75 || ns[timing.Pessimistic] > 3.9; missed != (designs[i].Name == slow) {
			t.Errorf("%s: the longest path takes %s ns, want at most 2.75 typical and 3.9 pessimistic, but for %s", designs[i].Name, ns, slow)
		}
		rows += fmt.Sprintf("| %d | %d | %d | %d | %s | %d | %d | %d | %d | %g | %d | %.2f | %.2f |\n", s.paths, s.depth, s.lanes, s.depth/s.lanes+1,
			kind, c.Logic, c.LUTRAM, c.SRL, c.FF, c.BRAM36, c.URAM, ns[timing.Typical], ns[timing.Pessimistic])
	}
	if t.Failed() {
		return
	}
	suite.Evidence(t, "scaling", "# Scaling of the loss detector\n\n"+
		"[The loss detector of LAPS](laps_loss.md) with 1,024 and 8,192 paths, rings of 16 to 1,024 segments of 34 bits, rows of 8 or 32\n"+
		"segments, and the other parameters at their defaults, synthesised by Yosys for the U280's family: an estimate, not a Vivado\n"+
		"result. A bare U280 has 1,303,680 LUT, 2,016 RAMB36 and 960 URAM. Where a lane stacks several URAM or BRAM, LUTs select among\n"+
		"them. Passes is the largest number of passes, of 9 cycles each, that an ACK takes. The times are those of the longest path by\n"+
		"the estimate of `nicgen synth`, typical and pessimistic. All meet 322 MHz with margin (2.75 and 3.9 ns) but 8,192 paths with a\n"+
		"depth of 256 in 32 lanes, where an address goes to 128 URAM in one cycle.\n\n"+
		"Written by `go test ./tb/laps_loss -run TestScaling -update`. A row is what\n"+
		"`nicgen synth --unit laps_loss --paths N --depth N --lanes N` measures.\n\n"+
		"| paths | depth | lanes | passes | rings in | logic LUT | LUTRAM | SRL | FF | RAMB36 | URAM | ns, typical | pessimistic |\n"+
		"|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"+rows)
}
