// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/synth/timing"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// Logic does not grow with the number of connections except for addresses, the memory is as
// large as the state, and the longest path keeps the unit's limits. The table is
// docs/units/reps_detector_evidence.md.
func TestScaling(t *testing.T) {
	sizes := []int64{16, 64, 65, 256, 512, 4096, 65536}
	sets := make([]string, len(sizes))
	for i, n := range sizes {
		sets[i] = fmt.Sprintf("connections=%d", n)
	}
	const widest = "connections=65536 conn_bits=24 rtt_bits=32 timer_bits=64 counter_bits=64"
	sizes, sets = append(sizes, 65536), append(sets, widest)
	var designs []benchtest.Design
	for _, set := range sets {
		p := suite.Configure(t, set)
		designs = append(designs, benchtest.Design{Name: set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	reports := suite.Synthesise(t, "scaling", designs)
	rows := ""
	for i, r := range reports {
		p := suite.Configure(t, sets[i])
		if len(r.Memories) != 1 {
			t.Fatalf("%s: memories %v, want one", designs[i].Name, r.Memories)
		}
		m, c := r.Memories[0], r.Counts
		if m.Depth != sizes[i] || m.Width != p.TimerBits+1 || m.Kind == "registers" {
			t.Errorf("memory of %d × %d bits became %s, want %d × %d in LUTRAM or BRAM", m.Depth, m.Width, m.Kind, sizes[i], p.TimerBits+1)
		}
		path := r.Timing.RegToReg.Ns
		if path[timing.Typical] > 2.5 || path[timing.Pessimistic] > 3.5 {
			t.Errorf("%s: the estimated path is %.2f ns, typical, and %.2f, pessimistic, want at most 2.5 and 3.5", designs[i].Name, path[timing.Typical], path[timing.Pessimistic])
		}
		name := fmt.Sprint(sizes[i])
		if sets[i] == widest {
			name += ", widest"
		}
		rows += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %g | %.2f / %.2f / %.2f |\n", name, m.Kind, c.Logic, c.LUTRAM, c.SRL, c.FF, c.BRAM36, path[timing.Optimistic], path[timing.Typical], path[timing.Pessimistic])
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
	suite.Evidence(t, "scaling", "# Scaling of the failure detector\n\n"+
		"[The failure detector](reps_detector.md) with different numbers of connections, all else as by default, synthesised\n"+
		"by Yosys for the U280's family: an estimate, not a Vivado result. The memory has one word of `timer_bits` + 1 bits for\n"+
		"each connection. Up to 64 connections it is LUTRAM. The logic hardly grows; with 65,536 connections\n"+
		"it includes the multiplexer of the block RAMs. In the last row all widths are at their largest. The path between\n"+
		"registers is in ns, optimistic, typical and pessimistic, modelled without placement.\n\n"+
		"Written by `go test ./tb/reps_detector -run TestScaling -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit reps_detector --connections N` measures.\n\n"+
		"| connections | memory | logic LUT | LUTRAM | SRL | FF | RAMB36 | estimated path |\n|---:|---|---:|---:|---:|---:|---:|---:|\n"+rows)
}
