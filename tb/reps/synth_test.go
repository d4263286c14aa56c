// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// oneBlock makes each block RAM of a configuration one block deep. What the design
// then takes less is the logic that selects among the blocks of a deep memory.
func oneBlock(t *testing.T, files []synth.File) []synth.File {
	t.Helper()
	files = slices.Clone(files)
	i := slices.IndexFunc(files, func(f synth.File) bool { return f.Name == "nic_lib_ram_block.sv" })
	if i < 0 {
		return nil // there is no block RAM
	}
	for _, edit := range [][2]string{
		{"mem [DEPTH];", "mem [512];\n  localparam int unsigned LOW = (ADDR_W < 9) ? ADDR_W : 9;"},
		{"mem[wr_addr]", "mem[wr_addr[LOW-1:0]]"},
		{"mem[rd_addr]", "mem[rd_addr[LOW-1:0]]"},
	} {
		if strings.Count(files[i].Text, edit[0]) != 1 {
			t.Fatalf("%s has not exactly one %q", files[i].Name, edit[0])
		}
		files[i].Text = strings.Replace(files[i].Text, edit[0], edit[1], 1)
	}
	return files
}

// Cost by configuration: memories become memories, the default fits its budget, and
// from 1,024 connections, where all state is in block RAM, to 65,536 the logic hardly
// grows while the memory grows in proportion. The table is docs/units/reps_evidence.md.
func TestCost(t *testing.T) {
	list := []struct {
		set         string
		connections int64
	}{
		{"connections=16", 16}, {"connections=64", 64}, {"connections=256", 256}, {"connections=1024", 1024}, {"connections=4096", 4096},
		{"connections=16384", 16384}, {"connections=65536", 65536}, {"connections=256 state_memory=lutram ev_memory=lutram", 256},
	}
	const first, last = 3, 6 // of those that only differ in their connections and have all state in block RAM
	var designs []benchtest.Design
	single := make([]int, len(list)) // the design in which every block RAM is one block deep
	for _, c := range list {
		p := suite.Configure(t, c.set)
		designs = append(designs, benchtest.Design{Name: c.set, Top: p.Top(), Files: benchtest.Texts(t, p)})
	}
	for i, c := range list {
		single[i] = i
		one := oneBlock(t, designs[i].Files)
		if one != nil && c.connections*suite.Default().BufferDepth > 512 {
			single[i] = len(designs)
			designs = append(designs, benchtest.Design{Name: c.set + ", one block", Top: designs[i].Top, Files: one})
		}
	}
	reports := suite.Synthesise(t, "scaling", designs)
	var rows, memories strings.Builder
	for i, c := range list {
		r := reports[i]
		set := strings.ReplaceAll(c.set, " ", "<br>")
		bits := int64(0)
		for _, m := range r.Memories {
			var cells []string
			for _, k := range slices.Sorted(maps.Keys(m.Cells)) {
				cells = append(cells, fmt.Sprintf("%d %s", m.Cells[k], k))
			}
			fmt.Fprintf(&memories, "| %s | %s | %d × %d | %s | %s |\n", set, m.Name, m.Depth, m.Width, m.Kind, strings.Join(cells, ", "))
			bits += m.Depth * m.Width
			if m.Kind != "LUTRAM" && m.Kind != "BRAM" {
				t.Errorf("%s: memory %s became %s, want LUTRAM or BRAM", c.set, m.Name, m.Kind)
			}
		}
		n := r.Counts
		path := r.Timing.RegToReg.Ns
		fmt.Fprintf(&rows, "| %s | %d | %d | %d | %d | %d | %g | %.2f / %.2f / %.2f |\n", set, n.LUT, n.LUTRAM, reports[single[i]].Counts.LUT,
			n.FF, bits, n.BRAM36, path[timing.Optimistic], path[timing.Typical], path[timing.Pessimistic])
	}
	if t.Failed() {
		return
	}
	if d := reports[2]; d.Counts.LUT > 424 || d.Counts.BRAM36 > 3.5 || d.RegToReg.Levels > 6 {
		t.Errorf("256 connections take %d LUT, %g RAMB36 and %d logic levels, want at most 424, 3.5 and 6", d.Counts.LUT, d.Counts.BRAM36, d.RegToReg.Levels)
	}
	few, many := reports[single[first]].Counts, reports[single[last]].Counts
	if 4*many.LUT > 5*few.LUT {
		t.Errorf("apart from selecting RAM blocks, 65,536 connections take %d LUT and 1,024 take %d: want at most a quarter more", many.LUT, few.LUT)
	}
	for i := 4; i < last; i++ {
		grown := reports[i+1].Counts.BRAM36 / reports[i].Counts.BRAM36
		if want := float64(list[i+1].connections / list[i].connections); grown < 0.9*want || grown > 1.1*want {
			t.Errorf("from %s to %s memory grows by a factor of %.2f, want about %g", list[i].set, list[i+1].set, grown, want)
		}
	}
	suite.Evidence(t, "scaling", "# Scaling of the REPS buffer\n\n"+
		"[The REPS buffer](reps.md) with different numbers of connections, all else as by default, synthesised by Yosys for\n"+
		"the U280's family: an estimate, not a Vivado result. For a memory deeper than one RAM block Yosys builds a multiplexer\n"+
		"of LUTs, which costs levels too; the RAM blocks of UltraScale+ can be cascaded without LUTs. \"LUT without selection\"\n"+
		"is from a second run, in which every block RAM is one block deep. This value grows between 256 and 1,024 connections,\n"+
		"where the flags move from LUTRAM into block RAM and need forwarding, and with the width of an address; differences\n"+
		"of a few LUTs are mapping noise. The memory is proportional to the connections. \"Path\" is the estimated delay between\n"+
		"registers in ns, optimistic, typical and pessimistic, without placement.\n\n"+
		"Written by `go test ./tb/reps -run TestCost -update`, which also checks it; a row is what\n"+
		"`nicgen synth --unit reps --connections N` measures.\n\n"+
		"| settings | LUT | of them LUTRAM | LUT without selection | FF | memory bits | RAMB36 | path |\n|---|---:|---:|---:|---:|---:|---:|---:|\n"+
		rows.String()+
		"\n## Mapping of each memory\n\n| settings | memory | depth × width | became | cells |\n|---|---|---:|---|---|\n"+memories.String())
}
