// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// The report with parity is of the SystemVerilog that the generator makes: after a change
// of it, make doc-data measures again.
func TestRecordsAreCurrent(t *testing.T) {
	suite.Records(t, map[string]string{"laps_paths_parity": "state_protection=parity"})
}

// Logic grows with the number of banks and not with rows or destinations; every
// memory is in block RAM; no path is longer than 6 levels. The table is
// docs/units/laps_paths_evidence.md.
func TestScaling(t *testing.T) {
	sizes := []string{
		"destinations=64 banks=4 rows=64 path_memory=bram",
		"destinations=64 banks=4 rows=512 path_memory=bram",
		"destinations=64 banks=4 rows=512 path_memory=bram ack_lookup=own",
		"destinations=64 banks=8 rows=64 path_memory=bram",
		"destinations=64 banks=4 rows=512 path_memory=bram baselines=paths",
	}
	var designs []benchtest.Design
	for _, set := range sizes {
		p := suite.Configure(t, set)
		designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	reports := suite.Synthesise(t, "scaling", designs)
	rows := ""
	for i, r := range reports {
		p, c := suite.Configure(t, sizes[i]), r.Counts
		if r.RegToReg.Levels > 6 {
			t.Errorf("%s: %d logic levels, want at most 6", sizes[i], r.RegToReg.Levels)
		}
		for _, m := range r.Memories {
			if m.Kind != "BRAM" && m.Name != "pick.waiting.mem" {
				t.Errorf("%s: %s became %s, want BRAM", sizes[i], m.Name, m.Kind)
			}
		}
		rows += fmt.Sprintf("| %d | %d | %d | %s | %s | %d | %d | %d | %d | %g | %d | %d |\n",
			p.Destinations, p.Banks, p.Rows, p.AckLookup, p.Baselines, c.Logic, c.LUTRAM, c.SRL, c.FF, c.BRAM36, c.DSP, r.RegToReg.Levels)
	}
	if t.Failed() {
		return
	}
	if few, more := reports[0].Counts, reports[1].Counts; more.Logic > few.Logic+64 {
		t.Errorf("512 rows take %d LUT more than 64, want at most 64", more.Logic-few.Logic)
	}
	if one, two := reports[0].Counts, reports[3].Counts; two.Logic > 2*one.Logic {
		t.Errorf("8 banks take %d LUT, want at most twice the %d of 4", two.Logic, one.Logic)
	}
	suite.Evidence(t, "scaling", "# Scaling of the path tables\n\n"+
		"[The path tables](laps_paths.md) in several sizes, all memories in block RAM and the other parameters at their defaults,\n"+
		"synthesised by Yosys for the U280's family: an estimate, not a Vivado result. Logic grows with the banks, which\n"+
		"are compared and doubled in parallel. A bank of up to 512 rows takes 2 RAMB18, and one more with `ack_lookup` own or\n"+
		"with `baselines` paths.\n\n"+
		"Written by `go test ./tb/laps_paths -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit laps_paths` measures with these parameters.\n\n"+
		"| destinations | banks | rows | ack_lookup | baselines | logic LUT | LUTRAM | SRL | FF | RAMB36 | DSP | logic levels |\n|---:|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n"+rows)
}
