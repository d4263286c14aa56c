// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The report of the paper's configuration is of the SystemVerilog that the generator
// makes: after a change of it, make doc-data measures again.
func TestRecordsAreCurrent(t *testing.T) {
	suite.Records(t, map[string]string{"laps_prototype": "loss=false"})
}

// The whole without Algorithm 3 takes less than a third of the paper's LUTs and half of
// its block RAMs, with at most 6 logic levels, at the paper's sizes: by the report on
// record, which nicgen synth --unit laps --loss=false made.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile("../../docs/data/laps_prototype.json")
	if err != nil {
		t.Fatal(err)
	}
	var r synth.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	n := r.Counts
	if third := 33808 / 3; n.LUT == 0 || n.LUT >= third || n.BRAM36 >= 135.5/2 || r.RegToReg.Levels > 6 {
		t.Errorf("%d LUT, %g RAMB36, %d levels: want below %d and %g, and at most 6", n.LUT, n.BRAM36, r.RegToReg.Levels, third, 135.5/2)
	}
}

// A packet and an ACK in a cycle cost copies of memories, not logic. How the parts grow
// with banks and paths is in their own pages. The table is docs/units/laps_scaling.md.
func TestScaling(t *testing.T) {
	const base = "destinations=64 banks=4 rows=64 flows=64 flow_bits=6 depth=16 lanes=4 "
	sizes := []string{
		base + "loss=false",
		base + "loss=false ack_lookup=own",
		base + "loss=true",
	}
	var designs []benchtest.Design
	for _, set := range sizes {
		p := suite.Configure(t, set)
		designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p), Apart: p.Apart()})
	}
	reports := suite.Synthesise(t, "scaling", designs)
	rows := ""
	for i, r := range reports {
		p, c := suite.Configure(t, sizes[i]), r.Counts
		rows += fmt.Sprintf("| %d | %s | %t | %d | %d | %d | %d | %g | %d | %d |\n",
			p.Tables.Banks, p.Tables.AckLookup, p.Loss, c.Logic, c.LUTRAM, c.SRL, c.FF, c.BRAM36, c.DSP, r.RegToReg.Levels)
	}
	if one, both := reports[0].Counts, reports[1].Counts; both.Logic > one.Logic+one.Logic/10 || both.BRAM36 <= one.BRAM36 {
		t.Errorf("own lookups take %d LUT and %g RAMB36 in place of %d and %g: want at most a tenth more LUT, and more RAMB36",
			both.Logic, both.BRAM36, one.Logic, one.BRAM36)
	}
	if t.Failed() {
		return
	}
	suite.Page(t, "scaling", "# Cost of the LAPS pipeline's options\n\n"+
		"[The pipeline](laps.md) with 64 destinations, 4 banks of 64 rows, 64 flows, rings of 16 segments in 4 lanes, and the other\n"+
		"parameters at their defaults, synthesised by Yosys for the U280's family: an estimate, not a Vivado result. With\n"+
		"`ack_lookup` own it accepts a packet and an ACK in one cycle.\n\n"+
		"Written by `go test ./tb/laps -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit laps` measures with these parameters.\n\n"+
		"| banks | ack_lookup | loss | logic LUT | LUTRAM | SRL | FF | RAMB36 | DSP | logic levels |\n|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n"+rows)
}
