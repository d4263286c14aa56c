// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// Logic does not grow with the number of connections but for addresses, and the
// memory is as large as the state. The table is docs/units/reps_detector_scaling.md.
func TestScaling(t *testing.T) {
	sizes := []int64{16, 64, 65, 256, 512, 4096, 65536}
	var designs []benchtest.Design
	for _, n := range sizes {
		set := fmt.Sprintf("connections=%d", n)
		p := suite.Configure(t, set)
		designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	reports := suite.Synthesise(t, "scaling", designs)
	width := suite.Default().TimerBits + 1
	rows := ""
	for i, r := range reports {
		if len(r.Memories) != 1 {
			t.Fatalf("%s: memories %v, want one", designs[i].Name, r.Memories)
		}
		m, c := r.Memories[0], r.Counts
		if m.Depth != sizes[i] || m.Width != width || m.Kind == "registers" {
			t.Errorf("memory of %d × %d bits became %s, want %d × %d in LUTRAM or BRAM", m.Depth, m.Width, m.Kind, sizes[i], width)
		}
		if r.RegToReg.Levels > 6 {
			t.Errorf("%s: %d logic levels, want at most 6", designs[i].Name, r.RegToReg.Levels)
		}
		rows += fmt.Sprintf("| %d | %s | %d | %d | %d | %d | %g | %d |\n", sizes[i], m.Kind, c.Logic, c.LUTRAM, c.SRL, c.FF, c.BRAM36, r.RegToReg.Levels)
	}
	if t.Failed() {
		return
	}
	// From 256 to 4,096 connections only addresses grow; beyond, what chooses among
	// block RAMs does, in proportion to those.
	few, more, many := reports[3].Counts, reports[5].Counts, reports[6].Counts
	if few.LUT > 200 {
		t.Errorf("256 connections take %d LUT, want at most 200", few.LUT)
	}
	if grown := more.LUT - few.LUT; grown > 16 {
		t.Errorf("4,096 connections take %d LUT more than 256, want at most 16", grown)
	}
	if grown, limit := many.LUT-few.LUT, 4*int(many.BRAM36); grown > limit {
		t.Errorf("65,536 connections take %d LUT more than 256, want at most %d: 4 for each RAMB36", grown, limit)
	}
	suite.Page(t, "scaling", "# How the failure detector grows\n\n"+
		"[The failure detector](reps_detector.md) with different numbers of connections, all else as by default, synthesised\n"+
		"by Yosys for the U280's family: an estimate, not a Vivado result. The memory has one word of `timer_bits` + 1 bits for\n"+
		"each connection. Up to 64 connections it is LUTRAM. The logic hardly grows; in the last row\n"+
		"it includes the multiplexer of the block RAMs of 65,536 connections.\n\n"+
		"Written by `go test ./tb/reps_detector -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit reps_detector --connections N` measures.\n\n"+
		"| connections | memory | logic LUT | LUTRAM | SRL | FF | RAMB36 | logic levels |\n|---:|---|---:|---:|---:|---:|---:|---:|\n"+rows)
}
