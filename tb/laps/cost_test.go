// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
	lapspaths "github.com/nicgen/nicgen/tb/laps_paths"
	lapspick "github.com/nicgen/nicgen/tb/laps_pick"
	lapsrate "github.com/nicgen/nicgen/tb/laps_rate"
)

// The report of the paper's configuration is of the SystemVerilog that the generator
// makes: after a change of it, make doc-data measures again.
func TestRecordsAreCurrent(t *testing.T) {
	suite.Records(t, map[string]string{"laps_prototype": "loss=false"})
}

// The whole without Algorithm 3 takes less than a third of the paper's LUTs and half of
// its block RAMs at the paper's sizes: by the report on record, which
// nicgen synth --unit laps --loss=false made.
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
	paper := published(t, laps.Published)
	if third, half := int(paper["LUT"]/3), paper["RAMB36"]/2; n.LUT == 0 || n.LUT >= third || n.BRAM36 >= half {
		t.Errorf("%d LUT, %g RAMB36: want below %d and %g", n.LUT, n.BRAM36, third, half)
	}
}

// published reads the paper's figures.
func published(t *testing.T, p *synth.Published) map[string]float64 {
	t.Helper()
	figures := map[string]float64{}
	for _, f := range p.Figures {
		v, err := strconv.ParseFloat(strings.ReplaceAll(f.Value, ",", ""), 64)
		if err != nil {
			t.Fatalf("%s: %s: %v", p.Source, f.Resource, err)
		}
		figures[f.Resource] = v
	}
	return figures
}

// The paper's figures for the whole are those for its parts: like is compared with like.
func TestPublishedIsSumOfParts(t *testing.T) {
	sum := map[string]float64{}
	for _, part := range []*synth.Published{lapspaths.Published, lapspick.Published, lapsrate.Published} {
		for resource, v := range published(t, part) {
			sum[resource] += v
		}
	}
	if got := published(t, laps.Published); !maps.Equal(got, sum) {
		t.Errorf("published for the whole: %v, for its parts: %v", got, sum)
	}
}

// A packet and an ACK in a cycle cost copies of memories, not logic. How the parts grow
// with banks and paths is in their own pages. The table is docs/units/laps_evidence.md.
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
	suite.Evidence(t, "scaling", "# Cost of the LAPS pipeline's options\n\n"+
		"[The pipeline](laps.md) with 64 destinations, 4 banks of 64 rows, 64 flows, rings of 16 segments in 4 lanes, and the other\n"+
		"parameters at their defaults, synthesised by Yosys for the U280's family: an estimate, not a Vivado result. With\n"+
		"`ack_lookup` own it accepts a packet and an ACK in one cycle.\n\n"+
		"Written by `go test ./tb/laps -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit laps` measures with these parameters.\n\n"+
		"| banks | ack_lookup | loss | logic LUT | LUTRAM | SRL | FF | RAMB36 | DSP | logic levels |\n|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n"+rows)
}
