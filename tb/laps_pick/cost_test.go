// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The cost of a configuration, and its limits.
type cost struct {
	name, set   string
	file        string // report of nicgen synth on record; "": synthesised by the test
	lut, ramb18 int
	dsp         int
}

var costs = []cost{
	{name: "race", set: "paths=8", lut: 380, ramb18: 4},
	{name: "race, noise in LUTs", set: "paths=4 noise_memory=lut", lut: 400},
	{name: "lookup", set: "paths=4 picker=lookup", lut: 700, dsp: 2},
	{name: "race", set: "paths=32", file: "laps_pick", lut: 1500, ramb18: 16},
	{name: "race, noise in LUTs", set: "paths=32 noise_memory=lut", file: "laps_pick_lut", lut: 2400},
	{name: "lookup", set: "paths=32 picker=lookup", file: "laps_pick_lookup", lut: 4800, dsp: 2},
}

// The reports on record are of the SystemVerilog that the generator makes: after a change
// of it, make doc-data measures again.
func TestRecordsAreCurrent(t *testing.T) {
	settings := map[string]string{}
	for _, c := range costs {
		if c.file != "" {
			settings[c.file] = c.set
		}
	}
	suite.Records(t, settings)
}

// Each picker keeps to its limits of LUTs, block RAMs and DSPs, with at most 6 logic
// levels: pickers of few paths are synthesised here, and pickers of 32 are read from
// records. The table is docs/units/laps_pick_cost.md.
func TestCost(t *testing.T) {
	var designs []benchtest.Design
	for _, c := range costs {
		if c.file == "" {
			p := suite.Configure(t, c.set)
			designs = append(designs, benchtest.Design{Name: c.set, Top: p.Top(), Files: benchtest.Texts(t, p)})
		}
	}
	reports := suite.Synthesise(t, "cost", designs)
	var rows strings.Builder
	for i, c := range costs {
		var r *synth.Report
		if c.file == "" {
			r = reports[i]
		} else {
			text, err := os.ReadFile("../../docs/data/" + c.file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
		}
		n := r.Counts
		if n.LUT > c.lut || n.RAMB18 > c.ramb18 || n.RAMB36 > 0 || n.DSP > c.dsp || r.RegToReg.Levels > 6 {
			t.Errorf("%s: %d LUT, %d RAMB18, %d RAMB36, %d DSP, %d levels: want at most %d, %d, 0, %d and 6",
				c.set, n.LUT, n.RAMB18, n.RAMB36, n.DSP, r.RegToReg.Levels, c.lut, c.ramb18, c.dsp)
		}
		p := suite.Configure(t, c.set)
		fmt.Fprintf(&rows, "| %s | %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", c.name, p.Paths, r.Flow,
			n.LUT, c.lut, n.SRL+n.LUTRAM, n.FF, n.CARRY8, n.RAMB18, n.DSP, r.RegToReg.Levels, p.PickLatency())
	}
	if t.Failed() {
		return
	}
	suite.Page(t, "cost", "# Cost of the path picker\n\n"+
		"[The path picker](laps_pick.md) in its variants, synthesised by Yosys for the U280's family: an estimate, not a Vivado\n"+
		"result. The paper's Softmax of 32 paths takes 26,949 LUT, 7,938 FF and 1,752 CARRY8 (LAPS Table V, Vivado).\n\n"+
		"Written by `go test ./tb/laps_pick -run TestCost -update`, which also checks it. Rows of 32 paths are read from\n"+
		"`docs/data/laps_pick.json`, `laps_pick_lut.json` and `laps_pick_lookup.json`: `make doc-data` measures them again, and\n"+
		"`TestRecordsAreCurrent` fails when they are of other SystemVerilog than the generator makes now.\n\n"+
		"| picker | paths | flow | LUT | limit | of them SRL and LUTRAM | FF | CARRY8 | RAMB18 | DSP | logic levels | latency |\n"+
		"|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"+rows.String())
}
