// SPDX-License-Identifier: Apache-2.0

package netlist_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/netlist"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/synth"
)

// design is a bench with another source.
type design struct {
	cosim.Bench
	source cosim.Source
}

func (d design) Source() cosim.Source { return d.source }

// shape is the shape of a memory.
type shape struct{ width, depth int }

// memories returns a module with block memories of the library, all with the same pins except for their
// data, and a table in LUT memory that only partly fits LUT memory.
func memories(t *testing.T, shapes []shape) cosim.Source {
	t.Helper()
	ports, body := "", ""
	for i, s := range shapes {
		aw := len(fmt.Sprintf("%b", s.depth-1))
		ports += fmt.Sprintf(",\n  input wire logic [%d:0] d%d,\n  output logic [%d:0] q%d", s.width-1, i, s.width-1, i)
		body += fmt.Sprintf("  nic_lib_ram_block #(.WIDTH(%d), .DEPTH(%d), .ADDR_W(%d)) m%d (.clk, .wr_en(we), .wr_addr(wa[%d:0]), .wr_data(d%[4]d), .rd_addr(ra[%[5]d:0]), .rd_data(q%[4]d));\n",
			s.width, s.depth, aw, i, aw-1)
	}
	ports += ",\n  output logic [9:0] entry"
	body += "  (* ram_style = \"distributed\" *)\n  logic [9:0] entries [8];\n  initial begin\n"
	for i := range 8 {
		body += fmt.Sprintf("    entries[%d] = 10'd%d;\n", i, initial(i))
	}
	body += "  end\n  always_ff @(posedge clk) begin\n    if (we) begin\n      entries[wa[2:0]] <= d0[9:0];\n    end\n    entry <= entries[ra[2:0]];\n  end\n"
	parts, err := rtl.Parts("nic_lib_ram_block")
	if err != nil {
		t.Fatal(err)
	}
	return cosim.Source{Top: "memories", Clock: "clk", Files: []cosim.File{
		cosim.File(parts[0]),
		{Name: "memories.sv", Text: "module memories (\n  input wire logic clk,\n  input wire logic we,\n  input wire logic [11:0] wa,\n  input wire logic [11:0] ra" + ports + "\n);\n" + body + "endmodule\n"},
	}}
}

// initial returns an entry of the table at power-up.
func initial(i int) uint64 { return uint64(i*37+5) | 0x300 }

// The block memory of the library keeps every bit of every word as a netlist, in each way in which
// it is cut; Yosys 0.23 is wrong for uncut words of 72 bits. It takes no more blocks than whole
// words would. The table holds its initial values, which Verilator 5.006 loses if the netlist does
// not define the rest of the LUT memory.
func TestMemoriesAsNetlist(t *testing.T) {
	shapes := []shape{{36, 512}, {66, 256}, {72, 512}, {80, 32}, {47, 1024}, {20, 4096}}
	const halves = 1 + 2 + 2 + 3 + 3 + 5 // RAMB18E2 or halves of RAMB36E2
	b, err := netlist.New(t.Context(), design{source: memories(t, shapes)}, synth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := b.Cells()["RAMB18E2"] + 2*b.Cells()["RAMB36E2"]; n != halves {
		t.Errorf("cells %v: %d halves of a block, want %d", b.Cells(), n, halves)
	}
	s, err := cosim.Open(t.Context(), b.Source())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 8 {
		s.Set("ra", uint64(i))
		s.Step(1)
		if got := s.Get("entry"); got != initial(i) {
			t.Errorf("entry %d is %d at power-up, want %d", i, got, initial(i))
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	mem := make([]map[uint64][]uint64, len(shapes)) // by memory and address: words written
	read := make([]int, len(shapes))
	for i := range mem {
		mem[i] = map[uint64][]uint64{}
	}
	for cycle := range 4000 {
		// Few addresses, spread over all of the memory.
		wa, ra, we := r.Uint64N(16)*273, r.Uint64N(16)*273, r.Uint64N(4) != 0
		s.Set("wa", wa)
		s.Set("ra", ra)
		s.Set("we", map[bool]uint64{true: 1}[we])
		want := make([][]uint64, len(shapes))
		for i, shape := range shapes {
			mask := uint64(shape.depth - 1)
			want[i] = mem[i][ra&mask]
			d := []uint64{r.Uint64(), r.Uint64()}
			if shape.width <= 64 {
				d = []uint64{d[0] & (1<<shape.width - 1)}
			} else {
				d[1] &= 1<<(shape.width-64) - 1
			}
			s.SetWide(fmt.Sprint("d", i), d...)
			if we {
				mem[i][wa&mask] = d
			}
		}
		s.Step(1)
		for i := range shapes {
			if want[i] == nil {
				continue // not written yet
			}
			read[i]++
			if got := s.GetWide(fmt.Sprint("q", i)); !slices.Equal(got, want[i]) {
				t.Fatalf("cycle %d, %d × %d bits: read %x, want %x", cycle, shapes[i].depth, shapes[i].width, got, want[i])
			}
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	for i, n := range read {
		if n < 1000 {
			t.Errorf("%d × %d bits: %d words compared", shapes[i].depth, shapes[i].width, n)
		}
	}
}

// No other part of the library asks for block memory: so results for that part hold for every unit.
func TestOnlyOnePartIsBlockMemory(t *testing.T) {
	parts, err := rtl.All()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range parts {
		if strings.Contains(p.Text, `ram_style = "block"`) {
			found++
			if p.Name != "nic_lib_ram_block.sv" && p.Name != "nic_lib_frames_cross.sv" { // has two clocks
				t.Errorf("%s has its own block memory", p.Name)
			}
		}
	}
	if found == 0 {
		t.Error("no part has block memory")
	}
}
